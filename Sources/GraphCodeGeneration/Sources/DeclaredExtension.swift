// An extension in a target's sources, recorded for its protocol conformances.

/// An extension, recorded for its protocol conformances.
package struct DeclaredExtension: Sendable {
    package var context: DeclarationContext
    package var path: [String]
    package var inheritance: [TypeExpression]
}

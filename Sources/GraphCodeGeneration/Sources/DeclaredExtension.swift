// The declarations that SourceReader finds in a target's sources, as values. Beside `SourceDeclarations`.

/// An extension, recorded for its protocol conformances.
package struct DeclaredExtension: Sendable {
    package var context: DeclarationContext
    package var path: [String]
    package var inheritance: [TypeExpression]
}

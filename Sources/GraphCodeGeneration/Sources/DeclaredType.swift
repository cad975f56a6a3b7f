// A type in a target's sources: its kind, its name and the types it inherits from.

/// A type declared in the sources.
package struct DeclaredType: Sendable {
    /// The kind of declaration.
    package enum Kind: Hashable, Sendable {
        case nominal(NominalType.Kind)
        case alias(TypeExpression)
    }

    package var context: DeclarationContext
    package var name: String
    package var kind: Kind
    package var inheritance: [TypeExpression]
    package var isGeneric: Bool
    /// The name of an `@objc(Name)` attribute.
    package var objectiveCName: String?
    /// Whether the type is isolated to an actor, so that the tables cannot call its members.
    package var isIsolated: Bool

    /// The type's own path.
    package var path: [String] { context.enclosing + [name] }
}

// The types, extensions and conditions around a declaration in a target's sources.

/// The common properties of declarations.
package struct DeclarationContext: Hashable, Sendable {
    package var location: SourceLocation
    /// The names of the enclosing types, from the outermost; for a member, this includes the type that has it.
    package var enclosing: [String]
    /// Whether the nearest enclosing scope is an extension.
    package var isInExtension: Bool
    /// For code in an extension, the length of the extended path: inside, names in the scopes around the extended type
    /// are not visible.
    package var extensionDepth: Int
    /// The explicit access level or that of the scope, not yet limited by the enclosing types.
    package var access: Access
    /// The `#if` condition that the generator cannot decide, as source text.
    package var condition: String?
}

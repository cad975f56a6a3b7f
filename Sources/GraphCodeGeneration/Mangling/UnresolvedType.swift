// The error for a type in the sources whose name the generator cannot look up.

/// The reason why a type could not be resolved.
package struct UnresolvedType: Error, Sendable, Hashable {
    package var name: String
    package var reason: String
}

// Looks up the names in a type as the compiler does: nested types first, then the module, then its imports. Beside
// `TypeResolver`.

/// The reason why a type could not be resolved.
package struct UnresolvedType: Error, Sendable, Hashable {
    package var name: String
    package var reason: String
}

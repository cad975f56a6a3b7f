// A managed object class of a target, as its sources declare it.

/// A class that derives from NSManagedObject and is declared in the sources.
package struct ManagedClass: Sendable {
    package var declaration: DeclaredType
    /// The path of its superclass, if this target declares that too.
    package var superclassPath: [String]?
    /// Whether the class or an enclosing type is private to its file, so that other files cannot refer to it.
    package var isFileLocal: Bool
    /// The lowest access of the class and its enclosing types.
    package var access: Access
    /// The undecided conditions of the class's declarations, of which `#if` and `#else` may each have one.
    package var conditions: [String?]

    package var path: [String] { declaration.path }

    /// The condition under which any declaration of the class is compiled; nil if one always is.
    var condition: String? {
        let undecided = conditions.compactMap { $0 }
        guard undecided.count == conditions.count, let first = undecided.first else { return nil }
        return undecided.count == 1 ? first : undecided.map { "(\($0))" }.joined(separator: " || ")
    }
}

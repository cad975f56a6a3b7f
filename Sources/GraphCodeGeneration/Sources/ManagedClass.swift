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

    package var path: [String] { declaration.path }
}

// The kind of the elements of a constant collection, if the collection is bound as one value.

/// The elements of a bound list.
package struct ListElements: Hashable, Sendable {
    package let storage: StorageClass
    /// Whether numbers with a fraction may be among them.
    package let hasReals: Bool

    package init(_ storage: StorageClass, hasReals: Bool) {
        self.storage = storage
        self.hasReals = hasReals
    }
}

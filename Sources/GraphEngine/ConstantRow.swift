// The row that a constant of a predicate refers to.

/// The row that a constant refers to.
package struct ConstantRow {
    package var key: ObjectKey
    /// Whether the object is in another store or unsaved, so that it equals no row of this store.
    package var isElsewhere: Bool

    package init(key: ObjectKey, isElsewhere: Bool) {
        self.key = key
        self.isElsewhere = isElsewhere
    }
}

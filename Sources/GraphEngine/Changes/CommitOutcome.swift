// What a commit leaves behind. Returned by engines, shown by the context that saves.

/// What a commit leaves.
package struct CommitOutcome {
    /// What the store itself has set.
    package var derived: [DerivedValue]
    /// The number under which the store's history has the transaction; nil without a history.
    package var historyNumber: Int64?

    package init(derived: [DerivedValue] = [], historyNumber: Int64? = nil) {
        self.derived = derived
        self.historyNumber = historyNumber
    }
}

/// A value that is in the store and that nobody has set: a derived one, or one that the file's format has changed.
package struct DerivedValue {
    package var key: ObjectKey
    package var property: String
    package var value: RowValue

    package init(key: ObjectKey, property: String, value: RowValue) {
        self.key = key
        self.property = property
        self.value = value
    }
}

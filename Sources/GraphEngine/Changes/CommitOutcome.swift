// The result of a commit. Returned by engines, applied by the saving context.

/// The result of a commit.
package struct CommitOutcome {
    /// The values set by the store itself.
    package var derived: [DerivedValue]
    /// The transaction's number in the store's history; nil without a history.
    package var historyNumber: Int64?

    package init(derived: [DerivedValue] = [], historyNumber: Int64? = nil) {
        self.derived = derived
        self.historyNumber = historyNumber
    }
}

/// A stored value that differs from the saved one: a derived value, or one changed by the file's format.
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

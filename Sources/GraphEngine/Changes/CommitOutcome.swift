// The result of a commit. Returned by engines, applied by the saving context.

/// The result of a commit.
package struct CommitOutcome {
    /// The values set by the store itself.
    package var derived: [DerivedValue]
    /// The transaction's number in the store's history; nil without a history.
    package var historyNumber: Int64?
    /// The version of all rows that the transaction has inserted or updated; nil if each has that of its former row, and one
    /// more.
    package var rowVersion: Int64?

    package init(derived: [DerivedValue] = [], historyNumber: Int64? = nil, rowVersion: Int64? = nil) {
        self.derived = derived
        self.historyNumber = historyNumber
        self.rowVersion = rowVersion
    }
}

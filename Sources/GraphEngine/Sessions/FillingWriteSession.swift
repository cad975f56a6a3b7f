// A transaction that fills an empty store with the rows of another one. Used by moves between kinds of stores.

/// A transaction that can take rows with the keys that they have.
package protocol FillingWriteSession: WriteSession {
    /// Leaves the rows that follow out of the history.
    func beginFilling()
    /// Makes all keys up to `key` ones that are never assigned again.
    func advanceKeys(of tree: TreeLayout, beyond key: Int64) throws
    /// Gives inserted rows the times of saves (derived by `now()`) and the versions that they had in the other store: an
    /// insertion sets its own.
    func restore(_ inserts: [RowOperation]) throws
}

extension FillingWriteSession {
    package func restore(_ inserts: [RowOperation]) throws {}
}

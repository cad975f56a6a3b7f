// A transaction that fills an empty store with the rows of another one. Used by moves between kinds of stores.

/// A transaction that can take rows with the keys that they have.
package protocol FillingWriteSession: WriteSession {
    /// Leaves the rows that follow out of the history.
    func beginFilling()
    /// Makes all keys up to `key` ones that are never assigned again.
    func advanceKeys(of tree: TreeLayout, beyond key: Int64) throws
}

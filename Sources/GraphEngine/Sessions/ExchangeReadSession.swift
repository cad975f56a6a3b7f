// Reads of whole stores without objects. Used by the tools that fetch, export, compare and check.

/// A session of an engine that keeps rows in tables, for tools that read all of them.
package protocol ExchangeReadSession: ExplainingReadSession, HistoryReadSession {
    /// Passes the rows of some entities of a tree to `body`, sorted by key, some at a time.
    func eachPortion(
        of tree: TreeLayout,
        entities: [EntityLayout],
        size: Int,
        _ body: (RowBatch) throws -> Void
    ) throws
    /// The members of one relationship of many objects: the owner's key, the member's key and entity number, sorted by
    /// owner, then by the relationship's order if it has one.
    func memberKeys(layout: EntityLayout, slot: Int, owners: [Int64]) throws -> RowBatch
}

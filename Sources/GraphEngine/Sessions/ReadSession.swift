// What is asked of a store's content: values in, values out. A reader holds a session, which is a value handed down and no
// state of the store: a context leases one for a turn, a save has one of its own from the beginning of its transaction to the
// end.

/// Reads of one store.
///
/// A session is used by one thread at a time. What it cannot read it throws, as an `EngineError`.
package protocol ReadSession: AnyObject {
    /// When the snapshot was taken that the session reads from; nil if each read sees the newest content.
    var snapshotBegan: ContinuousClock.Instant? { get }
    /// Ends the snapshot: the next read takes a new one.
    func renew()
    /// Rows of a fetch, in the shape of the entity's tree.
    ///
    /// Throws `TranslationError` of the kind `needsMemory` for a fetch that only objects can answer: the caller then asks the
    /// engine to split it.
    func rows(_ fetch: StoreFetch) throws -> RowBatch
    /// The same of some columns of that shape.
    func rows(_ fetch: StoreFetch, columns: [Int]) throws -> RowBatch
    /// The same in portions, until `body` says no.
    func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws
    /// Keys of a fetch: primary key, and entity number if the tree has several entities.
    func keys(_ fetch: StoreFetch) throws -> RowBatch
    func count(_ fetch: StoreFetch) throws -> Int
    /// What a fetch reads of each row, row by row: the values, and what stands in each of them.
    func eachRow(
        _ fetch: StoreFetch,
        _ columns: ColumnFetch,
        _ body: (_ values: [RowValue], _ columns: [ResultColumn]) throws -> Void
    ) throws
    /// Rows of some keys; those that are gone are left out.
    func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch
    /// The members of a to-many relationship, in order if it has one.
    func members(layout: EntityLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey]
    /// The members of one relationship of many objects: rows of the destination's tree with the owner's key behind them,
    /// owner by owner, in order if there is one.
    func members(layout: EntityLayout, slot: Int, owners: [Int64]) throws -> RowBatch
}

/// A session that can tell how a fetch is answered.
package protocol ExplainingReadSession: ReadSession {
    /// Answers a fetch (of rows, of `columns`, or of their number), and tells how, and what it cost.
    ///
    /// Throws what the fetch throws.
    func explain(_ fetch: StoreFetch, columns: ColumnFetch?, isCount: Bool) throws -> FetchExplanation
}

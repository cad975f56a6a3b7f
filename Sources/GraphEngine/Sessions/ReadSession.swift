// Reading a store's content: values in, values out. A session is passed as a parameter and is not state of the store: a
// context leases one for a turn, and a save has its own for the duration of its transaction.

/// Reads of one store.
///
/// A session is used by one thread at a time. Failed reads throw `EngineError`.
package protocol ReadSession: AnyObject {
    /// The start of the session's snapshot; nil if each read sees the newest content.
    var snapshotBegan: Moment? { get }
    /// Ends the snapshot: the next read takes a new one.
    func renew()
    /// The rows of a fetch, in the shape of the entity's tree.
    ///
    /// Throws `TranslationError` of the kind `needsMemory` for a fetch that must be evaluated with objects: the caller
    /// then asks the engine to split it.
    func rows(_ fetch: StoreFetch) throws -> RowBatch
    /// Like `rows(_:)`, with only some columns of that shape.
    func rows(_ fetch: StoreFetch, columns: [Int]) throws -> RowBatch
    /// Passes the rows to `body` in portions, until it returns false.
    func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws
    /// The keys of a fetch: primary key, and entity number if the tree has several entities.
    func keys(_ fetch: StoreFetch) throws -> RowBatch
    func count(_ fetch: StoreFetch) throws -> Int
    /// Passes the requested columns of each row to `body`: the values, and the content of each column.
    func eachRow(
        _ fetch: StoreFetch,
        _ columns: ColumnFetch,
        _ body: (_ values: [RowValue], _ columns: [ResultColumn]) throws -> Void
    ) throws
    /// The rows with some keys; missing ones are omitted.
    func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch
    /// The row with one key; no row if it is missing.
    func rows(tree: TreeLayout, key: Int64) throws -> RowBatch
    /// The members of a to-many relationship, in order if it is ordered.
    func members(layout: EntityLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey]
    /// The members of one relationship of many objects: rows of the destination's tree followed by the owner's key,
    /// sorted by owner, then by the relationship's order if it has one.
    func members(layout: EntityLayout, slot: Int, owners: [Int64]) throws -> RowBatch
}

extension ReadSession {
    package func rows(tree: TreeLayout, key: Int64) throws -> RowBatch { try rows(tree: tree, keys: [key]) }
}

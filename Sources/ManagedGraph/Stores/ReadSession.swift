// What is asked of a store: values in, values out. Who reads holds a session, which is a value handed down and no state of the
// store: a context leases one for a turn, a save has one of its own from the beginning of its transaction to the end.
import Foundation
import GraphPredicates
import GraphSQL
import GraphSQLite

/// Reads of one store.
///
/// A session is used by one thread at a time.
protocol ReadSession: AnyObject {
    /// When the snapshot was taken that the session reads from; nil where each read sees the newest content.
    var snapshotBegan: ContinuousClock.Instant? { get }
    /// Ends the snapshot: the next read takes a new one.
    func renew()
    /// Rows of a fetch, in the shape of the entity's tree.
    func rows(_ fetch: StoreFetch) throws -> RowBatch
    /// The same of some columns of that shape.
    func rows(_ fetch: StoreFetch, columns: [Int]) throws -> RowBatch
    /// The same in portions, until `body` says no.
    func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws
    /// Keys of a fetch: primary key, and entity number where the tree has several entities.
    func keys(_ fetch: StoreFetch) throws -> RowBatch
    func count(_ fetch: StoreFetch) throws -> Int
    func dictionaries(_ fetch: StoreFetch, properties: DictionaryPlan) throws -> [[String: Any]]
    /// Rows of some keys; those that are gone are left out.
    func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch
    /// The members of a to-many relationship, in order where it has one.
    func members(layout: ObjectLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey]
    /// The members of one relationship of many objects: rows of the destination's tree with the owner's key behind them,
    /// owner by owner, in order where there is one.
    func members(layout: ObjectLayout, slot: Int, owners: [Int64]) throws -> RowBatch
}

/// One transaction of a store, with what it reads of itself.
///
/// It ends with `commit` or `rollback`, on the thread that began it.
protocol WriteSession: ReadSession {
    /// Whether others than this coordinator are known to write to the store.
    var mayBeWrittenByOthers: Bool { get }
    /// Takes `count` new primary keys of a tree.
    func reserveKeys(tree: TreeLayout, count: Int) throws -> ClosedRange<Int64>
    func write(_ changes: StoreChanges) throws -> StoreOutcome
    /// The row with these values of a uniqueness constraint.
    func key(layout: ObjectLayout, slots: [Int], values: ContiguousArray<Value>) throws -> ObjectKey?
    /// Sets the same values in rows of one entity.
    func update(layout: ObjectLayout, keys: [Int64], values: ContiguousArray<Value>, slots: SlotSet) throws
    /// Deletes rows by their delete rules; returns them and the rows that were changed.
    func delete(_ keys: [ObjectKey]) throws -> (deleted: [ObjectKey], changed: [ObjectKey])
    /// Commits; where it throws, the session is still open and to be rolled back.
    @discardableResult
    func commit() throws -> CommitOutcome
    /// Undoes everything; nothing where the transaction was committed.
    func rollback()
}

/// What a commit leaves.
package struct CommitOutcome {
    /// What the store itself has set.
    var derived: [DerivedValue] = []
    /// The number under which the store's history has the transaction; nil without a history.
    var historyNumber: Int64?
}

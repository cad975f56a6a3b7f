// What the coordinator asks of a store: values in, values out, never live objects. The SQLite store adopts it; every
// further kind of store will. Called under the coordinator's lock.
import Foundation
import GraphModel
import GraphPredicates
import GraphSQL
import GraphSQLite

/// A store of rows.
protocol RowStore: NSPersistentStore {
    /// The store's place in its coordinator.
    var index: Int32 { get set }
    /// Opens or creates the store.
    func open(_ model: CompiledModel) throws
    func close()
    /// Rows of a fetch, in the shape of the entity's tree.
    func rows(_ fetch: StoreFetch) throws -> RowBatch
    /// The same of some columns of that shape.
    func rows(_ fetch: StoreFetch, columns: [Int]) throws -> RowBatch
    /// The same in portions, until `body` says no.
    func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws
    /// Keys of a fetch: primary key, and entity number where the tree has several entities.
    func keys(_ fetch: StoreFetch) throws -> RowBatch
    func count(_ fetch: StoreFetch) throws -> Int
    /// A fetch that the store cannot answer whole, in two steps.
    func split(_ fetch: StoreFetch) throws -> SplitStoreFetch
    /// A result that is read bit by bit, of the moment at which it was opened; nil where the store has none.
    func cursor(_ fetch: StoreFetch) throws -> RowCursor?
    func dictionaries(_ fetch: StoreFetch, properties: DictionaryPlan) throws -> [[String: Any]]
    /// Rows of some keys; those that are gone are left out.
    func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch
    /// The members of a to-many relationship, in order where it has one.
    func members(layout: ObjectLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey]
    /// The members of one relationship of many objects: rows of the destination's tree with the owner's key behind them,
    /// owner by owner, in order where there is one.
    func members(layout: ObjectLayout, slot: Int, owners: [Int64]) throws -> RowBatch
    /// Opens the transaction of a save; the history, where there is one, gets who saves.
    func beginSave(_ origin: SaveOrigin) throws
    /// Takes `count` new primary keys of a tree, inside a transaction.
    func reserveKeys(tree: TreeLayout, count: Int) throws -> ClosedRange<Int64>
    /// Writes the rows, inside a transaction.
    func write(_ changes: StoreChanges) throws -> StoreOutcome
    /// The row with these values of a uniqueness constraint, inside a transaction.
    func key(layout: ObjectLayout, slots: [Int], values: ContiguousArray<Value>) throws -> ObjectKey?
    /// Sets the same values in rows of one entity, inside a transaction.
    func update(layout: ObjectLayout, keys: [Int64], values: ContiguousArray<Value>, slots: SlotSet) throws
    /// Deletes rows by their delete rules, inside a transaction; returns them and the rows that were changed.
    func delete(_ keys: [ObjectKey]) throws -> (deleted: [ObjectKey], changed: [ObjectKey])
    func commitSave() throws
    /// Whether others than this coordinator are known to write to the store; asked after `beginSave`.
    var mayBeWrittenByOthers: Bool { get }
    /// What triggers have set since it was last asked.
    func takeDerivedValues() -> [DerivedValue]
    func rollbackSave()
    func entityIndex(number: Int64) -> Int?
    func entityNumber(_ layout: ObjectLayout) -> Int64
    /// Whether a to-many relationship has a table of its own.
    func hasJoinTable(_ layout: ObjectLayout, _ slot: Int) -> Bool
    /// Whether the members' rows name the owner in a column that belongs to no relationship of theirs.
    func hasOwnerColumn(_ layout: ObjectLayout, _ slot: Int) -> Bool
    /// Reads share one snapshot from here to the matching `endTurn`.
    func beginTurn()
    func endTurn()
    /// Rows as they are now, whatever snapshot the turn reads from.
    func freshRows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch
    /// The file behind a large binary value.
    func externalData(named name: String) -> Data?
}

extension RowStore {
    var mayBeWrittenByOthers: Bool { false }

    /// Opens a transaction that no context stands for.
    func beginSave() throws { try beginSave(SaveOrigin()) }
}

/// A fetch as values.
struct StoreFetch {
    var layout: ObjectLayout
    var includesSubentities = true
    var predicate: PredicateNode?
    var sort: [SortTerm] = []
    var limit = 0
    var offset = 0
}

/// What a store answers of a fetch, without limit and offset, and what is left for the objects.
struct SplitStoreFetch {
    var fetch: StoreFetch
    var remainder: PredicateNode?
    var isSorted: Bool
}

/// What a fetch of dictionaries reads.
struct DictionaryPlan {
    var columns: [PlanColumn]
    /// Where each column's value goes in a row's dictionary: a name, or a composite attribute's names.
    var places: [[String]]
    /// The attributes that the columns are, where it takes more than the column's type to read them.
    var slots: [Slot?]
    /// The types that expression descriptions ask for.
    var types: [AttributeType?] = []
    var isDistinct = false
    var groupBy: [PlanColumn] = []
    var having: PredicateNode?
}

/// The rows a save writes to one store.
struct StoreChanges {
    var inserts: [RowOperation] = []
    var updates: [RowOperation] = []
    var deletes: [RowOperation] = []
    /// Rows whose version is to be what it was, though nothing is written.
    var checks: [RowOperation] = []
    var joins: [JoinOperation] = []
    /// Members that lose their owners, before others get theirs.
    var releases: [OwnerOperation] = []
    var owners: [OwnerOperation] = []
    var orders: [OrderOperation] = []
    /// Whether updated rows give up their unique values before any of them takes one.
    var freesUniqueValues = false

    /// Rows to write.
    var rowCount: Int {
        inserts.count + updates.count + deletes.count + joins.count + releases.count + owners.count + orderedCount
    }
    private var orderedCount: Int { orders.reduce(0) { $0 + $1.members.count } }
}

/// One row to insert, update or delete.
struct RowOperation {
    /// For a row that is to be written whatever its version is.
    static let anyVersion: Int64 = -1

    /// Valid for the life of the process, as layouts are never freed.
    unowned(unsafe) var layout: ObjectLayout
    var primaryKey: Int64
    /// The version the row must have now; 0 for an insert.
    var version: Int64
    /// By slot; destinations as keys.
    var values: ContiguousArray<Value>
    /// Which slots to write; all stored ones for an insert.
    var slots = SlotSet()
}

/// One pair to add to or to take out of a join table.
struct JoinOperation {
    var layout: ObjectLayout
    var slot: Int
    var source: Int64
    var destination: Int64
    var isInsert: Bool
}

/// A member gained or lost by a to-many relationship without an inverse: its row names the owner.
struct OwnerOperation {
    var layout: ObjectLayout
    var slot: Int
    /// The owner's key; nil where the relationship let go of the member.
    var source: Int64?
    var member: Int64
}

/// The order of an ordered to-many relationship.
struct OrderOperation {
    var layout: ObjectLayout
    var slot: Int
    var source: Int64
    /// All members, or those that stand behind all others.
    var members: [Int64]
    var isAppended = false
}

/// What came of a save in one store.
struct StoreOutcome {
    /// Updated, deleted or checked rows that have another version now, or are gone.
    var conflicts: [RowOperation] = []
}

// A store as the coordinator holds it, and the values that go in and out of its sessions (ReadSession.swift). Adopted by the
// SQLite store, by atomic stores and by incremental ones.
import Foundation
import GraphModel
import GraphPredicates
import GraphSQL
import GraphSQLite

/// A store of rows, as the coordinator holds it: it gives sessions, and knows what stays the same while it is open.
protocol RowStore: NSPersistentStore {
    /// The store's place in its coordinator.
    var index: Int32 { get set }
    /// Opens or creates the store.
    func open(_ model: CompiledModel) throws
    func close()
    /// A session for reading on behalf of a context, or of none; to be given back.
    ///
    /// It never waits for who writes, where the store has connections for both. With `holdsSnapshot` all reads see what the
    /// first one sees, until the session is renewed.
    func lease(for context: NSManagedObjectContext?, holdsSnapshot: Bool) throws -> any ReadSession
    func giveBack(_ session: any ReadSession)
    /// Opens a transaction, and waits for others that write; the history, where there is one, gets who saves.
    func beginSave(_ origin: SaveOrigin, for context: NSManagedObjectContext?) throws -> any WriteSession
    /// A fetch that the store cannot answer whole, in two steps.
    func split(_ fetch: StoreFetch) throws -> SplitStoreFetch
    /// A result that is read bit by bit, of the moment at which it was opened; nil where the store has none.
    func cursor(_ fetch: StoreFetch) throws -> RowCursor?
    func entityIndex(number: Int64) -> Int?
    func entityNumber(_ layout: ObjectLayout) -> Int64
    /// Whether a to-many relationship has a table of its own.
    func hasJoinTable(_ layout: ObjectLayout, _ slot: Int) -> Bool
    /// Whether the members' rows name the owner in a column that belongs to no relationship of theirs.
    func hasOwnerColumn(_ layout: ObjectLayout, _ slot: Int) -> Bool
    /// The file behind a large binary value.
    func externalData(named name: String) -> Data?
}

extension RowStore {
    /// Opens a transaction that no context stands for.
    func beginSave() throws -> any WriteSession { try beginSave(SaveOrigin(), for: nil) }

    /// Reads what the store holds now, whatever snapshot a turn reads from.
    func reading<R>(
        for context: NSManagedObjectContext? = nil,
        holdsSnapshot: Bool = false,
        _ body: (any ReadSession) throws -> R
    ) throws -> R {
        let session = try lease(for: context, holdsSnapshot: holdsSnapshot)
        defer { giveBack(session) }
        return try body(session)
    }

    /// Runs `body` in one transaction: all of it is written, or nothing.
    func writing<R>(
        _ origin: SaveOrigin = SaveOrigin(),
        for context: NSManagedObjectContext? = nil,
        _ body: (any WriteSession) throws -> R
    ) throws -> R {
        let session = try beginSave(origin, for: context)
        do {
            let result = try body(session)
            try session.commit()
            return result
        } catch {
            session.rollback()
            throw error
        }
    }
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

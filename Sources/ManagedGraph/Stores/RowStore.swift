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
    /// Reads what the store holds now, whatever snapshot a turn reads from.
    func reading<R>(
        for context: NSManagedObjectContext? = nil,
        _ body: (any ReadSession) throws -> R
    ) throws -> R {
        let session = try lease(for: context, holdsSnapshot: false)
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
package struct StoreFetch {
    package var layout: ObjectLayout
    var includesSubentities = true
    package var predicate: PredicateNode?
    package var sort: [SortTerm] = []
    package var limit = 0
    package var offset = 0

    package init(
        layout: ObjectLayout,
        includesSubentities: Bool = true,
        predicate: PredicateNode? = nil,
        sort: [SortTerm] = [],
        limit: Int = 0,
        offset: Int = 0
    ) {
        self.layout = layout
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }
}

/// What a store answers of a fetch, without limit and offset, and what is left for the objects.
struct SplitStoreFetch {
    var fetch: StoreFetch
    var remainder: PredicateNode?
    var isSorted: Bool
}

/// What a fetch of dictionaries reads.
package struct DictionaryPlan {
    var columns: [PlanColumn]
    /// Where each column's value goes in a row's dictionary: a name, or a composite attribute's names.
    package var places: [[String]]
    /// The attributes that the columns are, where it takes more than the column's type to read them.
    package var slots: [Slot?]
    /// The types that expression descriptions ask for.
    var types: [AttributeType?] = []
    var isDistinct = false
    var groupBy: [PlanColumn] = []
    var having: PredicateNode?

    package init(
        columns: [PlanColumn],
        places: [[String]],
        slots: [Slot?],
        types: [AttributeType?] = [],
        isDistinct: Bool = false,
        groupBy: [PlanColumn] = [],
        having: PredicateNode? = nil
    ) {
        self.columns = columns
        self.places = places
        self.slots = slots
        self.types = types
        self.isDistinct = isDistinct
        self.groupBy = groupBy
        self.having = having
    }
}

/// The rows a save writes to one store.
package struct StoreChanges {
    package var inserts: [RowOperation] = []
    package var updates: [RowOperation] = []
    var deletes: [RowOperation] = []
    /// Rows whose version is to be what it was, though nothing is written.
    var checks: [RowOperation] = []
    package var joins: [JoinOperation] = []
    /// Members that lose their owners, before others get theirs.
    var releases: [OwnerOperation] = []
    package var owners: [OwnerOperation] = []
    package var orders: [OrderOperation] = []
    /// Whether updated rows give up their unique values before any of them takes one.
    var freesUniqueValues = false

    package init(inserts: [RowOperation] = []) { self.inserts = inserts }

    /// Rows to write.
    package var rowCount: Int {
        inserts.count + updates.count + deletes.count + joins.count + releases.count + owners.count + orderedCount
    }
    private var orderedCount: Int { orders.reduce(0) { $0 + $1.members.count } }
}

/// One row to insert, update or delete.
package struct RowOperation {
    /// For a row that is to be written whatever its version is.
    package static let anyVersion: Int64 = -1

    /// Valid for the life of the process, as layouts are never freed.
    package unowned(unsafe) var layout: ObjectLayout
    package var primaryKey: Int64
    /// The version the row must have now; 0 for an insert.
    var version: Int64
    /// By slot; destinations as keys.
    var values: ContiguousArray<Value>
    /// Which slots to write; all stored ones for an insert.
    var slots = SlotSet()

    package init(
        layout: ObjectLayout,
        primaryKey: Int64,
        version: Int64,
        values: ContiguousArray<Value>,
        slots: SlotSet = SlotSet()
    ) {
        self.layout = layout
        self.primaryKey = primaryKey
        self.version = version
        self.values = values
        self.slots = slots
    }
}

/// One pair to add to or to take out of a join table.
package struct JoinOperation {
    var layout: ObjectLayout
    var slot: Int
    package var source: Int64
    package var destination: Int64
    var isInsert: Bool

    package init(layout: ObjectLayout, slot: Int, source: Int64, destination: Int64, isInsert: Bool) {
        self.layout = layout
        self.slot = slot
        self.source = source
        self.destination = destination
        self.isInsert = isInsert
    }
}

/// A member gained or lost by a to-many relationship without an inverse: its row names the owner.
package struct OwnerOperation {
    var layout: ObjectLayout
    var slot: Int
    /// The owner's key; nil where the relationship let go of the member.
    var source: Int64?
    var member: Int64

    package init(layout: ObjectLayout, slot: Int, source: Int64? = nil, member: Int64) {
        self.layout = layout
        self.slot = slot
        self.source = source
        self.member = member
    }
}

/// The order of an ordered to-many relationship.
package struct OrderOperation {
    var layout: ObjectLayout
    var slot: Int
    var source: Int64
    /// All members, or those that stand behind all others.
    var members: [Int64]
    var isAppended = false

    package init(layout: ObjectLayout, slot: Int, source: Int64, members: [Int64], isAppended: Bool = false) {
        self.layout = layout
        self.slot = slot
        self.source = source
        self.members = members
        self.isAppended = isAppended
    }
}

/// What came of a save in one store.
package struct StoreOutcome {
    /// Updated, deleted or checked rows that have another version now, or are gone.
    var conflicts: [RowOperation] = []
}

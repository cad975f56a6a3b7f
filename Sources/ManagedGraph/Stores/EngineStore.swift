// A store whose rows stand in a database in memory, whatever its file looks like: fetches, relationships and conflicts are
// then those of a SQLite store. Adopted by NSAtomicStore. Also what a save hands to stores whose API takes objects.
import Foundation
import GraphSQLite

/// The objects of a save, for stores that programs write themselves.
struct SavedObjects {
    let context: NSManagedObjectContext
    var inserted: [NSManagedObject]
    var updated: [NSManagedObject]
    var deleted: [NSManagedObject]
    /// Objects whose version is to be what it was.
    var locked: [NSManagedObject]
}

/// A store that names its objects itself, and that a save shows its objects to.
protocol ObjectStore: RowStore {
    /// Gives new objects their keys.
    func newKeys(for objects: ContiguousArray<NSManagedObject>) throws -> [Int64]
    /// Takes the objects of a save, before any row is written.
    func take(_ objects: SavedObjects) throws
}

/// A store that reads and writes rows in a database of its own in memory.
protocol EngineStore: ObjectStore {
    var engine: SQLiteStore { get }
}

extension EngineStore {
    func rows(_ fetch: StoreFetch) throws -> RowBatch { try engine.rows(fetch) }
    func rows(_ fetch: StoreFetch, columns: [Int]) throws -> RowBatch { try engine.rows(fetch, columns: columns) }
    func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws {
        try engine.eachBatch(fetch, size: size, body)
    }
    func keys(_ fetch: StoreFetch) throws -> RowBatch { try engine.keys(fetch) }
    func count(_ fetch: StoreFetch) throws -> Int { try engine.count(fetch) }
    func split(_ fetch: StoreFetch) throws -> SplitStoreFetch { try engine.split(fetch) }
    func cursor(_ fetch: StoreFetch) throws -> RowCursor? { try engine.cursor(fetch) }
    func dictionaries(_ fetch: StoreFetch, properties: DictionaryPlan) throws -> [[String: Any]] {
        try engine.dictionaries(fetch, properties: properties)
    }
    func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch { try engine.rows(tree: tree, keys: keys) }
    func freshRows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch { try engine.freshRows(tree: tree, keys: keys) }
    func members(layout: ObjectLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey] {
        try engine.members(layout: layout, slot: slot, primaryKey: primaryKey)
    }
    func members(layout: ObjectLayout, slot: Int, owners: [Int64]) throws -> RowBatch {
        try engine.members(layout: layout, slot: slot, owners: owners)
    }
    func reserveKeys(tree: TreeLayout, count: Int) throws -> ClosedRange<Int64> {
        try engine.reserveKeys(tree: tree, count: count)
    }
    func write(_ changes: StoreChanges) throws -> StoreOutcome { try engine.write(changes) }
    func key(layout: ObjectLayout, slots: [Int], values: ContiguousArray<Value>) throws -> ObjectKey? {
        try engine.key(layout: layout, slots: slots, values: values)
    }
    func update(layout: ObjectLayout, keys: [Int64], values: ContiguousArray<Value>, slots: SlotSet) throws {
        throw CoreDataError.noBatches(self)
    }
    func delete(_ keys: [ObjectKey]) throws -> (deleted: [ObjectKey], changed: [ObjectKey]) {
        throw CoreDataError.noBatches(self)
    }
    func takeDerivedValues() -> [DerivedValue] { engine.takeDerivedValues() }
    func entityIndex(number: Int64) -> Int? { engine.entityIndex(number: number) }
    func entityNumber(_ layout: ObjectLayout) -> Int64 { engine.entityNumber(layout) }
    func hasJoinTable(_ layout: ObjectLayout, _ slot: Int) -> Bool { engine.hasJoinTable(layout, slot) }
    func hasOwnerColumn(_ layout: ObjectLayout, _ slot: Int) -> Bool { engine.hasOwnerColumn(layout, slot) }
    func beginTurn() { engine.beginTurn() }
    func endTurn() { engine.endTurn() }
    func externalData(named name: String) -> Data? { engine.externalData(named: name) }
}

extension CoreDataError {
    /// A batch request meets a store that has no tables: 134091.
    static func noBatches(_ store: NSPersistentStore) -> NSError {
        make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "Batch requests work on SQLite stores only, and \(store.url?.lastPathComponent ?? "the store") is of the type "
                + "\(store.type).",
            remedy: "Change the objects in a context and save it, or keep the entity in a SQLite store."
        )
    }
}

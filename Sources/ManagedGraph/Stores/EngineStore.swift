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
    func take(_ objects: SavedObjects, in session: any WriteSession) throws
}

/// A store that reads and writes rows in a database of its own in memory.
protocol EngineStore: ObjectStore {
    var engine: SQLiteStore { get }
}

extension EngineStore {
    func lease(for context: NSManagedObjectContext?, holdsSnapshot: Bool) throws -> any ReadSession {
        try engine.lease(for: context, holdsSnapshot: holdsSnapshot)
    }
    func giveBack(_ session: any ReadSession) { engine.giveBack(session) }
    func split(_ fetch: StoreFetch) throws -> SplitStoreFetch { try engine.split(fetch) }
    func cursor(_ fetch: StoreFetch) throws -> RowCursor? { try engine.cursor(fetch) }
    func entityIndex(number: Int64) -> Int? { engine.entityIndex(number: number) }
    func entityNumber(_ layout: ObjectLayout) -> Int64 { engine.entityNumber(layout) }
    func hasJoinTable(_ layout: ObjectLayout, _ slot: Int) -> Bool { engine.hasJoinTable(layout, slot) }
    func hasOwnerColumn(_ layout: ObjectLayout, _ slot: Int) -> Bool { engine.hasOwnerColumn(layout, slot) }
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

// A store as the coordinator holds it: the face that gives sessions (GraphEngine/Sessions) to contexts and saves. Adopted by the
// SQLite store, by atomic stores and by incremental ones.
import Foundation
import GraphEngine
import GraphModel

/// A store of rows, as the coordinator holds it.
package protocol RowStore: NSPersistentStore {
    /// Whether the store's location is no file, and nothing is left when it is closed.
    var isInMemory: Bool { get }
    /// Opens or creates the store.
    func open(_ model: CompiledModel) throws
    func close()
    /// The engine, if requests may use all that it can do beyond rows: history, generations, counts; nil for kinds of stores that
    /// have none of these.
    var capabilities: (any StoreEngine)? { get }
    /// A session for reading on behalf of a context, or of none; to be given back.
    func lease(for context: NSManagedObjectContext?, holdsSnapshot: Bool) throws -> any ReadSession
    func giveBack(_ session: any ReadSession)
    /// Opens a transaction, and waits for others that write; the history, where there is one, gets who saves.
    func beginSave(_ origin: SaveOrigin, for context: NSManagedObjectContext?) throws -> any WriteSession
    /// A fetch that the store cannot answer whole, in two steps.
    func split(_ fetch: StoreFetch) throws -> SplitStoreFetch
    func entityIndex(number: Int64) -> Int?
    func entityNumber(_ layout: EntityLayout) -> Int64
    /// Whether a to-many relationship has a table of its own.
    func hasJoinTable(_ layout: EntityLayout, _ slot: Int) -> Bool
    /// Whether the members' rows name the owner in a column that belongs to no relationship of theirs.
    func hasOwnerColumn(_ layout: EntityLayout, _ slot: Int) -> Bool
    /// The file behind a large binary value.
    func externalData(named name: String) -> Data?
}

extension RowStore {
    package var isInMemory: Bool { false }
    package var capabilities: (any StoreEngine)? { nil }

    /// The engine of a store that may be read as it was at one moment.
    var generations: (any GenerationEngine)? { capabilities as? any GenerationEngine }

    /// Reads what the store holds now, whatever snapshot a turn reads from.
    func reading<R>(
        for context: NSManagedObjectContext? = nil,
        _ body: (any ReadSession) throws -> R
    ) throws -> R {
        try mapErrors {
            let session = try lease(for: context, holdsSnapshot: false)
            defer { giveBack(session) }
            return try body(session)
        }
    }

    /// Runs `body` in one transaction: all of it is written, or nothing.
    func writing<R>(
        _ origin: SaveOrigin = SaveOrigin(),
        for context: NSManagedObjectContext? = nil,
        _ body: (any WriteSession) throws -> R
    ) throws -> R {
        try mapErrors { try beginSave(origin, for: context).transaction(body) }
    }

    /// Turns what an engine throws into Apple's errors.
    @inline(__always)
    func mapErrors<R>(_ body: () throws -> R) throws -> R { try CoreDataError.mapping(url, body) }
}

// The coordinator's interface to a store, which provides contexts and saves with sessions (GraphEngine/Sessions). The
// SQLite, atomic and incremental stores conform.
import Foundation
import GraphEngine
import GraphModel

/// A store of rows, as the coordinator uses it.
package protocol RowStore: NSPersistentStore, RowSource {
    /// Whether the store has no file and its content is lost when it is closed.
    var isInMemory: Bool { get }
    /// Whether the store is an `ObjectStore`: a cast that fails searches the conformances of all superclasses.
    var isObjectStore: Bool { get }
    /// Opens or creates the store.
    func open(_ model: CompiledModel) throws
    /// The engine, if requests may use its features beyond rows: history, generations, counts; nil for kinds of stores
    /// that have none of these.
    var capabilities: (any StoreEngine)? { get }
    /// Leases a session for reading, optionally on behalf of a context; the caller must return it with `giveBack(_:)`.
    func lease(for context: NSManagedObjectContext?, holdsSnapshot: Bool) throws -> any ReadSession
    /// Opens a transaction, waiting for other writers; the history, if there is one, records `origin`.
    func beginSave(_ origin: SaveOrigin, for context: NSManagedObjectContext?) throws -> any WriteSession
    /// Closes the store after another one has taken its place; if possible, readers that found it before can finish.
    func retire()
}

extension RowStore {
    package var isInMemory: Bool { false }
    package var isObjectStore: Bool { false }
    package var capabilities: (any StoreEngine)? { nil }
    package func retire() { close() }

    /// The engine, if it can read the store as of a past moment.
    var generations: (any GenerationEngine)? { capabilities as? any GenerationEngine }

    /// Reads the store's current content, independent of a turn's snapshot.
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

    /// Runs `body` in one transaction, which is written completely or not at all.
    ///
    /// Called inside the coordinator's write gate, which the caller enters before it looks for the store: no move can then
    /// replace the store.
    func writing<R>(
        _ origin: SaveOrigin = SaveOrigin(),
        for context: NSManagedObjectContext? = nil,
        _ body: (any WriteSession) throws -> R
    ) throws -> R {
        try mapErrors { try beginSave(origin, for: context).transaction(body) }
    }

    /// Maps errors thrown by the engine to Apple's errors.
    @inline(__always)
    func mapErrors<R>(_ body: () throws -> R) throws -> R { try CoreDataError.mapping(url, body) }
}

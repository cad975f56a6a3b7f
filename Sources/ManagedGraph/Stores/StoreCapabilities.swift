// What some kinds of stores can do beyond reading and writing rows, each a protocol of its own, so that nobody asks a store of
// which class it is. What sessions may be able to do is beside them (HistorySession.swift).
import Foundation
import GraphSQLite

/// A store that can be read as it was at one moment, while others write.
protocol GenerationStore: RowStore {
    /// Whether the store as it was opened can.
    var hasGenerations: Bool { get }
    /// What the store holds now, to be read for as long as one likes.
    func readGeneration() throws -> ReadGeneration
    /// Empties a log that has grown beyond the store itself; generations go on with copies.
    func emptyLargeLog()
}

/// A store that may keep a history of its transactions; its sessions are `HistoryReadSession` and `HistoryWriteSession`.
protocol HistoryStore: RowStore {}

/// A store whose content is a database file that other connections read too.
protocol DatabaseFileStore: RowStore {
    /// Stands for the file's content; nil where the store has no file, or where it is being written right now.
    var contentState: ContentState? { get }
    /// Goes on at another place; false, and where it was, if there is no such store.
    func reopen(at place: URL, _ model: CompiledModel) -> Bool
    /// Ends what readers hold of the file, before the file itself is emptied or replaced.
    func endSnapshots()
}

/// A store whose migration may leave work for later.
protocol DeferringStore: RowStore {
    var hasDeferredWork: Bool { get }
    /// Does one piece of the work; returns whether more is left.
    func finishDeferredTask() throws -> Bool
}

/// A store that counts what it does.
protocol CountingStore: RowStore {
    var statistics: NSPersistentStoreCoordinator.Statistics { get }
}

// What a store held at one moment, readable as long as this lives: a connection of its own inside of a read transaction.
// Made by the SQLite store for pinned contexts and for cursors.
import Foundation
import GraphEngine

/// One moment of a store's file.
final class ReadGeneration: EngineGeneration {
    /// Reads from that moment; its snapshot never ends.
    let reader: SQLiteReader
    /// Whether the rows are read from a copy, and the store's log is no longer held.
    private var isCopy = false
    private let engine: SQLiteEngine

    /// Holds the moment that is now, on a connection that nobody else uses.
    init(_ engine: SQLiteEngine, _ connection: Connection) throws {
        self.engine = engine
        reader = SQLiteReader(engine, connection)
        try engine.prepareFunctions(connection)
        try connection.begin(.deferred)
        // The snapshot is that of the first read.
        _ = try connection.rows("SELECT Z_UUID FROM Z_METADATA")
    }

    package var session: any ReadSession { reader }

    /// Whether the store was closed meanwhile.
    package var isClosed: Bool { reader.lock.withLock { reader.connection.isClosed } }

    /// Gives the file back; there is nothing to be read any more.
    func close() { reader.close() }

    /// Goes on with a copy of the rows in a file that has no name, so that the log can be emptied.
    ///
    /// O(size of the store), once.
    func moveToCopy() throws {
        try reader.lock.withLock {
            guard !isCopy, !reader.connection.isClosed else { return }
            let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).generation").path
            // What is open stays, though nobody finds it any more; nothing is left when the process ends.
            defer { unlink(path) }
            let copy = try Connection(path: path, mode: .create)
            _ = try copy.rows("PRAGMA journal_mode = OFF")
            _ = try copy.rows("PRAGMA synchronous = OFF")
            try StoreFile.copy(reader.connection, into: copy)
            try engine.prepareFunctions(copy)
            // A database that says that it has a log would look for it beside a file that is gone.
            try copy.setJournalMode("off")
            reader.exchange(copy)
            isCopy = true
        }
    }
}

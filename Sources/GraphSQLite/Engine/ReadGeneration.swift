// A snapshot of a store, readable while this object is alive: a separate connection inside a read transaction. Created
// by the SQLite store for pinned contexts and for cursors.
import Foundation
import GraphEngine

/// A snapshot of a store's file.
final class ReadGeneration: EngineGeneration {
    /// Reads from the snapshot, which is never renewed.
    let reader: SQLiteReader
    /// Whether rows are read from a copy, so that the store's log is no longer pinned.
    private var isCopy = false
    private let engine: SQLiteEngine

    /// Takes a snapshot of the current state on a connection used by no other code.
    init(_ engine: SQLiteEngine, _ connection: Connection) throws {
        self.engine = engine
        reader = SQLiteReader(engine, connection)
        try engine.prepareFunctions(connection)
        try connection.begin(.deferred)
        // The first read starts the snapshot.
        _ = try connection.rows("SELECT Z_UUID FROM Z_METADATA")
    }

    package var session: any ReadSession { reader }

    /// Whether the store has been closed.
    package var isClosed: Bool { reader.lock.withLock { reader.connection.isClosed } }

    /// Closes the connection; later reads throw.
    func close() { reader.close() }

    /// Switches to a copy of the rows in an unlinked file, so that the log can be emptied.
    ///
    /// O(size of the store), once.
    func moveToCopy() throws {
        try reader.lock.withLock {
            guard !isCopy, !reader.connection.isClosed else { return }
            let folder = try ScratchFolders.make("generation-")
            // The open file stays usable after it is unlinked; the system frees it when the process ends.
            defer { ScratchFolders.remove(folder) }
            let copy = try Connection(path: (folder as NSString).appendingPathComponent("copy"), mode: .create)
            _ = try copy.rows("PRAGMA journal_mode = OFF")
            _ = try copy.rows("PRAGMA synchronous = OFF")
            try StoreFile.copy(reader.connection, into: copy)
            try engine.prepareFunctions(copy)
            // A database in WAL mode would look for a log beside the unlinked file.
            try copy.setJournalMode("off")
            reader.exchange(copy)
            isCopy = true
        }
    }
}

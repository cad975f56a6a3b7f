// Emptying and refilling stores in place. A file cannot be removed safely while another connection has it open, so
// destroying a store is a transaction that leaves a database without tables. Called by the SQLite store.
import CSQLite
import Foundation
import GraphEngine
import GraphSQL

extension StoreFile {
    /// Empties a database in place, atomically.
    ///
    /// Connections of this and other processes stay valid: an open read continues with the old content, and a later one
    /// finds no tables. The log's files remain, empty.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - busyTimeout: Milliseconds to wait for another writer.
    ///   - finish: Called after the database is emptied, before the connection is closed.
    /// - Throws: `SQLiteError` with the kind `busy` if another connection is writing; errors thrown by `finish`.
    package static func empty(at path: String, busyTimeout: Int32, then finish: () throws -> Void) throws {
        let connection = try Connection(path: path, busyTimeout: busyTimeout)
        defer { connection.close() }
        let pointer = try connection.handle.requirePointer()
        // Read the schema first, so that the connection keeps the file in WAL mode.
        _ = try connection.rows("SELECT count(*) FROM sqlite_master")
        graph_sqlite3_reset_database(pointer, 1)
        defer { graph_sqlite3_reset_database(pointer, 0) }
        try connection.execute("VACUUM")
        // Programs remove the log's files themselves and expect each to exist.
        var isKept: Int32 = 1
        sqlite3_file_control(pointer, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        do {
            try connection.emptyLog(waiting: 50)
        } catch let error as SQLiteError where error.kind == .busy {
            // A reader still has the old content. A later connection empties the log.
        }
        try finish()
    }

    /// Creates a store in a database without tables, atomically.
    ///
    /// - Parameters:
    ///   - path: The database, as `empty(at:busyTimeout:then:)` leaves it, or a file of no bytes.
    ///   - schema: The tables.
    ///   - metadata: The metadata.
    ///   - modelCache: The model to store in the file.
    ///   - busyTimeout: Milliseconds to wait for another writer.
    /// - Throws: `SQLiteError`; `StoreFileError` if the file was filled meanwhile.
    package static func fill(
        at path: String,
        schema: StoreSchema,
        metadata: StoreMetadata,
        modelCache: Data? = nil,
        busyTimeout: Int32
    ) throws {
        let connection = try Connection(path: path, busyTimeout: busyTimeout)
        defer { connection.close() }
        // Before the log, with which a file of no bytes gets its first page.
        try connection.execute("PRAGMA auto_vacuum = 2; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        try connection.transaction(.exclusive) {
            guard try connection.rows("SELECT 1 FROM sqlite_master LIMIT 1").isEmpty else {
                throw StoreFileError(
                    kind: .exists,
                    path: path,
                    reason: "Another process has made a store there."
                )
            }
            try fill(connection, schema: schema, metadata: metadata, modelCache: modelCache)
        }
    }

    /// Replaces the content of a database with a copy of another, in one transaction.
    ///
    /// Connections to the destination stay valid. Returns false, without a change, if the page sizes differ, because a
    /// database in WAL mode cannot change its page size.
    static func copy(_ source: Connection, over path: String) throws -> Bool {
        let destination = try Connection(path: path, busyTimeout: source.busyTimeout)
        defer { destination.close() }
        guard try pageSize(source) == pageSize(destination) else { return false }
        try copy(source, into: destination)
        do {
            try destination.emptyLog(waiting: 50)
        } catch let error as SQLiteError where error.kind == .busy {
            // A reader still has the old content.
        }
        return true
    }

    private static func pageSize(_ connection: Connection) throws -> SQLValue? {
        try connection.rows("PRAGMA page_size").first?.first
    }
}

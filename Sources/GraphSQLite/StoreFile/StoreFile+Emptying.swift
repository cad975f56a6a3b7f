// Stores that are emptied in their place, and made anew there. A file cannot be removed safely while another connection has it
// open, so destroying a store is a transaction that leaves a database without tables. Called by the SQLite store.
import CSQLite
import Foundation
import GraphSQL

extension StoreFile {
    /// Empties a database in its place; a kill leaves the old content or none.
    ///
    /// Connections of this and other processes stay valid: an open read goes on with the old content, and a later one finds no
    /// tables. The files of the log stay, empty.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - busyTimeout: Milliseconds to wait for another writer.
    ///   - finish: Called when the database is empty, before the connection is closed.
    /// - Throws: `SQLiteError` with the kind `busy` where another connection is writing; what `finish` throws.
    package static func empty(at path: String, busyTimeout: Int32, then finish: () throws -> Void) throws {
        let connection = try Connection(path: path, busyTimeout: busyTimeout)
        defer { connection.close() }
        let pointer = try connection.handle.requirePointer()
        // Once it has read the schema, the connection leaves the file its log.
        _ = try connection.rows("SELECT count(*) FROM sqlite_master")
        graph_sqlite3_reset_database(pointer, 1)
        defer { graph_sqlite3_reset_database(pointer, 0) }
        try connection.execute("VACUUM")
        // Programs remove the files themselves, and expect each to be there.
        var isKept: Int32 = 1
        sqlite3_file_control(pointer, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        do {
            try connection.emptyLog(waiting: 50)
        } catch let error as SQLiteError where error.kind == .busy {
            // A reader still has the old content. The log is emptied by a later connection.
        }
        try finish()
    }

    /// Makes a store in a database without tables; a kill leaves the store or none.
    ///
    /// - Parameters:
    ///   - path: The database, as `empty(at:busyTimeout:then:)` leaves it.
    ///   - schema: The tables.
    ///   - metadata: The metadata.
    ///   - modelCache: The model that the store holds.
    ///   - busyTimeout: Milliseconds to wait for another writer.
    /// - Throws: `SQLiteError`; `StoreFileError` where the file was filled meanwhile.
    package static func fill(
        at path: String,
        schema: StoreSchema,
        metadata: StoreMetadata,
        modelCache: Data? = nil,
        busyTimeout: Int32
    ) throws {
        let connection = try open(at: path, busyTimeout: busyTimeout)
        defer { connection.close() }
        try connection.execute("PRAGMA auto_vacuum = 2")
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

    /// Puts a copy of a database in the place of another in one transaction; a kill leaves the one or the other.
    ///
    /// Connections to the destination stay valid. Returns false, without a change, where the pages differ in size: a file with
    /// a log keeps its own.
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

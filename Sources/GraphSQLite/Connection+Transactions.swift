// Transactions of a connection. One save is one of them; a context's turn reads inside a deferred one.
import CSQLite

/// When a transaction takes its locks.
package enum TransactionKind: String, Sendable {
    /// At the first read or write.
    case deferred = "BEGIN DEFERRED"
    /// The write lock at once, so that no save fails half-way for want of it.
    case immediate = "BEGIN IMMEDIATE"
    case exclusive = "BEGIN EXCLUSIVE"
}

extension Connection {
    package func begin(_ kind: TransactionKind = .immediate) throws {
        try run(kind.rawValue)
    }

    package func commit() throws {
        try run("COMMIT")
    }

    /// Sets how changes are logged; throws where the file cannot change over, as SQLite then goes on as before.
    ///
    /// Going from a log to a journal writes all of the log into the file.
    package func setJournalMode(_ mode: String) throws {
        let sql = "PRAGMA journal_mode = \(mode)"
        guard case .text(let found)? = try rows(sql).first?.first, found == mode else {
            throw SQLiteError(
                code: SQLITE_BUSY,
                message: "the file does not change over to the journal mode \(mode)",
                sql: sql
            )
        }
    }

    /// Whether the file's changes go into a log, so that a reader holds no writer up.
    package func hasLog() throws -> Bool { try rows("PRAGMA journal_mode").first?.first == .text("wal") }

    /// Bytes in the file of the log; 0 where there is none.
    package var logSize: Int { StoreFile.byteCount(path + "-wal") }

    /// Bytes in the file.
    package var fileSize: Int { StoreFile.byteCount(path) }

    /// Writes the log into the file and cuts it off, unless somebody still reads from it.
    ///
    /// - Parameter milliseconds: How long to wait for readers and other writers.
    /// - Throws: `SQLiteError` with the kind `busy` where they did not end.
    package func emptyLog(waiting milliseconds: Int32) throws {
        let pointer = try handle.requirePointer()
        sqlite3_busy_timeout(pointer, milliseconds)
        defer { sqlite3_busy_timeout(pointer, busyTimeout) }
        let code = sqlite3_wal_checkpoint_v2(pointer, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw handle.error(code, sql: nil) }
    }

    /// Undoes the open transaction; nothing where SQLite has already rolled back (disk full, I/O error).
    package func rollback() throws {
        if isInTransaction {
            try run("ROLLBACK")
        }
    }

    /// Runs `body` in a transaction: committed when it returns, rolled back when it or the commit throws.
    package func transaction<Result>(
        _ kind: TransactionKind = .immediate,
        _ body: () throws -> Result
    ) throws -> Result {
        try begin(kind)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            // The first error is the one to tell; a failed rollback leaves the file as it was all the same.
            try? rollback()
            throw error
        }
    }
}

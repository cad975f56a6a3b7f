// Transactions of a connection. Each save is one transaction; a context's turn reads inside a deferred one.
import CSQLite
import GraphArchives

/// When a transaction takes its locks.
package enum TransactionKind: String, Sendable {
    /// At the first read or write.
    case deferred = "BEGIN DEFERRED"
    /// At `BEGIN`, so that a save cannot fail half-way because it cannot get the write lock.
    case immediate = "BEGIN IMMEDIATE"
    case exclusive = "BEGIN EXCLUSIVE"
}

extension Connection {
    package func begin(_ kind: TransactionKind = .immediate) throws {
        try finishRollback()
        try run(kind.rawValue)
    }

    /// Has the next `begin` or `finishRollback` roll back a transaction that could not be ended.
    package func rollBackLater() { handle.isRollbackDue = isInTransaction }

    /// Rolls back a transaction whose rollback has failed, for example without memory for the statement.
    ///
    /// - Throws: `SQLiteError` if it fails again.
    package func finishRollback() throws {
        if handle.isRollbackDue { try rollback() }
    }

    package func commit() throws {
        try run("COMMIT")
    }

    /// Sets the journal mode; throws if the file cannot switch, because SQLite then silently keeps the old mode.
    ///
    /// Switching from the write-ahead log to a journal first writes the whole log into the file.
    package func setJournalMode(_ mode: String) throws {
        let sql = "PRAGMA journal_mode = \(mode)"
        guard case .text(let activeMode)? = try rows(sql).first?.first, activeMode == mode else {
            throw SQLiteError(
                code: SQLITE_BUSY,
                message: "the file does not change over to the journal mode \(mode)",
                sql: sql
            )
        }
    }

    /// Makes earlier commits durable if the store's settings do not.
    ///
    /// They do not with `synchronous = NORMAL` and a log, nor with a journal, whose removal ends a transaction. With
    /// `synchronous = OFF` nothing is promised.
    package func synchronizeCommits() throws {
        guard case .integer(let level)? = try rows("PRAGMA synchronous").first?.first, level > 0 else { return }
        if try !hasLog() {
            try FilePlacement.synchronizeFolder(of: path)
        } else if level == 1 {
            try FilePlacement.synchronize(path + "-wal")
        }
    }

    /// Whether the file uses a write-ahead log, so that readers do not block writers.
    package func hasLog() throws -> Bool { try rows("PRAGMA journal_mode").first?.first == .text("wal") }

    /// The size of the log file in bytes; 0 if there is none.
    package var logSize: Int { StoreFile.byteCount(path + "-wal") }

    /// The size of the file in bytes.
    package var fileSize: Int { StoreFile.byteCount(path) }

    /// Checkpoints the log into the file and truncates it, unless a reader still uses it.
    ///
    /// - Parameter milliseconds: How long to wait for readers and other writers.
    /// - Throws: `SQLiteError` with the kind `busy` if they do not finish in time.
    package func emptyLog(waiting milliseconds: Int32) throws {
        let pointer = try handle.requirePointer()
        sqlite3_busy_timeout(pointer, milliseconds)
        defer { sqlite3_busy_timeout(pointer, busyTimeout) }
        let code = sqlite3_wal_checkpoint_v2(pointer, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw handle.error(code, sql: nil) }
    }

    /// Rolls back the open transaction; does nothing if SQLite has already done so (disk full, I/O error).
    ///
    /// If it fails, the next `begin` or `finishRollback` repeats it.
    package func rollback() throws {
        handle.isRollbackDue = isInTransaction
        guard handle.isRollbackDue else { return }
        try run("ROLLBACK")
        handle.isRollbackDue = false
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
            // Rethrow the first error; the file is unchanged even if the rollback fails.
            try? rollback()
            throw error
        }
    }
}

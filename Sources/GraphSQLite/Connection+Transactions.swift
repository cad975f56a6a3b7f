// Transactions of a connection. One save is one of them; a context's turn reads inside a deferred one.

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

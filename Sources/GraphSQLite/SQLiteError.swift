// A failure reported by SQLite. Thrown by Connection and Statement, mapped to Apple's codes by the store.
// It must not depend on entities or stores.
import CSQLite
import GraphEngine

/// An SQLite error, with the statement that caused it.
package struct SQLiteError: Error, Hashable, Sendable {
    /// The primary result code, `SQLITE_BUSY` and the like.
    package var code: Int32
    package var extendedCode: Int32
    package var message: String
    package var sql: String?

    package init(code: Int32, extendedCode: Int32? = nil, message: String, sql: String? = nil) {
        self.code = code & 0xFF
        self.extendedCode = extendedCode ?? code
        self.message = message
        self.sql = sql
    }

    /// The error for a key that occurs only in damaged files.
    static func impossibleKey(_ key: Int64) -> SQLiteError {
        SQLiteError(code: SQLITE_CORRUPT, message: "a row has the key \(key), which no row can have")
    }

    /// The kinds of error that callers distinguish.
    package enum Kind: Sendable {
        case busy, full, inputOutput, corrupt, notADatabase, readOnly, cannotOpen, uniqueConstraint, otherConstraint
        case interrupted, outOfMemory, misuse, other
    }

    package var kind: Kind {
        switch code {
        // SQLite gives up after many attempts to lock the log's index, be it in use or the lock refused by the system.
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
        case SQLITE_FULL: .full
        case SQLITE_IOERR: .inputOutput
        case SQLITE_CORRUPT: .corrupt
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_CANTOPEN, SQLITE_AUTH: .cannotOpen
        case SQLITE_CONSTRAINT: isUniqueViolation ? .uniqueConstraint : .otherConstraint
        case SQLITE_INTERRUPT, SQLITE_ABORT: .interrupted
        case SQLITE_NOMEM: .outOfMemory
        case SQLITE_MISUSE: .misuse
        default: .other
        }
    }

    /// Whether the file ended in the middle of a page.
    var isShortRead: Bool { extendedCode == SQLITE_IOERR | (2 << 8) }

    /// `SQLITE_CONSTRAINT_UNIQUE` or `SQLITE_CONSTRAINT_PRIMARYKEY`; Swift does not import these C macros.
    private var isUniqueViolation: Bool {
        extendedCode == SQLITE_CONSTRAINT | (8 << 8) || extendedCode == SQLITE_CONSTRAINT | (6 << 8)
    }

    /// Advice for the user, or nil if there is none beyond SQLite's message.
    package var remedy: String? {
        switch kind {
        case .busy: "Another process or connection is writing; try again, or raise the store's timeout."
        case .full: "The disk or the quota is full; free some space and save again. Nothing was changed."
        case .inputOutput: "Reading or writing the file failed; check the disk and that the file is still there."
        case .corrupt: "The file is damaged; restore it from a copy, or recover it with \"sqlite3 file .recover\"."
        case .notADatabase: "The file is not an SQLite database; check the path of the store."
        case .readOnly: "The file cannot be written; check its permissions, or add the store as read-only."
        case .cannotOpen:
            "Check that the folder exists, that this user may read and write it, and that the process may open more files "
                + "(ulimit -n)."
        case .uniqueConstraint: "An object with these values exists; change the values or set a merge policy."
        case .interrupted:
            "The operation was interrupted; run it again. If the file has triggers of its own, remove one that does not end."
        case .outOfMemory: ResultMemory.remedy
        case .otherConstraint, .misuse, .other: nil
        }
    }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        var description = "SQLite error \(extendedCode): \(message)."
        if let remedy {
            description += " \(remedy)"
        }
        if let sql {
            description += " Statement: \(sql)"
        }
        return description
    }
}

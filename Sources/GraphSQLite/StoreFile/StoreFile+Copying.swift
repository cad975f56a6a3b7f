// Copies of whole stores: consistent while others write, complete or not there at all. Called by the coordinator.
import CSQLite
import Foundation
import GraphArchives
import GraphSQL

extension StoreFile {
    /// Copies a database page by page into another connection, as one reader sees it.
    ///
    /// - Parameters:
    ///   - source: An open connection.
    ///   - destination: An open connection, whose content is replaced.
    /// - Throws: `SQLiteError`.
    package static func copy(_ source: Connection, into destination: Connection) throws {
        let from = try source.handle.requirePointer()
        let into = try destination.handle.requirePointer()
        guard let backup = sqlite3_backup_init(into, "main", from, "main") else {
            throw destination.handle.error(sqlite3_errcode(into), sql: nil)
        }
        let code = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw destination.handle.error(code == SQLITE_DONE ? end : code, sql: nil)
        }
    }

    /// Copies a database to a file, which is there as a whole or not at all.
    ///
    /// - Parameters:
    ///   - source: An open connection.
    ///   - path: Where the copy is to be.
    ///   - replaces: Whether a store that is there gives way; a kill leaves the one or the other. A database without tables
    ///     always does.
    /// - Throws: `SQLiteError`; `StoreFileError` where a file is there and is not to be replaced.
    package static func copy(_ source: Connection, to path: String, replaces: Bool) throws {
        let isThere = access(path, F_OK) == 0
        let givesWay = isThere && (replaces || isVacant(path))
        if givesWay, try copy(source, over: path) { return }
        let draft = path + "-" + UUID().uuidString + ".new"
        defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) } }
        let connection = try Connection(path: draft, mode: .create)
        do {
            defer { connection.close() }
            try copy(source, into: connection)
            // The copy has to stand without a log of its own.
            try connection.setJournalMode("delete")
        }
        try synchronize(draft, of: path)
        guard givesWay else { return try putInPlace(draft, at: path) }
        // The old log must not be taken for the new file's: it is emptied while nobody else has the store open.
        try retireLog(path)
        try move(draft, to: path)
    }

    /// Puts a finished store in the place of another, whose connection keeps everybody else out.
    ///
    /// - Parameters:
    ///   - draft: The new store, without a log, on the same volume.
    ///   - path: The store whose place it takes.
    ///   - connection: A connection to the old store, alone with it.
    /// - Throws: `SQLiteError`, `StoreFileError`; the old store is then where it was.
    package static func install(_ draft: String, inPlaceOf path: String, lockedBy connection: Connection) throws {
        try synchronize(draft, of: path)
        // Its log must not be taken for the new file's.
        try connection.setJournalMode("delete")
        guard access(path + "-wal", F_OK) != 0 else {
            throw StoreFileError(kind: .metadata, path: path, reason: "The store's log is in use by another process.")
        }
        unlink(path + "-shm")
        try move(draft, to: path)
    }

    /// Puts a finished store at a place where none is.
    ///
    /// - Parameters:
    ///   - draft: The store, without a log, on the same volume.
    ///   - path: Its place.
    /// - Throws: `StoreFileError` where a file is there; the draft is then where it was.
    package static func install(_ draft: String, at path: String) throws {
        try synchronize(draft, of: path)
        try putInPlace(draft, at: path)
    }

    private static func isVacant(_ path: String) -> Bool {
        if case .vacant = inspect(path) { true } else { false }
    }

    /// Writes the log into the file and does away with it; fails where somebody else has the store open.
    private static func retireLog(_ path: String) throws {
        let old = try Connection(path: path, busyTimeout: 500)
        defer { old.close() }
        try old.execute("PRAGMA locking_mode = EXCLUSIVE")
        try old.setJournalMode("delete")
        try old.execute("BEGIN EXCLUSIVE; COMMIT")
    }

    /// Puts a finished file at a path where none may be.
    ///
    /// - Throws: `StoreFileError`; the draft is then where it was.
    static func putInPlace(_ draft: String, at path: String) throws {
        do {
            try FilePlacement.install(draft, at: path)
        } catch let error where error.code == .fileWriteFileExists {
            throw StoreFileError(kind: .exists, path: path, reason: "A file is there already; it was not changed.")
        } catch {
            throw failure(error, path)
        }
    }

    /// Gives a finished file its place, in one step.
    private static func move(_ draft: String, to path: String) throws {
        do {
            try FilePlacement.move(draft, to: path)
        } catch {
            throw failure(error, path)
        }
    }

    /// Waits until a finished file is on the disk.
    private static func synchronize(_ draft: String, of path: String) throws {
        do {
            try FilePlacement.synchronize(draft)
        } catch {
            throw failure(error, path)
        }
    }

    private static func failure(_ error: CocoaError, _ path: String) -> StoreFileError {
        StoreFileError(kind: .metadata, path: path, reason: "The store cannot be put there: \(error.systemReason).")
    }
}

// Copies of whole stores: consistent during concurrent writes, and either complete or absent. Called by the
// coordinator.
import CSQLite
import Foundation
import GraphArchives
import GraphEngine
import GraphSQL

extension StoreFile {
    /// Copies a database page by page into another connection, from one read snapshot.
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

    /// Copies a database to a shared in-memory database without content, atomically.
    ///
    /// - Parameters:
    ///   - source: An open connection.
    ///   - name: The name of the shared database.
    /// - Throws: `SQLiteError`, also if the shared database has content.
    static func copy(_ source: Connection, toSharedMemory name: String) throws {
        // A copy by pages would be marked as having a log, and a shared database in memory with the mark cannot be opened.
        let connection = try Connection(path: ":memory:", mode: .privateMemory)
        defer { connection.close() }
        for collation in SQLCollations.all { try connection.registerCollation(collation.name, collation.compare) }
        try copy(source, into: connection)
        try connection.run("VACUUM INTO ?", [.text(Connection.uri(ofSharedMemory: name))])
    }

    /// Copies a database to a file, atomically.
    ///
    /// - Parameters:
    ///   - source: An open connection.
    ///   - path: The path of the copy.
    ///   - replaces: Whether an existing store is replaced; if the process is killed, either store remains. A database
    ///     without tables is always replaced.
    ///   - permissions: Those of the copy; an existing store keeps its own.
    /// - Throws: `SQLiteError`; `StoreFileError` if a file exists and is not to be replaced.
    package static func copy(
        _ source: Connection,
        to path: String,
        replaces: Bool,
        permissions: FilePermissions = .usual
    ) throws {
        let isThere = access(path, F_OK) == 0
        let givesWay = isThere && (replaces || inspect(path).isVacant)
        if givesWay, try copy(source, over: path) { return }
        let draft = FilePlacement.draftPath(of: path, isHidden: false)
        defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) } }
        try creating(draft, permissions)
        let connection = try Connection(path: draft, mode: .create)
        do {
            defer { connection.close() }
            try copy(source, into: connection)
            // The copy must be complete without a log.
            try connection.setJournalMode("delete")
        }
        try synchronize(draft, of: path)
        guard givesWay else { return try putInPlace(draft, at: path) }
        // The new file must not inherit the old log: empty it while no other connection has the store open.
        try retireLog(path)
        try move(draft, to: path)
    }

    /// Replaces a store with a finished one while `connection` locks out all others.
    ///
    /// - Parameters:
    ///   - draft: The new store, without a log, on the same volume.
    ///   - path: The store to replace.
    ///   - connection: A connection to the old store with exclusive access.
    /// - Throws: `SQLiteError`, `StoreFileError`; the old store is then unchanged.
    package static func install(_ draft: String, inPlaceOf path: String, lockedBy connection: Connection) throws {
        try synchronize(draft, of: path)
        // The new file must not inherit the old log.
        try connection.setJournalMode("delete")
        // The mode changes only if no other connection has the log open. SQLite ignores it if the file, which has no more
        // content, could not be removed.
        guard unlink(path + "-wal") == 0 || errno == ENOENT else {
            let reason = "The store's log cannot be removed: \(String(cString: strerror(errno)))."
            throw StoreFileError(kind: .metadata, path: path, reason: reason)
        }
        unlink(path + "-shm")
        try move(draft, to: path)
    }

    /// Moves a finished store to a path that has no file.
    ///
    /// - Parameters:
    ///   - draft: The store, without a log, on the same volume.
    ///   - path: The store's path.
    /// - Throws: `StoreFileError` if a file exists there; the draft then stays in place.
    package static func install(_ draft: String, at path: String) throws {
        try synchronize(draft, of: path)
        try putInPlace(draft, at: path)
    }

    /// Checkpoints and removes the log; fails if another connection has the store open.
    private static func retireLog(_ path: String) throws {
        let old = try Connection(path: path, busyTimeout: 500)
        defer { old.close() }
        try old.execute("PRAGMA locking_mode = EXCLUSIVE")
        try old.setJournalMode("delete")
        try old.execute("BEGIN EXCLUSIVE; COMMIT")
    }

    /// Moves a finished file to a path that must not exist, and removes the logs of a former file there.
    ///
    /// - Throws: `StoreFileError`; the draft then stays in place.
    static func putInPlace(_ draft: String, at path: String) throws {
        // Creators exclude each other, so that none takes the log of another's new store for a former one.
        try FilePlacement.locking((path as NSString).deletingLastPathComponent) { () throws -> Void in
            if access(path, F_OK) != 0, errno == ENOENT { try removeLogs(of: path) }
            do throws(CocoaError) {
                try FilePlacement.install(draft, at: path)
            } catch {
                guard error.code == .fileWriteFileExists else { throw failure(error, path) }
                throw StoreFileError(kind: .exists, path: path, reason: "A file is there already; it was not changed.")
            }
        }
    }

    /// Removes the logs of a database whose file was removed without them.
    ///
    /// SQLite ignores them when it creates a file, but would write their pages into one that has content.
    private static func removeLogs(of path: String) throws {
        for suffix in ["-wal", "-journal", "-shm"] where unlink(path + suffix) != 0 && errno != ENOENT {
            let reason = "A former store's log cannot be removed: \(String(cString: strerror(errno)))."
            throw StoreFileError(kind: .metadata, path: path + suffix, reason: reason)
        }
    }

    /// Makes the empty file of a database.
    ///
    /// - Throws: `EngineError` if the process may not write to the folder, `StoreFileError` for other failures.
    static func creating(_ draft: String, _ permissions: FilePermissions) throws {
        do {
            try permissions.create(draft)
        } catch {
            switch error.code {
            case .fileWriteNoPermission, .fileWriteVolumeReadOnly:
                let folder = URL(filePath: draft).deletingLastPathComponent().path
                throw EngineError(
                    .readOnly,
                    "no file can be created in \(folder): \(error.systemReason)",
                    remedy: "Check the permissions of \(folder), or choose another place."
                )
            default: throw failure(error, draft)
            }
        }
    }

    /// Moves a finished file to the path of another one, whose permissions it gets, atomically.
    private static func move(_ draft: String, to path: String) throws {
        do {
            var old = stat()
            if stat(path, &old) == 0 { chmod(draft, old.st_mode & 0o7777) }
            try FilePlacement.move(draft, to: path)
        } catch {
            throw failure(error, path)
        }
    }

    /// Calls fsync on a finished file.
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

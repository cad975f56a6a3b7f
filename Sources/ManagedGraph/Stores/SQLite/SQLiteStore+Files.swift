// File operations on SQLite stores that are not open: read metadata, replace, destroy. Called by the coordinator's
// methods that take a store's URL.
import Foundation
import GraphEngine
import GraphSQL
import GraphSQLite

extension SQLiteStore {
    static func readMetadata(at url: URL) throws -> [String: Any] {
        let state = StoreFile.inspect(url.path)
        if let error = state.error(path: url.path) { throw CoreDataError.storeFile(error, url: url) }
        guard case .store(let metadata) = state else {
            throw CoreDataError.noFile(url)
        }
        var values = metadata.values
        values[NSStoreUUIDKey] = metadata.uuid
        return values
    }

    static func writeMetadata(_ metadata: [String: Any]?, at url: URL) throws {
        _ = try readMetadata(at: url)
        try CoreDataError.mapping(url) {
            // In the file's own journal mode.
            let connection = try Connection(path: url.path)
            defer { connection.close() }
            try connection.execute("PRAGMA synchronous = FULL")
            try connection.transaction(.immediate) {
                // In the transaction: another process may be migrating the store, and its new version must stay.
                var storeMetadata = try StoreFile.readMetadata(connection)
                storeMetadata.values = StoreMetadata.replacingUserValues(of: storeMetadata.values, with: metadata)
                try StoreFile.writeMetadata(storeMetadata, connection)
            }
        }
    }

    /// Copies a store to a location, replacing the store there, if any.
    ///
    /// - Parameters:
    ///   - source: The store to copy.
    ///   - url: The location of the copy.
    ///   - release: Called before `url` is written, when only the file system can still fail the copy.
    /// - Throws: 134080 if `source` is not a store or `url` has a file that is not one, and any error of `release`.
    static func copyFile(from source: URL, to url: URL, then release: () throws -> Void = {}) throws {
        _ = try readMetadata(at: source)
        let state = StoreFile.inspect(url.path)
        switch state {
        case .missing, .empty, .vacant, .store: break
        case .foreign, .damaged:
            if let error = state.error(path: url.path) { throw CoreDataError.storeFile(error, url: url) }
        }
        guard !source.isSamePlace(as: url) else { return try release() }
        try CoreDataError.mapping(url) {
            let connection = try Connection(path: source.path, mode: .readOnly)
            defer { connection.close() }
            try url.makeFolderOfStore()
            try copyLargeValues(from: source, to: url, connection)
            try release()
            try StoreFile.copy(connection, to: url.path, replaces: true)
        }
    }

    /// Copies the files of a store's large values, and begins to read the rows that have them.
    ///
    /// - Parameters:
    ///   - source: The store to copy.
    ///   - url: The location of the copy.
    ///   - connection: Reads the store; it is in a transaction afterwards, in which the rows can be copied.
    /// - Throws: Errors of reading or writing.
    static func copyLargeValues(from source: URL, to url: URL, _ connection: Connection) throws {
        try ExternalFiles.copyFolder(from: source, to: url)
        // The rows are those of this moment: those of a later save may have large values that are not copied.
        try connection.begin(.deferred)
        _ = try connection.rows("SELECT Z_UUID FROM Z_METADATA")
        // The files of saves that happened meanwhile.
        try ExternalFiles.copyFolder(from: source, to: url)
    }

    /// Empties a store in place; with `isForced`, removes a file that is not a store.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - isForced: Whether to remove the file if it cannot be emptied.
    ///   - busyTimeout: Milliseconds to wait for another writer.
    ///   - release: Called when the store is empty.
    /// - Throws: 134080 for a file that is not a store, 134090 if another connection is writing it, and any error of
    ///   `release`.
    static func removeFiles(
        at url: URL,
        isForced: Bool,
        busyTimeout: Int32 = 5_000,
        then release: () throws -> Void = {}
    ) throws {
        let state = StoreFile.inspect(url.path)
        switch state {
        case .missing:
            try release()
            // Leave a file, as emptying a store does: programs remove it themselves and expect it to exist.
            _ = FileManager.default.createFile(atPath: url.path, contents: nil)
            return
        case .empty: return try release()
        case .vacant, .store: break
        case .foreign, .damaged:
            if let error = state.error(path: url.path), !isForced { throw CoreDataError.storeFile(error, url: url) }
            try release()
            return try unlink(url)
        }
        do {
            try CoreDataError.mapping(url) {
                try StoreFile.empty(at: url.path, busyTimeout: busyTimeout, then: release)
            }
        } catch  where isForced {
            try release()
            return try unlink(url)
        }
        ExternalFiles.removeFolder(of: url)
    }

    private static func unlink(_ url: URL) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            do {
                try FileManager.default.removeItem(atPath: url.path + suffix)
            } catch CocoaError.fileNoSuchFile {
                continue
            }
        }
        ExternalFiles.removeFolder(of: url)
    }

    /// Empties an in-memory store that several coordinators share.
    static func emptyShared(_ name: String) throws {
        let connection = try Connection(path: name, mode: .sharedMemory)
        defer { connection.close() }
        try connection.transaction(.exclusive) {
            // Dropping a table also drops the tables of its search indexes.
            let names = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
            for case .text(let name)? in names.map(\.first) where !name.hasPrefix("sqlite_") {
                try connection.execute("DROP TABLE IF EXISTS \(name.quotedName)")
            }
        }
    }
}

extension URL {
    /// Whether two URLs refer to the same file.
    func isSamePlace(as other: URL) -> Bool {
        self == other
            || standardizedFileURL.resolvingSymlinksInPath().path
                == other.standardizedFileURL.resolvingSymlinksInPath().path
    }
}

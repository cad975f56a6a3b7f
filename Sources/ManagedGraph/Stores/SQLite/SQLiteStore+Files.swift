// SQLite stores as files that are not open: metadata, replacing, destroying. Called by the coordinator's methods that name
// a store by its location.
import Foundation
import GraphSQLite

extension SQLiteStore {
    static func readMetadata(at url: URL) throws -> [String: Any] {
        let state = StoreFile.inspect(url.path)
        if let error = state.error(path: url.path) { throw CoreDataError.storeFile(error, url: url) }
        guard case .store(let metadata) = state else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "there is no such file",
                remedy: "Check the path.",
                code: NSFileReadNoSuchFileCode
            )
        }
        var values = metadata.values
        values[NSStoreUUIDKey] = metadata.uuid
        return values
    }

    static func writeMetadata(_ metadata: [String: Any]?, at url: URL) throws {
        _ = try readMetadata(at: url)
        try CoreDataError.mapping(url) {
            let connection = try StoreFile.open(at: url.path)
            defer { connection.close() }
            var found = try StoreFile.readMetadata(connection)
            found.values = StoreMetadata.replacingUserValues(of: found.values, with: metadata)
            try connection.transaction(.immediate) { try StoreFile.writeMetadata(found, connection) }
        }
    }

    /// Puts a copy of a store in the place of another, or where there is none.
    ///
    /// - Parameters:
    ///   - source: The store to copy.
    ///   - url: The place of the copy.
    ///   - release: Called when nothing but the file system can make the copy fail, before the place is written.
    /// - Throws: 134080 where the source is no store or the place has a file that is none, and what `release` throws.
    static func copyFile(from source: URL, to url: URL, then release: () throws -> Void = {}) throws {
        _ = try readMetadata(at: source)
        let state = StoreFile.inspect(url.path)
        switch state {
        case .missing, .vacant, .store: break
        case .empty, .foreign, .damaged:
            if let error = state.error(path: url.path) { throw CoreDataError.storeFile(error, url: url) }
        }
        guard !source.isSamePlace(as: url) else { return try release() }
        try CoreDataError.mapping(url) {
            let connection = try Connection(path: source.path, mode: .readOnly)
            defer { connection.close() }
            try url.makeFolderOfStore()
            try ExternalFiles.copyFolder(from: source, to: url)
            try release()
            try StoreFile.copy(connection, to: url.path, replaces: true)
        }
    }

    /// Empties a store in its place; with `isForced`, a file that is no store is removed.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - isForced: Whether the file is removed where it cannot be emptied.
    ///   - busyTimeout: Milliseconds to wait for another writer.
    ///   - release: Called when the store is empty.
    /// - Throws: 134080 for a file that is no store, 134090 where another connection is writing it, and what `release` throws.
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
            // As after any other call: programs remove the file themselves, and expect it to be there.
            _ = FileManager.default.createFile(atPath: url.path, contents: nil)
            return
        case .vacant, .store: break
        case .empty, .foreign, .damaged:
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
            let path = url.path + suffix
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
        ExternalFiles.removeFolder(of: url)
    }

    /// Empties a store in memory that several coordinators share.
    static func emptyShared(_ name: String) throws {
        let connection = try Connection(path: name, mode: .sharedMemory)
        defer { connection.close() }
        try connection.transaction(.exclusive) {
            // Tables of search indexes go with the table that they are of.
            let names = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
            for case .text(let name)? in names.map(\.first) where !name.hasPrefix("sqlite_") {
                try connection.execute("DROP TABLE IF EXISTS \"\(name.replacing("\"", with: "\"\""))\"")
            }
        }
    }
}

extension URL {
    /// Whether two locations are of one file.
    func isSamePlace(as other: URL) -> Bool {
        self == other
            || standardizedFileURL.resolvingSymlinksInPath().path
                == other.standardizedFileURL.resolvingSymlinksInPath().path
    }
}

// SQLite stores as files that are not open: metadata, replacing, destroying. Called by the coordinator's methods that name
// a store by its location.
import Foundation
import GraphSQLite

extension SQLiteStore {
    static func writeMetadata(_ metadata: [String: Any]?, at url: URL) throws {
        _ = try readMetadata(at: url)
        try mapErrors(url) {
            let connection = try StoreFile.open(at: url.path)
            defer { connection.close() }
            var found = try StoreFile.readMetadata(connection)
            found.values = StoreMetadata.replacingUserValues(of: found.values, with: metadata)
            try connection.transaction(.immediate) { try StoreFile.writeMetadata(found, connection) }
        }
    }

    static func copyFile(from source: URL, to url: URL) throws {
        _ = try readMetadata(at: source)
        let state = StoreFile.inspect(url.path)
        if let error = state.error(path: url.path) { throw CoreDataError.storeFile(error, url: url) }
        try mapErrors(url) {
            let connection = try Connection(path: source.path, mode: .readOnly)
            defer { connection.close() }
            try ExternalFiles.copyFolder(from: source, to: url)
            try StoreFile.copy(connection, to: url.path, replaces: true)
        }
    }

    static func removeFiles(at url: URL, isForced: Bool) throws {
        let state = StoreFile.inspect(url.path)
        if case .missing = state { return }
        if let error = state.error(path: url.path), !isForced { throw CoreDataError.storeFile(error, url: url) }
        do {
            try mapErrors(url) { try StoreFile.destroy(at: url.path) }
        } catch  where isForced {
            for suffix in ["", "-wal", "-shm", "-journal"] {
                let path = url.path + suffix
                if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
            }
        }
        ExternalFiles.removeFolder(of: url)
    }
}

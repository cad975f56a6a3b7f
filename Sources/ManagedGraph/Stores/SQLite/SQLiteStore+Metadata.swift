// The metadata of a SQLite store: those of the file, those a user has set, and what a transaction has written of them.
import Foundation
import GraphModel
import GraphSQLite

extension SQLiteStore {
    func adopt(_ metadata: StoreMetadata) {
        savedMetadata = metadata
        identifier = metadata.uuid
        var values = metadata.values
        values[NSStoreTypeKey] = storeType
        values[NSStoreUUIDKey] = metadata.uuid
        self.metadata = values
        hasMetadataChanges = false
    }

    /// Notes what the file's metadata say of a deferred migration.
    func noteSavedDeferredState(_ values: [String: Any]) {
        DeferredMigration.copy(from: values, to: &savedMetadata.values)
    }

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
}

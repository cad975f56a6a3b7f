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

    /// Writes the metadata where a user has changed them, in the transaction of a save.
    func writeMetadataIfChanged() throws {
        guard hasMetadataChanges, let connection else { return }
        var values = metadata ?? [:]
        values[NSStoreUUIDKey] = nil
        guard !(values as NSDictionary).isEqual(to: savedMetadata.values) else { return }
        for (key, value) in savedMetadata.values where StoreMetadata.isReserved(key) {
            if values[key] == nil { values[key] = value }
        }
        // Another process may have finished a deferred migration meanwhile.
        DeferredMigration.copy(from: try StoreFile.readMetadata(connection).values, to: &values)
        var written = savedMetadata
        written.values = values
        try StoreFile.writeMetadata(written, connection)
        writtenMetadata = written
    }

    /// The transaction has ended: what it wrote is in the file, or must be written again.
    func noteMetadataWritten(_ isCommitted: Bool) {
        if isCommitted {
            if let writtenMetadata { savedMetadata = writtenMetadata }
            hasMetadataChanges = false
        }
        writtenMetadata = nil
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

// The callbacks of a SQLite store's engine: metadata, migration and change notifications.
import Foundation
import GraphEngine
import GraphSQLite

extension SQLiteStore: SQLiteHost {
    package func admit(_ metadata: StoreMetadata) throws -> Admission {
        guard let fresh = sqlite?.configuration.contract else { return .untouched }
        return try observed(.migration) {
            try NSMigrationManager.migrateIfAsked(self, metadata, fresh) ? .migrated : .untouched
        }
    }

    /// Compares the version hashes in the file with the model's.
    package func check(_ metadata: StoreMetadata) throws {
        guard let fresh = sqlite?.configuration.contract.metadata,
            StoreOptions.flag(options, NSIgnorePersistentStoreVersioningOption) != true,
            let reason = VersionDifference.sentence(found: metadata.versionHashes, wanted: fresh.versionHashes)
        else { return }
        var values = metadata.values
        values[NSStoreUUIDKey] = metadata.uuid
        throw CoreDataError.incompatibleVersionHash(metadata: values, reason: reason, url: url)
    }

    package func makeFolder() throws { try url?.makeFolderOfStore() }

    package func adopt(_ metadata: StoreMetadata) {
        identifier = metadata.uuid
        var values = metadata.values
        values[NSStoreTypeKey] = storeType
        values[NSStoreUUIDKey] = metadata.uuid
        self.metadata = values
        hasMetadataChanges = false
    }

    package func keepChangedMetadata() { metadataLock.withLock { hasMetadataChanges = true } }

    package func storeDidChange(_ transaction: Int64?) {
        let storeUUID = identifier ?? ""
        var userInfo: [String: Any] = [NSStoreUUIDKey: storeUUID, NSPersistentStoreURLKey: url as Any]
        if let transaction {
            userInfo[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken([storeUUID: transaction])
        }
        NotificationCenter.default.post(
            name: .NSPersistentStoreRemoteChange,
            object: persistentStoreCoordinator,
            userInfo: userInfo
        )
    }
}

extension SQLiteStore: DatabaseFileStore {
    var contentState: ContentState? { isInMemory ? nil : url.flatMap { ContentState(path: $0.path) } }

    func endSnapshots() { sqlite?.endSnapshots() }
}

extension SQLiteStore: DeferringStore {
    /// Whether a deferred migration is unfinished according to this store's metadata.
    var hasDeferredWork: Bool { !isReadOnly && !isInMemory && DeferredMigration.isPending(metadata ?? [:]) }

    /// Performs one deferred task in its own transaction; returns whether more remain.
    func finishDeferredTask() throws -> Bool {
        guard hasDeferredWork, let sqlite else { return false }
        takeDeferredState(try observed(.migration) { try mapErrors { try sqlite.finishDeferredTask() } })
        return hasDeferredWork
    }

    /// Copies the remaining deferred work from the file's metadata; the user's changes to the metadata are kept.
    private func takeDeferredState(_ found: StoreMetadata) {
        metadataLock.withLock {
            let hadChanges = hasMetadataChanges
            var values = metadata ?? [:]
            DeferredMigration.copy(from: found.values, to: &values)
            metadata = values
            hasMetadataChanges = hadChanges
        }
    }
}

// The callbacks of a SQLite store's engine: metadata, migration and change notifications.
import Foundation
import GraphEngine
import GraphSQL
import GraphSQLite

extension SQLiteStore: SQLiteHost {
    package func contract(of metadata: StoreMetadata) -> StoreContract? {
        guard configurationName != NSManagedObjectModel.defaultConfigurationName,
            let model = persistentStoreCoordinator?.compiledModel
        else { return nil }
        let contract = StoreContract(model, configurationName, keeping: metadata.versionHashes)
        return contract.model.entities.count == sqlite?.configuration.contract.model.entities.count ? nil : contract
    }

    package func admit(_ metadata: StoreMetadata) throws -> Admission {
        guard let fresh = sqlite?.configuration.contract else { return .untouched }
        return try observed(.migration) {
            try NSMigrationManager.migrateIfAsked(self, metadata, fresh) ? .migrated : .untouched
        }
    }

    package func check(_ metadata: StoreMetadata) throws {
        guard let fresh = sqlite?.configuration.contract.metadata else { return }
        try checkVersion(of: metadata, against: fresh)
    }

    package func makeFolder() throws { try url?.makeFolderOfStore() }

    package func adopt(_ metadata: StoreMetadata) { take(metadata, type: storeType) }

    package func keepChangedMetadata() { markMetadataAsChanged() }

    package func storeDidChange(_ transaction: Int64?) { postRemoteChange(transaction) }
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
    private func takeDeferredState(_ storeMetadata: StoreMetadata) {
        metadataLock.withLock {
            let hadChanges = hasMetadataChanges
            var values = metadata ?? [:]
            DeferredMigration.copy(from: storeMetadata.values, to: &values)
            metadata = values
            hasMetadataChanges = hadChanges
        }
    }
}

// Automatic migration of SQLite stores, in the file. Called when a store is opened.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite

extension NSMigrationManager {
    /// Migrates a file of another version if the options allow it; returns whether it did.
    static func migrateIfAsked(
        _ store: SQLiteStore,
        _ metadata: StoreMetadata,
        _ contract: StoreContract
    ) throws -> Bool {
        let options = store.options
        let staged = options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager
        guard let url = store.url, let model = store.persistentStoreCoordinator?.compiledModel.model, !store.isReadOnly,
            metadata.versionHashes != contract.metadata.versionHashes,
            StoreOptions.flag(options, NSMigratePersistentStoresAutomaticallyOption) ?? (staged != nil),
            StoreOptions.flag(options, NSIgnorePersistentStoreVersioningOption) != true
        else { return false }
        // A child of the current progress of the thread, if it has one.
        let progress = Progress(totalUnitCount: 1_000)
        var migrator = StoreMigrator(
            url: url,
            destination: model,
            part: contract.model,
            fresh: contract.metadata,
            infersMapping: StoreOptions.flag(options, NSInferMappingModelAutomaticallyOption) == true,
            busyTimeout: StoreOptions.busyTimeout(options)
        )
        migrator.defers = StoreOptions.flag(options, NSPersistentStoreDeferredLightweightMigrationOptionKey) == true
        migrator.progress = { done in
            progress.completedUnitCount = Int64(done * 1_000)
            if progress.isCancelled { throw CoreDataError.migrationCancelled(url) }
        }
        if let staged {
            let stages = StagedMigration(
                manager: staged,
                final: migrator,
                configuration: store.configurationName,
                options: options
            )
            try stages.run(metadata)
        } else {
            try migrator.migrate(metadata)
        }
        return true
    }
}

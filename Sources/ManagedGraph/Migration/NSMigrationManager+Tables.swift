// Automatic migration of stores in tables, in the file or in the database. Called when a store is opened.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite

extension NSMigrationManager {
    /// Migrates a store of another version if its options allow it.
    ///
    /// - Parameters:
    ///   - store: The store that is being opened.
    ///   - metadata: The metadata that it has.
    ///   - contract: The content that it is to have.
    ///   - database: Does the work on a store in a database; nil for a file.
    /// - Returns: Whether the store was migrated.
    /// - Throws: As `StoreMigrator.migrate` and `StagedMigration.run`.
    package static func migrateIfAsked(
        _ store: NSPersistentStore,
        _ metadata: StoreMetadata,
        _ contract: StoreContract,
        database: (any DatabaseMigrator)? = nil
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
        migrator.database = database
        migrator.defers = StoreOptions.flag(options, NSPersistentStoreDeferredLightweightMigrationOptionKey) == true
        migrator.progress = { fraction in
            progress.completedUnitCount = Int64(fraction * 1_000)
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

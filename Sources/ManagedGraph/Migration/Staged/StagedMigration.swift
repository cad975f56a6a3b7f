// Runs a staged migration: stage by stage, each one completely or not at all, from the store's version. Called by
// NSMigrationManager+Tables before a store opens its file or schema. StoreMigrator applies the stages to the file.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite

/// A staged migration of one store.
struct StagedMigration {
    let manager: NSStagedMigrationManager
    /// The migration to the coordinator's model.
    let final: StoreMigrator
    let configuration: String?
    let options: [AnyHashable: Any]?

    private var url: URL { final.url }

    /// Migrates the store to the coordinator's model.
    ///
    /// - Parameter metadata: The store's metadata, which do not fit the model.
    /// - Throws: 134504 if the store's or the coordinator's version is in no stage or a model is not found, 134505 if
    ///   hashes cannot be compared, 134506 if the store's version comes later, 134110 if a stage fails; the store
    ///   is then of the version that the last finished stage ends with.
    func run(_ metadata: StoreMetadata) throws {
        if let kind = metadata.values[StoreMetadata.Key.versionHashesVersion], (kind as? NSNumber)?.intValue != 3 {
            throw CoreDataError.frameworkMismatch(url, kind)
        }
        let chain = try StageChain(manager.stages, url)
        let models = StageModels(chain, final, configuration)
        guard let end = chain.index(of: final.destination.versionChecksum) else {
            throw CoreDataError.unknownVersion(final.destination.versionChecksum, isStore: false, url)
        }
        var currentMetadata = metadata
        guard let start = try models.position(of: currentMetadata) else {
            throw CoreDataError.unknownVersion(Model.checksum(of: currentMetadata.versionHashes), isStore: true, url)
        }
        guard start <= end else {
            throw CoreDataError.backwardMigration(url, "the coordinator's model is an earlier version than the store's")
        }
        var index = start
        while index < end {
            let next = try step(chain, models, index, end, currentMetadata) { fraction in
                try final.progress((Double(index - start) + fraction) / Double(end - start))
            }
            // Another process may have gone further meanwhile.
            let now = try final.metadata()
            guard let place = try models.position(of: now, from: next), place >= next else {
                throw CoreDataError.unknownVersion(Model.checksum(of: now.versionHashes), isStore: true, url)
            }
            (currentMetadata, index) = (now, place)
        }
    }

    /// One stage, or one version of a lightweight one; returns the place of the version that it leads to.
    private func step(
        _ chain: StageChain,
        _ models: StageModels,
        _ index: Int,
        _ end: Int,
        _ metadata: StoreMetadata,
        _ progress: @escaping (Double) throws -> Void
    ) throws -> Int {
        if let stage = chain.customs[index] {
            let (current, next) = (try stage.currentModel.resolve(), try stage.nextModel.resolve())
            let migrator = try migrator(next, metadata, isFinal: index + 1 == end, progress)
            do {
                try runCustom(stage, current, next, migrator, metadata)
            } catch {
                throw CoreDataError.failedStage(url, stage, error)
            }
            try progress(1)
            return index + 1
        }
        let last = chain.endOfLightweightRun(after: index, until: end)
        for place in (index + 1)...last {
            guard let model = try models.model(at: place) else {
                if place == last {
                    throw CoreDataError.unknownVersion(chain.versions[place].checksum, isStore: false, url)
                }
                continue
            }
            let migrator = try migrator(model, metadata, isFinal: place == end, progress)
            do {
                try migrator.migrate(metadata)
            } catch {
                guard let stage = chain.stages[index] else { throw error }
                throw CoreDataError.failedStage(url, stage, error)
            }
            return place
        }
        return last
    }

    /// The migration of the store's file to one of the versions.
    private func migrator(
        _ model: NSManagedObjectModel,
        _ metadata: StoreMetadata,
        isFinal: Bool,
        _ progress: @escaping (Double) throws -> Void
    ) throws -> StoreMigrator {
        var migrator = final
        migrator.infersMapping = true
        if !isFinal {
            let part = model.part(configuration, keeping: metadata.versionHashes)
            migrator = StoreMigrator(
                url: url,
                destination: model,
                part: part,
                fresh: StoreMetadata(of: part),
                infersMapping: true,
                busyTimeout: final.busyTimeout
            )
            migrator.database = final.database
        }
        migrator.extraModels = manager.currentModels
        migrator.progress = progress
        return migrator
    }

    // MARK: Custom stages

    private func runCustom(
        _ stage: NSCustomMigrationStage,
        _ current: NSManagedObjectModel,
        _ next: NSManagedObjectModel,
        _ migrator: StoreMigrator,
        _ metadata: StoreMetadata
    ) throws {
        guard stage.willMigrateHandler != nil || stage.didMigrateHandler != nil else {
            return try migrator.migrate(metadata)
        }
        try migrator.withCopy(of: metadata.versionHashes) { copy in
            if let handler = stage.willMigrateHandler { try handle(handler, stage, current, copy) }
            var inCopy = migrator
            inCopy.url = copy
            try inCopy.migrate(try inCopy.metadata())
            // A copy that was not migrated must never take the store's place.
            guard try inCopy.metadata().versionHashes == migrator.fresh.versionHashes else {
                throw MigrationFailure(.sourceStore, reason: "the copy was changed elsewhere in the meantime")
            }
            if let handler = stage.didMigrateHandler { try handle(handler, stage, next, copy) }
        }
    }

    /// Calls a handler while a container has the store open.
    private func handle(
        _ handler: (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void,
        _ stage: NSCustomMigrationStage,
        _ model: NSManagedObjectModel,
        _ url: URL
    ) throws {
        let name = final.url.deletingPathExtension().lastPathComponent
        let container = NSPersistentContainer(name: name, managedObjectModel: model)
        container.persistentStoreDescriptions = []
        let coordinator = container.persistentStoreCoordinator
        var options = options ?? [:]
        for key in [
            NSPersistentStoreStagedMigrationManagerOptionKey, NSPersistentStoreDeferredLightweightMigrationOptionKey,
            NSMigratePersistentStoresAutomaticallyOption, NSPersistentStoreRemoteChangeNotificationPostOptionKey,
        ] { options[key] = nil }
        let store = try coordinator.addPersistentStore(
            ofType: final.storeType,
            configurationName: configuration,
            at: url,
            options: options
        )
        manager.container = container
        defer { manager.container = nil }
        do {
            try handler(manager, stage)
        } catch {
            // An open connection would keep the file.
            if coordinator.persistentStores.contains(store) { try? coordinator.remove(store) }
            throw error
        }
        if coordinator.persistentStores.contains(store) { try coordinator.remove(store) }
    }
}

extension NSStagedMigrationManager {
    /// The models that custom stages begin with; those that are not found are left out.
    var currentModels: [Model] {
        stages.compactMap { ($0 as? NSCustomMigrationStage)?.currentModel }.compactMap { try? $0.resolve().schema }
    }
}

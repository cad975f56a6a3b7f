// Lightweight migration of stores that are one file in a format of ours: the file is read with the model it was made with,
// its objects are moved into tables, those are migrated as SQLite stores are, and moved into a new file. The old file is what
// it was until one renaming puts the new one in its place.
import Foundation
import GraphArchives
import GraphModel
import GraphSQLite

extension NSAtomicStore {
    /// Migrates the file where it is of another version of the model and the options ask for it; returns whether it did.
    ///
    /// Throws 134130 without a source model, 134140 where no mapping may be inferred, 134190 where none can be.
    func migrateIfAsked(_ fresh: [String: Any], _ model: CompiledModel) throws -> Bool {
        guard self is WholeFileStore, let url, !isReadOnly,
            StoreOptions.flag(options, NSMigratePersistentStoresAutomaticallyOption) == true,
            StoreOptions.flag(options, NSIgnorePersistentStoreVersioningOption) != true,
            let found = metadata?[NSStoreModelVersionHashesKey] as? [String: Data], !found.isEmpty,
            found != fresh[NSStoreModelVersionHashesKey] as? [String: Data]
        else { return false }
        let models = SourceModels(origin: model.model.origin)
        var searched = 0
        guard var source = models.model(of: metadata ?? [:], searched: &searched) else {
            throw CoreDataError.missingSourceModel(url, metadata: metadata ?? [:], searched: searched)
        }
        // The old version's classes need not be those of this program.
        for index in source.entities.indices { source.entities[index].className = nil }
        source.fetchRequestTemplates = []
        let folder = url.deletingLastPathComponent().appending(path: ".migration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tables = folder.appending(path: "Tables.sqlite")
        let result = folder.appending(path: url.lastPathComponent)
        try move(
            try NSManagedObjectModel(source),
            type,
            url,
            [NSReadOnlyPersistentStoreOption: true],
            NSSQLiteStoreType,
            tables
        )
        var migrating: [AnyHashable: Any] = [NSMigratePersistentStoresAutomaticallyOption: true]
        for key in [NSInferMappingModelAutomaticallyOption, NSPersistentStoreStagedMigrationManagerOptionKey] {
            migrating[key] = options?[key]
        }
        try move(model.model, NSSQLiteStoreType, tables, migrating, type, result)
        try FileReplacement.write(try Data(contentsOf: result), to: url.path)
        return true
    }

    /// Opens a store and moves it into one of another kind.
    private func move(
        _ model: NSManagedObjectModel,
        _ type: String,
        _ url: URL,
        _ options: [AnyHashable: Any],
        _ newType: String,
        _ newURL: URL
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let isDefault = configurationName == NSPersistentStoreCoordinator.defaultConfiguration
        let store = try coordinator.addPersistentStore(
            ofType: type,
            configurationName: isDefault ? nil : configurationName,
            at: url,
            options: options
        )
        let moved = try coordinator.migratePersistentStore(store, to: newURL, options: [:], withType: newType)
        try coordinator.remove(moved)
    }
}

// Lightweight migration of XML and binary stores: the file is read with the model it was made with, its objects are
// moved into a SQLite store, which is migrated, and then into a new file. The old file remains unchanged until one
// rename replaces it with the new one.
import Foundation
import GraphArchives
import GraphModel
import GraphSQLite

extension NSMigrationManager {
    /// Migrates the file if it is of another version of the model and the options require it; returns whether it did.
    ///
    /// Throws 134130 without a source model, 134140 if no mapping may be inferred, 134190 if none can be.
    static func migrateIfAsked(_ store: NSAtomicStore, _ fresh: [String: Any], _ model: CompiledModel) throws -> Bool {
        let options = store.options
        let staged = options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager
        guard store is WholeFileStore, let url = store.url, !store.isReadOnly,
            StoreOptions.flag(options, NSMigratePersistentStoresAutomaticallyOption) ?? (staged != nil),
            StoreOptions.flag(options, NSIgnorePersistentStoreVersioningOption) != true,
            let storeHashes = store.metadata?[NSStoreModelVersionHashesKey] as? [String: Data], !storeHashes.isEmpty,
            storeHashes != fresh[NSStoreModelVersionHashesKey] as? [String: Data]
        else { return false }
        let stamp = try url.fileStamp()
        let models = SourceModels(origin: model.model.origin, first: staged?.currentModels ?? [])
        var searched = 0
        guard var source = models.model(of: store.metadata ?? [:], searched: &searched) else {
            throw CoreDataError.missingSourceModel(url, metadata: store.metadata ?? [:], searched: searched)
        }
        // The old version's classes need not be those of this program.
        for index in source.entities.indices { source.entities[index].className = nil }
        source.fetchRequestTemplates = []
        let folder = try FilePlacement.makeFolder(for: .migration, of: url.path)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tables = folder.appending(path: "Tables.sqlite")
        let result = folder.appending(path: url.lastPathComponent)
        try move(
            store,
            try NSManagedObjectModel(source),
            store.type,
            url,
            [NSReadOnlyPersistentStoreOption: true],
            NSSQLiteStoreType,
            tables
        )
        var migrating: [AnyHashable: Any] = [NSMigratePersistentStoresAutomaticallyOption: true]
        for key in [NSInferMappingModelAutomaticallyOption, NSPersistentStoreStagedMigrationManagerOptionKey] {
            migrating[key] = options?[key]
        }
        try move(store, model.model, NSSQLiteStoreType, tables, migrating, store.type, result)
        try replace(url, since: stamp, by: result)
        return true
    }

    /// Replaces a file by a migrated one.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - stamp: Its stamp when it was read; nil if there was no file.
    ///   - result: The file with the new content.
    /// - Throws: `ReplacedFile` if another program has changed the file meanwhile.
    static func replace(_ url: URL, since stamp: FileStamp?, by result: URL) throws {
        let content = try Data(contentsOf: result)
        guard try FileReplacement.write(content, to: url.path, .usual, if: { $0 == stamp }) != nil else {
            throw ReplacedFile(url: url)
        }
    }

    /// Replaces a file by a migrated one, as `replace(_:since:by:)` does.
    ///
    /// - Throws: 134110 if another program has changed the file meanwhile.
    package static func replaceUnchanged(_ url: URL, since stamp: FileStamp?, by result: URL) throws {
        do { try replace(url, since: stamp, by: result) } catch let file as ReplacedFile { throw file.published }
    }

    /// The file was replaced while it was migrated; it is as the other program has written it.
    struct ReplacedFile: Error {
        let url: URL

        /// The error for the user of the framework: 134110.
        var published: NSError {
            CoreDataError.make(
                NSMigrationError,
                "The store \(url.lastPathComponent) was not migrated: another program has changed it meanwhile.",
                remedy: "End the program that changes it, and migrate again.",
                userInfo: [NSFilePathErrorKey: url.path]
            )
        }
    }

    /// Opens a store and moves it into one of another kind.
    private static func move(
        _ original: NSAtomicStore,
        _ model: NSManagedObjectModel,
        _ type: String,
        _ url: URL,
        _ options: [AnyHashable: Any],
        _ newType: String,
        _ newURL: URL
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let isDefault = original.configurationName == NSPersistentStoreCoordinator.defaultConfiguration
        let store = try coordinator.addPersistentStore(
            ofType: type,
            configurationName: isDefault ? nil : original.configurationName,
            at: url,
            options: options
        )
        let moved = try coordinator.migratePersistentStore(store, to: newURL, options: [:], withType: newType)
        try coordinator.remove(moved)
    }
}

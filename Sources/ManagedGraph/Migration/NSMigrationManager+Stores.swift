// The stores of a migration by a mapping model. The new one is made in a hidden folder beside its location, and moved
// there in one step when it is complete. Called by migrateStore.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite

extension NSMigrationManager {
    /// Migrates a store into a new one.
    ///
    /// - Parameters:
    ///   - sourceURL: The store as it is.
    ///   - sourceType: The kind of the source.
    ///   - sourceOptions: Options for the source, by Apple's keys.
    ///   - mapping: The mapping model.
    ///   - destinationURL: The location of the new store.
    ///   - destinationType: The kind of the destination.
    ///   - destinationOptions: Options for the destination, by Apple's keys.
    /// - Throws: As the form with texts for types.
    public func migrateStore(
        from sourceURL: URL,
        type sourceType: NSPersistentStore.StoreType,
        options sourceOptions: [AnyHashable: Any]? = nil,
        mapping: NSMappingModel,
        to destinationURL: URL,
        type destinationType: NSPersistentStore.StoreType,
        options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrateStore(
            from: sourceURL,
            sourceType: sourceType.rawValue,
            options: sourceOptions,
            with: mapping,
            toDestinationURL: destinationURL,
            destinationType: destinationType.rawValue,
            destinationOptions: destinationOptions
        )
    }

    // MARK: Stores

    /// Runs a migration into a draft of the destination, verifies it and moves it to its location.
    ///
    /// Adds to a store that is already there: several mapping models, one after the other, may migrate a large store.
    final func withDraft(_ url: URL, _ type: String, _ body: (URL) throws -> Void) throws {
        guard [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType].contains(type), url.isFileURL, !url.isDevNull
        else {
            return try body(url)
        }
        let folder = try FilePlacement.makeFolder(for: .migration, of: url.path)
        defer { try? FileManager.default.removeItem(at: folder) }
        let draft = folder.appending(path: url.lastPathComponent)
        let stamp = try url.fileStamp()
        let isThere = stamp != nil
        do {
            if isThere, type == NSSQLiteStoreType {
                try SQLiteStore.copyFile(from: url, to: draft)
            } else if isThere {
                // The copy of a link would lead to the store itself.
                try FileManager.default.copyItem(at: url.resolvingSymlinksInPath(), to: draft)
            }
        } catch let error as NSError {
            throw Self.unusable(NSMigrationManagerDestinationStoreError, url, error)
        }
        try body(draft)
        if type == NSSQLiteStoreType {
            try CoreDataError.mapping(url) { try install(draft, at: url, isThere) }
        } else {
            try Self.replaceUnchanged(url, since: stamp, by: draft)
        }
    }

    private func install(_ draft: URL, at url: URL, _ isThere: Bool) throws {
        let connection = try StoreFile.open(at: draft.path)
        do {
            defer { connection.close() }
            // The file must be complete without a log.
            try connection.setJournalMode("delete")
        }
        try ExternalFiles.moveFolder(of: draft, to: url)
        guard isThere else { return try StoreFile.install(draft.path, at: url.path) }
        let lock = try Connection(path: url.path, mode: .readWrite, busyTimeout: 5_000)
        defer { lock.close() }
        try lock.execute("PRAGMA locking_mode = EXCLUSIVE")
        try lock.begin(.exclusive)
        try lock.rollback()
        try StoreFile.install(draft.path, inPlaceOf: url.path, lockedBy: lock)
    }

    /// An inferred mapping: a copy of the file, changed in one transaction.
    final func migrateInSQL(_ mapping: ModelMapping, _ source: URL, _ destination: URL) throws {
        do {
            let original = try Connection(path: source.path, mode: .readOnly)
            defer { original.close() }
            try SQLiteStore.copyLargeValues(from: source, to: destination, original)
            try StoreFile.copy(original, to: destination.path, replaces: false)
            let connection = try StoreFile.open(at: destination.path)
            defer { connection.close() }
            let fresh = StoreMetadata(of: givenDestinationModel.schema)
            try connection.transaction(.exclusive) {
                try StoreMigrator.run(
                    mapping,
                    from: givenSourceModel.schema,
                    to: givenDestinationModel.schema,
                    fresh: fresh,
                    try StoreFile.readMetadata(connection),
                    url: destination,
                    connection
                ) { fraction in
                    migrationProgress = Float(fraction)
                    try checkCancellation()
                }
            }
        } catch {
            if let cancellation { throw cancellation }
            throw CoreDataError.migrationFailed(source, error)
        }
    }

    final func openStores(
        _ sourceURL: URL,
        _ sourceType: String,
        _ sourceOptions: [AnyHashable: Any]?,
        _ destinationURL: URL,
        _ destinationType: String,
        _ destinationOptions: [AnyHashable: Any]?
    ) throws {
        let configuration = sourceConfiguration(sourceURL, sourceType, sourceOptions)
        func open(_ model: NSManagedObjectModel, _ type: String, _ url: URL, _ options: [AnyHashable: Any], _ code: Int)
            throws -> NSPersistentStoreCoordinator
        {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let isThere = configuration.map { model.configurations.contains($0) } == true
            do {
                try coordinator.addPersistentStore(
                    ofType: type,
                    configurationName: isThere ? configuration : nil,
                    at: url,
                    options: options
                )
            } catch let error as NSError {
                throw Self.unusable(code, url, error)
            }
            return coordinator
        }
        var options = sourceOptions ?? [:]
        options[NSReadOnlyPersistentStoreOption] = true
        options[NSMigratePersistentStoresAutomaticallyOption] = false
        sourceContext.persistentStoreCoordinator =
            try open(sourceModel, sourceType, sourceURL, options, NSMigrationManagerSourceStoreError)
        destinationContext.persistentStoreCoordinator = try open(
            destinationModel,
            destinationType,
            destinationURL,
            destinationOptions ?? [:],
            NSMigrationManagerDestinationStoreError
        )
        let source = sourceContext.persistentStoreCoordinator?.persistentStores.first
        let destination = destinationContext.persistentStoreCoordinator?.persistentStores.first
        // Users' metadata are copied too.
        var metadata = destination?.metadata ?? [:]
        for (key, value) in source?.metadata ?? [:] where !StoreMetadata.isReserved(key) { metadata[key] = value }
        destination?.metadata = metadata
        for context in [sourceContext, destinationContext] { context.registry.firesFaultsForPrimitiveValues = true }
        destinationContext.undoManager = nil
        sourceContext.undoManager = nil
        // Objects are not whole before the last pass; they are validated then.
        destinationContext.skipsValidation = true
        savesInPortions = destination is any DatabaseFileStore && destinationType == NSSQLiteStoreType
        expected = try counts()
        noted = [:]
    }

    /// The configuration of the source's model whose entities the source holds; nil if it holds all of the model.
    final func sourceConfiguration(_ url: URL, _ type: String, _ options: [AnyHashable: Any]?) -> String? {
        let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: type,
            at: url,
            options: options
        )
        guard let hashes = metadata?[StoreMetadataKey.versionHashes] as? [String: Data],
            hashes != givenSourceModel.entityVersionHashesByName
        else { return nil }
        return givenSourceModel.configurations.first { givenSourceModel.part($0).versionHashes() == hashes }
    }

    private static func unusable(_ code: Int, _ url: URL, _ error: NSError) -> NSError {
        CoreDataError.make(
            code,
            "A store of the migration cannot be opened: \(error.localizedDescription)",
            reason: error.userInfo["reason"] as? String,
            underlying: error,
            userInfo: [NSFilePathErrorKey: url.path]
        )
    }

    final func closeStores() {
        heldObjects = []
        destinations = nil
        pending = [:]
        for context in [sourceContext, destinationContext] {
            context.performAndWait { context.reset() }
            guard let coordinator = context.persistentStoreCoordinator else { continue }
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
        }
    }

    // MARK: Verifying

    /// The destination's objects by entity.
    final func counts() throws -> [String: Int] {
        try destinationContext.performAndWait { () throws -> [String: Int] in
            var result: [String: Int] = [:]
            for entity in destinationContext.persistentStoreCoordinator?.managedObjectModel.entities ?? []
            where !entity.isAbstract {
                guard let name = entity.name else { continue }
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                request.includesSubentities = false
                result[name] = try destinationContext.count(for: request)
            }
            return result
        }
    }

    /// Compares the content of the new store with the objects written.
    final func verify() throws {
        for (name, count) in try counts() where count != expected[name, default: 0] {
            throw MigrationFailure(
                .content,
                entity: name,
                reason: "\(expected[name, default: 0]) objects were made and \(count) are in the new store"
            )
        }
        let store = destinationContext.persistentStoreCoordinator?.persistentStores.first?.database
        guard savesInPortions, let connection = store?.writer?.connection, let schema = store?.schema else { return }
        try ReferenceVerification(schema: schema).run(connection, atLeast: noted)
    }
}

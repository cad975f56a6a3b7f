// The steps of a migration by a mapping model: three passes over the entity mappings, one save. Called by migrateStore.
import Foundation
import GraphModel
import GraphSQLite

extension NSMigrationManager {
    /// Migrates a store into a new one.
    ///
    /// - Parameters:
    ///   - sourceURL: The store as it is.
    ///   - sourceType: The kind of the source.
    ///   - sourceOptions: Options for the source, by Apple's keys.
    ///   - mapping: The mapping model.
    ///   - destinationURL: Where the new store is to be.
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

    /// An inferred mapping: a copy of the file, changed in one transaction.
    final func migrateInSQL(_ mapping: ModelMapping, _ source: URL, _ destination: URL) throws {
        do {
            let original = try Connection(path: source.path, mode: .readOnly)
            defer { original.close() }
            try ExternalFiles.copyFolder(from: source, to: destination)
            try StoreFile.copy(original, to: destination.path, replaces: false)
            let connection = try StoreFile.open(at: destination.path)
            defer { connection.close() }
            let fresh = StoreMetadata(of: destinationModel.schema)
            try connection.transaction(.exclusive) {
                try StoreMigrator.run(
                    mapping,
                    from: sourceModel.schema,
                    to: destinationModel.schema,
                    fresh: fresh,
                    try StoreFile.readMetadata(connection),
                    url: destination,
                    connection
                ) { done in
                    migrationProgress = Float(done)
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
        func open(_ model: NSManagedObjectModel, _ type: String, _ url: URL, _ options: [AnyHashable: Any], _ code: Int)
            throws -> NSPersistentStoreCoordinator
        {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model.withoutClasses())
            do {
                try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
            } catch let error as NSError {
                throw CoreDataError.make(
                    code,
                    "A store of the migration cannot be opened: \(error.localizedDescription)",
                    reason: error.userInfo["reason"] as? String,
                    underlying: error,
                    userInfo: [NSFilePathErrorKey: url.path]
                )
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
        // What users have put into the metadata goes along.
        var metadata = destination?.metadata ?? [:]
        for (key, value) in source?.metadata ?? [:] where !StoreMetadata.isReserved(key) { metadata[key] = value }
        destination?.metadata = metadata
        destinationContext.undoManager = nil
        sourceContext.undoManager = nil
    }

    final func closeStores() {
        for coordinator in [sourceContext, destinationContext].compactMap(\.persistentStoreCoordinator) {
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
        }
    }

    // MARK: Passes

    final func runPasses() throws {
        let mappings: [NSEntityMapping] = mappingModel.entityMappings
        let policies = try mappings.map(policy)
        let steps = Float(max(1, mappings.count * 3))
        func each(_ pass: Int, _ body: (NSEntityMapping, NSEntityMigrationPolicy) throws -> Void) throws {
            for (number, (mapping, policy)) in zip(mappings, policies).enumerated() {
                currentEntityMapping = mapping
                try checkCancellation()
                try body(mapping, policy)
                migrationProgress = Float(pass * mappings.count + number + 1) / steps * 0.95
            }
        }
        try each(0, createInstances)
        try each(1, createRelationships)
        try each(2) { mapping, policy in
            try policy.performCustomValidation(forMapping: mapping, manager: self)
            try policy.end(mapping, manager: self)
        }
        try checkCancellation()
        if destinationContext.hasChanges || !(destinationContext.insertedObjects.isEmpty) {
            try destinationContext.save()
        }
    }

    private func createInstances(_ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws {
        try policy.begin(mapping, with: self)
        if mapping.mappingType != .removeEntityMappingType {
            for source in try sources(of: mapping, policy) {
                try checkCancellation()
                try policy.createDestinationInstances(forSource: source, in: mapping, manager: self)
            }
        }
        try policy.endInstanceCreation(forMapping: mapping, manager: self)
    }

    private func createRelationships(_ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws {
        for destination in associations[mapping.name ?? ""]?.destinations ?? [] {
            try checkCancellation()
            try policy.createRelationships(forDestination: destination, in: mapping, manager: self)
        }
        try policy.endRelationshipCreation(forMapping: mapping, manager: self)
    }

    /// The source's objects of a mapping, by key where the mapping says nothing else.
    private func sources(of mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws -> [NSManagedObject] {
        guard let name = mapping.sourceEntityName else { return [] }
        if let expression = mapping.sourceExpression {
            return MigrationObjects.list(try value(of: expression, nil, nil, mapping, nil, policy))
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        return try sourceContext.fetch(request)
    }

    private func policy(of mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
        guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else { return NSEntityMigrationPolicy() }
        for candidate in ManagedObjectRegistry.classNames(for: name) {
            if let type = NSClassFromString(candidate) as? NSEntityMigrationPolicy.Type { return type.init() }
        }
        throw CoreDataError.make(
            NSEntityMigrationPolicyError,
            "The migration policy \(name) of the entity mapping \(mapping.name ?? "") was not found.",
            reason: "no class of this program has that name",
            remedy: "Correct the class's name in the mapping model: Module.Class.",
            userInfo: ["entity": mapping.destinationEntityName ?? mapping.sourceEntityName ?? ""]
        )
    }

    private func checkCancellation() throws {
        try report(Double(migrationProgress))
        if let cancellation { throw cancellation }
    }
}

extension NSManagedObjectModel {
    /// A copy whose objects are plain: classes belong to the program, and to one version only.
    fileprivate func withoutClasses() throws -> NSManagedObjectModel {
        var model = schema
        for index in model.entities.indices { model.entities[index].className = nil }
        model.fetchRequestTemplates = []
        return try NSManagedObjectModel(model)
    }
}

extension StoreMetadata {
    /// What the metadata of a new store of a model say.
    init(of model: Model) {
        self.init(
            versionHashes: model.versionHashes(),
            versionHashesDigest: model.versionHashesDigest(),
            versionChecksum: model.versionChecksum(),
            versionIdentifiers: model.versionIdentifiers
        )
    }
}

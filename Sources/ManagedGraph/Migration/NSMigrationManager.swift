// A migration by a mapping model: contexts over both stores, which object became which, and what expressions ask for. The
// steps are in +Steps. Made by users and by the coordinator.
import Foundation
import GraphPredicates

/// Migrates a store by a mapping model, object by object.
///
/// See [NSMigrationManager](https://developer.apple.com/documentation/coredata/nsmigrationmanager).
open class NSMigrationManager: NSObject {
    /// The model of the store as it is.
    public final let sourceModel: NSManagedObjectModel
    /// The model that the store gets.
    public final let destinationModel: NSManagedObjectModel
    /// The mapping model of the migration at work, or of the last one.
    public internal(set) final var mappingModel = NSMappingModel()
    /// The context over the source; its objects are plain `NSManagedObject`s, and its store is read only.
    public internal(set) final var sourceContext: NSManagedObjectContext
    /// The context over the destination; its objects are plain `NSManagedObject`s.
    public internal(set) final var destinationContext: NSManagedObjectContext
    /// Whether an inferred mapping model is done in SQL where both stores are SQLite stores; true unless set.
    open var usesStoreSpecificMigrationManager = true
    /// The entity mapping that is at work.
    public internal(set) final var currentEntityMapping = NSEntityMapping()
    /// How much is done, from 0 to 1.
    open internal(set) var migrationProgress: Float = 0
    /// What the user wishes to have at hand in policies.
    open var userInfo: [AnyHashable: Any]?
    /// Told how much is done, from 0 to 1; what it throws ends the migration.
    final var report: (Double) throws -> Void = { _ in }
    /// What `cancelMigrationWithError` was called with.
    final var cancellation: (any Error)?
    /// Which object became which, by entity mapping.
    final var associations: [String: MigrationAssociations] = [:]

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - sourceModel: The model of the store as it is.
    ///   - destinationModel: The model that the store gets.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
        sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        super.init()
    }

    /// Forgets both contexts and which object became which.
    open func reset() {
        sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        associations = [:]
        cancellation = nil
        migrationProgress = 0
    }

    /// Ends the migration at work with an error, after the object it is busy with.
    ///
    /// - Parameter error: What `migrateStore` throws then.
    open func cancelMigrationWithError(_ error: any Error) {
        cancellation = error
    }

    /// Migrates a store into a new one.
    ///
    /// - Parameters:
    ///   - sourceURL: The store as it is; it is only read.
    ///   - sStoreType: `NSSQLiteStoreType`.
    ///   - sOptions: Options for the source, by Apple's keys.
    ///   - mappings: The mapping model.
    ///   - dURL: Where the new store is to be; no file may be there.
    ///   - dStoreType: `NSSQLiteStoreType`.
    ///   - dOptions: Options for the destination, by Apple's keys.
    /// - Throws: 134150 and 134160 where a store cannot be opened, 134170 where an expression or a policy fails, 134110 where
    ///   the new store cannot be saved, what `cancelMigrationWithError` was called with. The new store is then not there.
    open func migrateStore(
        from sourceURL: URL,
        sourceType sStoreType: String,
        options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?,
        toDestinationURL dURL: URL,
        destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        guard let mappings else { throw CoreDataError.missingMappingModel(sourceURL) }
        guard !FileManager.default.fileExists(atPath: dURL.path) else {
            throw CoreDataError.make(
                NSMigrationManagerDestinationStoreError,
                "There is a file at \(dURL.path) already.",
                remedy: "Migrate to another place, and put the new store in the old one's place afterwards.",
                userInfo: [NSFilePathErrorKey: dURL.path]
            )
        }
        reset()
        mappingModel = mappings
        do {
            if let inferred = mappings.inferred, usesStoreSpecificMigrationManager, sStoreType == NSSQLiteStoreType,
                dStoreType == NSSQLiteStoreType
            {
                try migrateInSQL(inferred, sourceURL, dURL)
            } else {
                try openStores(sourceURL, sStoreType, sOptions, dURL, dStoreType, dOptions)
                defer { closeStores() }
                try destinationContext.performAndWait { () throws -> Void in
                    try sourceContext.performAndWait { () throws -> Void in try runPasses() }
                }
            }
        } catch {
            StoreMigrator.removeStore(dURL)
            throw error
        }
        migrationProgress = 1
    }

    // MARK: Entities

    /// The source's entity of a mapping.
    ///
    /// - Parameter mEntity: An entity mapping.
    /// - Returns: The entity; nil for an added one.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.sourceEntityName.flatMap { model(of: sourceContext, sourceModel).entitiesByName[$0] }
    }

    /// The destination's entity of a mapping.
    ///
    /// - Parameter mEntity: An entity mapping.
    /// - Returns: The entity; nil for a removed one.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.destinationEntityName.flatMap { model(of: destinationContext, destinationModel).entitiesByName[$0] }
    }

    private func model(of context: NSManagedObjectContext, _ other: NSManagedObjectModel) -> NSManagedObjectModel {
        context.persistentStoreCoordinator?.managedObjectModel ?? other
    }

    // MARK: Which became which

    /// Notes that an object of the source has become one of the destination.
    ///
    /// - Parameters:
    ///   - sourceInstance: The source's object.
    ///   - destinationInstance: The destination's object.
    ///   - entityMapping: The mapping that made it.
    open func associate(
        sourceInstance: NSManagedObject,
        withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        associations[entityMapping.name ?? "", default: MigrationAssociations()].add(
            sourceInstance,
            destinationInstance
        )
    }

    /// What objects of the source have become by an entity mapping.
    ///
    /// - Parameters:
    ///   - mappingName: The mapping's name.
    ///   - sourceInstances: Objects of the source, or nil for all.
    /// - Returns: The destination's objects, in the order of the source's.
    open func destinationInstances(
        forEntityMappingName mappingName: String,
        sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        guard let known = associations[mappingName] else { return [] }
        guard let sourceInstances else { return known.destinations }
        return sourceInstances.flatMap { known.bySource[ObjectIdentifier($0)] ?? [] }
    }

    /// What objects of the destination come from by an entity mapping.
    ///
    /// - Parameters:
    ///   - mappingName: The mapping's name.
    ///   - destinationInstances: Objects of the destination, or nil for all.
    /// - Returns: The source's objects.
    open func sourceInstances(
        forEntityMappingName mappingName: String,
        destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        guard let known = associations[mappingName] else { return [] }
        guard let destinationInstances else { return known.sources }
        return destinationInstances.flatMap { known.byDestination[ObjectIdentifier($0)] ?? [] }
    }

    /// What objects of the source have become, by whichever mapping.
    final func destinations(of sources: [NSManagedObject]) -> [NSManagedObject] {
        let names = mappingModel.entityMappings.compactMap(\.name)
        return sources.flatMap { source in
            names.lazy.compactMap { self.associations[$0]?.bySource[ObjectIdentifier(source)] }.first ?? []
        }
    }
}

/// The objects of one entity mapping; they hold both sides, so that no object is read twice.
struct MigrationAssociations {
    private(set) var sources: [NSManagedObject] = []
    private(set) var destinations: [NSManagedObject] = []
    private(set) var bySource: [ObjectIdentifier: [NSManagedObject]] = [:]
    private(set) var byDestination: [ObjectIdentifier: [NSManagedObject]] = [:]

    mutating func add(_ source: NSManagedObject, _ destination: NSManagedObject) {
        let isNewSource = bySource[ObjectIdentifier(source)] == nil
        let isNewDestination = byDestination[ObjectIdentifier(destination)] == nil
        if isNewSource { sources.append(source) }
        if isNewDestination { destinations.append(destination) }
        bySource[ObjectIdentifier(source), default: []].append(destination)
        byDestination[ObjectIdentifier(destination), default: []].append(source)
    }
}

// A migration by a mapping model: contexts over both stores, the associations of objects, and the functions for
// expressions. The steps are in +Steps. Made by users and by the coordinator.
import Foundation
import GraphPredicates
import GraphSQL
import GraphSQLite
import Synchronization

/// Migrates a store by a mapping model, object by object.
///
/// See [NSMigrationManager](https://developer.apple.com/documentation/coredata/nsmigrationmanager).
open class NSMigrationManager: NSObject {
    /// The model of the source store: a copy whose entities have no classes, unless they are set before the migration.
    public private(set) final lazy var sourceModel = givenSourceModel.plain
    /// The model of the new store: a copy whose entities have no classes, unless they are set before the migration.
    public private(set) final lazy var destinationModel = givenDestinationModel.plain
    /// The models with the program's classes.
    final let givenSourceModel: NSManagedObjectModel
    final let givenDestinationModel: NSManagedObjectModel
    /// The mapping model of the current migration, or of the last one.
    public internal(set) final var mappingModel = NSMappingModel()
    /// The context over the source; its objects are plain `NSManagedObject`s, and its store is read only.
    public internal(set) final var sourceContext: NSManagedObjectContext
    /// The context over the destination; its objects are of the classes in `destinationModel`.
    public internal(set) final var destinationContext: NSManagedObjectContext
    /// Whether an inferred mapping model that was not changed is executed in SQL if both stores are SQLite stores; true
    /// unless set.
    open var usesStoreSpecificMigrationManager = true
    /// The entity mapping that is being processed.
    public internal(set) final var currentEntityMapping = NSEntityMapping()
    /// The completed fraction, from 0 to 1.
    ///
    /// It grows with each portion of objects. The current `Progress` of the migrating thread is updated too.
    open internal(set) var migrationProgress: Float = 0 {
        didSet {
            watch?.completedUnitCount = Int64(migrationProgress * 1_000)
            if watch?.isCancelled == true, cancellation == nil {
                cancellation = CoreDataError.migrationCancelled(places.first ?? URL(filePath: "/"))
            }
            do {
                try report?(Double(migrationProgress))
            } catch {
                cancellation = cancellation ?? error
            }
        }
    }
    /// Values of the user for policies.
    open var userInfo: [AnyHashable: Any]?
    /// Called with the progress, from 0 to 1; an error that it throws ends the migration.
    final var report: ((Double) throws -> Void)?
    /// The argument of `cancelMigrationWithError`.
    final var cancellation: (any Error)? {
        get { lockedCancellation.withLock { $0 } }
        set { lockedCancellation.withLock { $0 = newValue } }
    }
    private final let lockedCancellation = Mutex<(any Error)?>(nil)
    /// The destination objects of each source object, by entity mapping.
    package final var associations: [String: MigrationAssociations] = [:]
    /// The first association of the current run, by entity mapping.
    final var firstOfRun: [String: Int] = [:]
    /// The prepared expressions of the mappings, by the expressions, which are kept so that no other has their address.
    final var evaluators: [ObjectIdentifier: (expression: NSExpression, evaluator: ExpressionEvaluator)] = [:]
    /// Objects that were never saved, by the keys they have until then.
    final var pending: [MigrationKey: NSManagedObject] = [:]
    /// The most recent objects, which stay in memory.
    final var heldObjects: [NSManagedObject] = []
    /// Objects of the destination that stay registered to the end; nil if no policy of the program can look for them.
    final var destinations: HeldDestinations?
    /// The keys of objects that were saved and that policies have deleted since; the associations still name them.
    final var deletedKeys: Set<MigrationKey> = []
    /// The keys of objects made by the current run, which are validated at its end.
    final var newKeys: [MigrationKey] = []
    /// The number of objects that the new store must have, by entity.
    final var expected: [String: Int] = [:]
    /// The number of objects to which relationships were set.
    final var noted: [ReferenceVerification.Place: Int] = [:]
    /// Whether objects are saved in portions during the migration.
    final var savesInPortions = false
    /// The number of objects after which they are saved and may leave memory.
    package final var portionSize = 1_000
    /// The number of unused objects that stay in memory: the most recent ones.
    package final var heldCount = 20_000
    private final var places: [URL] = []
    private final var watch: Progress?

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - sourceModel: The model of the source store.
    ///   - destinationModel: The model of the new store.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        givenSourceModel = sourceModel
        givenDestinationModel = destinationModel
        sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        super.init()
    }

    /// Removes all associations; the contexts stay.
    ///
    /// Without this call, the associations of a successful run stay for the next one over the same stores, so that
    /// several mapping models can be run in turn.
    open func reset() {
        associations = [:]
        firstOfRun = [:]
        deletedKeys = []
    }

    /// Ends the current migration with an error, after the object that is being migrated.
    ///
    /// Before `migrateStore` it ends the next migration at its start. May be called on any thread.
    ///
    /// - Parameter error: The error that `migrateStore` throws.
    open func cancelMigrationWithError(_ error: any Error) {
        cancellation = error
    }

    /// Migrates a store into a new one, or adds to the one that an earlier run has made.
    ///
    /// The new store is made beside its location, verified, and moved there in one step. Objects are saved in portions,
    /// so that memory holds some thousand of them and the keys of the rest. A large store may be migrated by several
    /// mapping models in turn, each for some of the entities, with one manager and one destination.
    ///
    /// - Parameters:
    ///   - sourceURL: The source store, which is only read.
    ///   - sStoreType: The kind of the source: a SQLite, XML or binary store, or one of your own.
    ///   - sOptions: Options for the source, by Apple's keys.
    ///   - mappings: The mapping model.
    ///   - dURL: The location of the new store; an existing store must have the destination model, and is extended.
    ///   - dStoreType: The kind of the destination.
    ///   - dOptions: Options for the destination, by Apple's keys.
    /// - Throws: 134150 and 134160 if a store cannot be opened, 134170 if an expression or a policy fails, 134110 if
    ///   the new store lacks objects that were written, validation errors with entity and property, the errors that
    ///   `cancelMigrationWithError` was called with. The destination is then unchanged.
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
        begin([sourceURL, dURL], mappings)
        // The next migration of this manager must not end with this one's error.
        defer { cancellation = nil }
        try checkCancellation()
        let isThere = try dURL.isFileURL && dURL.fileIsThere()
        let former = (associations, deletedKeys)
        do {
            try withDraft(dURL, dStoreType) { draft in
                if usesStoreSpecificMigrationManager, !isThere, sStoreType == NSSQLiteStoreType,
                    dStoreType == NSSQLiteStoreType,
                    let inferred = mappings.unchangedInference(
                        from: givenSourceModel.schema,
                        to: givenDestinationModel.schema
                    ), sourceConfiguration(sourceURL, sStoreType, sOptions) == nil
                {
                    return try migrateInSQL(inferred, sourceURL, draft)
                }
                do {
                    try openStores(sourceURL, sStoreType, sOptions, draft, dStoreType, dOptions)
                    try runPasses()
                } catch {
                    closeStores()
                    throw error
                }
                closeStores()
            }
        } catch {
            // The objects that the run has made are gone.
            (associations, deletedKeys) = former
            if let failure = error as? MigrationFailure { throw CoreDataError.migrationFailed(sourceURL, failure) }
            throw error
        }
        migrationProgress = 1
    }

    /// Prepares a run: new contexts; the associations of earlier runs between the same stores stay.
    private func begin(_ urls: [URL], _ mappings: NSMappingModel) {
        if places != urls { reset() }
        places = urls
        sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        (heldObjects, newKeys, pending) = ([], [], [:])
        evaluators = [:]
        mappingModel = mappings
        // A child of the current progress of the thread, if it has one. That of a former run may have been cancelled.
        watch = report == nil ? Progress(totalUnitCount: 1_000) : nil
        migrationProgress = 0
    }

    // MARK: Methods of subclasses

    /// The value of a method that an expression calls: `FUNCTION($manager, "color:", $source.color)`.
    ///
    /// Outside Apple's platforms methods cannot be found by their selectors: a subclass with its own methods overrides
    /// this and calls them.
    ///
    /// - Parameters:
    ///   - selector: The selector in the expression.
    ///   - arguments: The arguments' values.
    /// - Returns: The method's value.
    /// - Throws: 134170 unless overridden.
    open func value(forSelector selector: String, arguments: [Any?]) throws -> Any? {
        throw CoreDataError.missingMethod(selector, of: self, "$manager")
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

    private func model(of context: NSManagedObjectContext, _ fallback: NSManagedObjectModel) -> NSManagedObjectModel {
        context.persistentStoreCoordinator?.managedObjectModel ?? fallback
    }

    // MARK: Associations

    /// Associates an object of the source with the object of the destination that was made from it.
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
        note(sourceInstance, destinationInstance, entityMapping.name ?? "")
    }

    /// The destinations of source objects by an entity mapping.
    ///
    /// - Parameters:
    ///   - mappingName: The mapping's name.
    ///   - sourceInstances: Objects of the source, or nil for all.
    /// - Returns: The destination's objects, in the order of the source's.
    open func destinationInstances(
        forEntityMappingName mappingName: String,
        sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        guard let pairs = associations[mappingName] else { return [] }
        let keys = sourceInstances.map { $0.flatMap { pairs.destinations(of: MigrationKey($0)) } } ?? pairs.destinations
        return keys.compactMap { object($0, in: destinationContext) }
    }

    /// The sources of destination objects by an entity mapping.
    ///
    /// - Parameters:
    ///   - mappingName: The mapping's name.
    ///   - destinationInstances: Objects of the destination, or nil for all.
    /// - Returns: The source's objects.
    open func sourceInstances(
        forEntityMappingName mappingName: String,
        destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        guard let pairs = associations[mappingName] else { return [] }
        let keys = destinationInstances.map { $0.flatMap { pairs.sources(of: MigrationKey($0)) } } ?? pairs.sources
        return keys.compactMap { object($0, in: sourceContext) }
    }
}

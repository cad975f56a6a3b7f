// The base class of custom stores that load objects on demand, such as a web service or a foreign database. The class
// executes requests and returns the values of single objects; the framework converts them to rows
// (IncrementalSession.swift).
import Foundation
import Synchronization

/// A store whose objects are loaded on demand.
///
/// A subclass implements `loadMetadata()`, `execute(_:with:)`, `newValuesForObject(with:with:)`,
/// `newValue(forRelationship:forObjectWith:with:)` and `obtainPermanentIDs(for:)`. Each is called while no other thread
/// uses the coordinator's stores. See
/// [NSIncrementalStore](https://developer.apple.com/documentation/coredata/nsincrementalstore) and
/// `Documentation/Stores.md`.
open class NSIncrementalStore: NSPersistentStore {
    final var model: CompiledModel?
    /// Serializes the calls to the class: one save, or one call of a reader, at a time.
    final let calls = NSRecursiveLock()
    final var failsNextCommit = false

    /// Creates a store; called by the coordinator.
    ///
    /// - Parameters:
    ///   - root: The coordinator.
    ///   - name: The model's configuration, or nil.
    ///   - url: The location of the store.
    ///   - options: The options, by Apple's keys.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
        configurationName name: String?,
        at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        root?.recordRegistrations()
    }

    package override func failNextCommit() { failsNextCommit = true }

    // MARK: Methods that subclasses implement

    /// Sets `metadata`, with at least `NSStoreTypeKey` and `NSStoreUUIDKey`, and checks that the store can be used.
    ///
    /// - Throws: An error if the store cannot be used; it is then not added.
    open override func loadMetadata() throws {
        throw CoreDataError.notOverridden("loadMetadata()", of: self)
    }

    /// Executes a fetch or a save.
    ///
    /// A fetch returns an array that depends on its result type: objects (from `NSManagedObjectContext.object(with:)`),
    /// identifiers, dictionaries or one number. A save writes everything or nothing and returns an empty array. If all
    /// sets are nil, it saves only the metadata.
    ///
    /// - Parameters:
    ///   - request: An `NSFetchRequest` or an `NSSaveChangesRequest`.
    ///   - context: The requesting context.
    /// - Returns: The result.
    /// - Throws: An error if the request fails; one with `NSPersistentStoreSaveConflictsErrorKey` and
    ///   `NSMergeConflict`s is passed to the context's merge policy.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        throw CoreDataError.notOverridden("execute(_:with:)", of: self)
    }

    /// Returns the values of an object whose fault is being fulfilled.
    ///
    /// - Parameters:
    ///   - objectID: The object.
    ///   - context: The requesting context.
    /// - Returns: The values.
    /// - Throws: 133000 if there is no such object, or another error if it cannot be read.
    open func newValuesForObject(
        with objectID: NSManagedObjectID,
        with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw CoreDataError.notOverridden("newValuesForObject(with:with:)", of: self)
    }

    /// Returns the destinations of an object's relationship.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - objectID: The object.
    ///   - context: The requesting context.
    /// - Returns: An identifier or `NSNull`; for a to-many relationship an array of identifiers, in order if the
    ///   relationship is ordered.
    /// - Throws: An error if the relationship cannot be read.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw CoreDataError.notOverridden("newValue(forRelationship:forObjectWith:with:)", of: self)
    }

    /// Returns identifiers for new objects; called before the objects are saved.
    ///
    /// - Parameter array: The objects.
    /// - Returns: One identifier for each object, from `newObjectID(for:referenceObject:)`, in the same order.
    /// - Throws: An error if the identifiers cannot be created.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw CoreDataError.notOverridden("obtainPermanentIDs(for:)", of: self)
    }

    /// Returns an identifier for a new store at a location.
    ///
    /// - Parameter storeURL: The location of the store.
    /// - Returns: By default, a new UUID string.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Called with the objects that a context has registered; once for each context and object.
    ///
    /// - Parameter objectIDs: The objects' identifiers.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called with the objects that a context no longer registers.
    ///
    /// - Parameter objectIDs: The objects' identifiers.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    // MARK: Identifiers

    /// Returns the identifier of the object with a reference.
    ///
    /// - Parameters:
    ///   - entity: The object's entity.
    ///   - data: The store's own reference to the object: a string, a number or another comparable object.
    /// - Returns: The identifier; always the same for the same reference.
    open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        identifier(of: entity, reference: data)
    }

    /// Returns the reference of an object.
    ///
    /// - Parameter objectID: The object's identifier.
    /// - Returns: The reference.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        reference(of: objectID)
    }
}

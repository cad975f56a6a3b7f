// Stores that are read bit by bit, for programs to subclass: a web service, a foreign database. The class answers requests
// and gives the values of single objects; the framework makes rows of them (IncrementalSession.swift).
import Foundation
import Synchronization

/// A store whose objects are loaded as they are needed.
///
/// A subclass implements `loadMetadata()`, `execute(_:with:)`, `newValuesForObject(with:with:)`,
/// `newValue(forRelationship:forObjectWith:with:)` and `obtainPermanentIDs(for:)`. All are called while no other thread
/// uses the coordinator's stores. See
/// [NSIncrementalStore](https://developer.apple.com/documentation/coredata/nsincrementalstore) and
/// `Documentation/Stores.md`.
open class NSIncrementalStore: NSPersistentStore {
    final var model: CompiledModel?
    /// Lets one save, or one call of a reader, at a time into the class.
    final let calls = NSRecursiveLock()
    final var failsNextCommit = false

    /// Makes a store; called by the coordinator.
    ///
    /// - Parameters:
    ///   - root: The coordinator.
    ///   - name: The model's configuration, or nil.
    ///   - url: Where the store is.
    ///   - options: The options, by Apple's keys.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
        configurationName name: String?,
        at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        RegistrationLedger.isWanted.store(true, ordering: .relaxed)
    }

    package override func failNextCommit() { failsNextCommit = true }

    // MARK: What subclasses implement

    /// Sets `metadata`, with at least `NSStoreTypeKey` and `NSStoreUUIDKey`, and looks whether the store can be used.
    ///
    /// - Throws: Why it cannot be used; it is not added then.
    open override func loadMetadata() throws {
        throw CoreDataError.notOverridden("loadMetadata()", of: self)
    }

    /// Answers a fetch, or saves.
    ///
    /// A fetch returns an array by its result type: objects (from `NSManagedObjectContext.object(with:)`), identifiers,
    /// dictionaries or one number. A save writes everything or nothing, and returns an empty array; with all sets nil,
    /// only the metadata are to be saved.
    ///
    /// - Parameters:
    ///   - request: An `NSFetchRequest` or an `NSSaveChangesRequest`.
    ///   - context: Who asks.
    /// - Returns: The answer.
    /// - Throws: Why there is none; an error with `NSPersistentStoreSaveConflictsErrorKey` and `NSMergeConflict`s goes to
    ///   the context's merge policy.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        throw CoreDataError.notOverridden("execute(_:with:)", of: self)
    }

    /// The values of an object whose fault is filled.
    ///
    /// - Parameters:
    ///   - objectID: The object.
    ///   - context: Who asks.
    /// - Returns: The values.
    /// - Throws: 133000 where there is no such object, or why it cannot be read.
    open func newValuesForObject(
        with objectID: NSManagedObjectID,
        with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw CoreDataError.notOverridden("newValuesForObject(with:with:)", of: self)
    }

    /// What a relationship of an object leads to.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - objectID: The object.
    ///   - context: Who asks.
    /// - Returns: An identifier or `NSNull`; for a to-many relationship an array of identifiers, in order where it is
    ///   ordered.
    /// - Throws: Why it cannot be read.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw CoreDataError.notOverridden("newValue(forRelationship:forObjectWith:with:)", of: self)
    }

    /// Identifiers for new objects, called before they are saved.
    ///
    /// - Parameter array: The objects.
    /// - Returns: As many identifiers, from `newObjectID(for:referenceObject:)`, in the same order.
    /// - Throws: Why there are none.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw CoreDataError.notOverridden("obtainPermanentIDs(for:)", of: self)
    }

    /// An identifier for a store that is new at a location.
    ///
    /// - Parameter storeURL: Where the store is.
    /// - Returns: A new UUID as text, unless overridden.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Told which objects a context has begun to hold; once for each context and object.
    ///
    /// - Parameter objectIDs: The objects' identifiers.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Told which objects a context holds no longer.
    ///
    /// - Parameter objectIDs: The objects' identifiers.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    // MARK: Identifiers

    /// The identifier of the object with a reference.
    ///
    /// - Parameters:
    ///   - entity: The object's entity.
    ///   - data: What the store calls the object: a text, a number or another object that can be compared.
    /// - Returns: The identifier; the same for the same reference.
    open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        identifier(of: entity, reference: data)
    }

    /// The reference of an object.
    ///
    /// - Parameter objectID: The object's identifier.
    /// - Returns: The reference.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        reference(of: objectID)
    }
}

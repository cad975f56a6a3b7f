// Rows to insert without managed objects: dictionaries, or closures that fill one row after the other. Executed by
// BatchInsert; it holds what to insert and does nothing by itself.
import Foundation

/// What a batch insert reports; raw values are Apple's.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case statusOnly = 0
    /// The identifiers of the rows.
    case objectIDs = 1
    /// The number of the rows.
    case count = 2
}

/// A request that inserts rows into a store without making managed objects in a context.
///
/// Rules of validation are not asked, and no context hears of the rows unless `mergesIntoContexts` says so. Defaults of
/// the model fill what a row does not say. Where a uniqueness constraint finds a row that is there already, the context's
/// merge policy decides: with the error policy nothing is inserted at all. See
/// [NSBatchInsertRequest](https://developer.apple.com/documentation/coredata/nsbatchinsertrequest).
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    /// The name of the entity.
    public final let entityName: String
    /// The entity, where it was given or could be found.
    public final private(set) var entity: NSEntityDescription?
    /// The rows, each a dictionary of values by property.
    open var objectsToInsert: [[String: Any]]?
    /// Fills one row after the other into a dictionary that is empty at each call; returns true where there is none left.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
    /// Fills one row after the other into an object that belongs to no context; returns true where there is none left.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?
    /// What the request reports.
    open var resultType: NSBatchInsertRequestResultType = .statusOnly
    /// Whether the executing context, and all that hear of saves of its coordinator, take the rows in: beyond Apple.
    ///
    /// Fetched results controllers then show them without a call of `mergeChanges(fromRemoteContextSave:into:)`.
    open var mergesIntoContexts = false

    /// A request without an entity; executing it throws.
    public override init() {
        entityName = ""
        super.init()
    }

    private init(_ entityName: String, _ entity: NSEntityDescription?) {
        self.entityName = entityName
        self.entity = entity
        super.init()
    }

    /// Inserts dictionaries.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - dictionaries: The rows, each a dictionary of values by property.
    public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
        self.init(entityName, nil)
        objectsToInsert = dictionaries
    }

    /// Inserts dictionaries.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - dictionaries: The rows, each a dictionary of values by property.
    public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        self.init(entity.name ?? "", entity)
        objectsToInsert = dictionaries
    }

    /// Inserts what a closure puts into dictionaries.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - handler: Fills an empty dictionary; returns true where there is no further row, and the dictionary is left out.
    public convenience init(
        entity: NSEntityDescription,
        dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity.name ?? "", entity)
        dictionaryHandler = handler
    }

    /// Inserts what a closure sets in objects.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - handler: Sets the values of an object without a context; returns true where there is no further row, and the
    ///     object is left out.
    public convenience init(
        entity: NSEntityDescription,
        managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity.name ?? "", entity)
        managedObjectHandler = handler
    }

    /// Inserts what a closure puts into dictionaries.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - handler: Fills an empty dictionary; returns true where there is no further row, and the dictionary is left out.
    public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(entityName, nil)
        dictionaryHandler = handler
    }

    /// Inserts what a closure sets in objects.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - handler: Sets the values of an object without a context; returns true where there is no further row, and the
    ///     object is left out.
    public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(entityName, nil)
        managedObjectHandler = handler
    }

    /// To insert rows without objects.
    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    /// A copy of the request.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(entityName, entity)
        copy.affectedStores = affectedStores
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        copy.mergesIntoContexts = mergesIntoContexts
        return copy
    }
}

/// What a batch insert came to.
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// Whether it succeeded (`Bool`), the identifiers (`[NSManagedObjectID]`), or their number (`Int`).
    open var result: Any?
    /// What the request was to report.
    open var resultType: NSBatchInsertRequestResultType

    init(_ result: Any, _ resultType: NSBatchInsertRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}

// Inserts rows without managed objects, from dictionaries or from closures that fill one row after the other. Holds
// only the parameters; BatchInsert executes it.
import Foundation

/// A request that inserts rows into a store without creating managed objects in a context.
///
/// Validation rules are not applied, and contexts are not notified unless `mergesIntoContexts` is set. The model's
/// defaults fill values that a row omits. If a uniqueness constraint finds an existing row, the context's merge policy
/// decides: with the error policy, nothing at all is inserted. See
/// [NSBatchInsertRequest](https://developer.apple.com/documentation/coredata/nsbatchinsertrequest).
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    /// The name of the entity.
    public final let entityName: String
    /// The entity, if it was given or could be found.
    public final private(set) var entity: NSEntityDescription?
    /// The rows, each a dictionary of values by property.
    open var objectsToInsert: [[String: Any]]?
    /// Fills one row after the other into a dictionary, empty at each call; returns true if there are no more rows.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
    /// Fills one row after the other into an object without a context; returns true if there are no more rows.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?
    /// The kind of result.
    open var resultType: NSBatchInsertRequestResultType = .statusOnly
    /// Whether the executing context and those listening to its coordinator merge the rows; not in Apple's API.
    ///
    /// Fetched results controllers then show them without a call to `mergeChanges(fromRemoteContextSave:into:)`.
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

    /// Inserts rows that a closure puts into dictionaries.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - handler: Fills an empty dictionary; returns true if there are no more rows, and the dictionary is ignored.
    public convenience init(
        entity: NSEntityDescription,
        dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity.name ?? "", entity)
        dictionaryHandler = handler
    }

    /// Inserts rows that a closure sets in objects.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - handler: Sets the values of an object without a context; returns true if there are no more rows, and the
    ///     object is ignored.
    public convenience init(
        entity: NSEntityDescription,
        managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity.name ?? "", entity)
        managedObjectHandler = handler
    }

    /// Inserts rows that a closure puts into dictionaries.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - handler: Fills an empty dictionary; returns true if there are no more rows, and the dictionary is ignored.
    public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(entityName, nil)
        dictionaryHandler = handler
    }

    /// Inserts rows that a closure sets in objects.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - handler: Sets the values of an object without a context; returns true if there are no more rows, and the
    ///     object is ignored.
    public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(entityName, nil)
        managedObjectHandler = handler
    }

    /// A batch insert.
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

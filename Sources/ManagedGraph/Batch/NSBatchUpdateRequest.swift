// Sets values in many rows without managed objects. Holds only the parameters; BatchUpdate executes it.
import Foundation

/// A request that sets values in rows of a store without creating managed objects.
///
/// Validation rules are not applied, and contexts are not notified unless `mergesIntoContexts` is set. The rows'
/// versions are incremented, so a context with other values gets a conflict when it saves. See
/// [NSBatchUpdateRequest](https://developer.apple.com/documentation/coredata/nsbatchupdaterequest).
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    /// The name of the entity.
    public final let entityName: String
    /// The entity, if it was given.
    public final let entity: NSEntityDescription
    /// Selects the rows; nil for all rows of the entity.
    open var predicate: NSPredicate?
    /// Whether rows of subentities are updated too.
    open var includesSubentities = true
    /// The kind of result.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType
    /// The values to set: constants, `NSNull` or expressions over the row, by property name or description.
    open var propertiesToUpdate: [AnyHashable: Any]?
    /// Whether the executing context and those listening to its coordinator merge the values; not in Apple's API.
    open var mergesIntoContexts = false
    let isNamedOnly: Bool

    /// Updates rows of an entity.
    ///
    /// - Parameter entityName: The name of the entity, in the model of the context that executes the request.
    public init(entityName: String) {
        self.entityName = entityName
        entity = NSEntityDescription()
        isNamedOnly = true
        super.init()
        entity.name = entityName
    }

    /// Updates rows of an entity.
    ///
    /// - Parameter entity: The entity.
    public init(entity: NSEntityDescription) {
        entityName = entity.name ?? ""
        self.entity = entity
        isNamedOnly = false
        super.init()
    }

    /// A batch update.
    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    /// A copy of the request.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy =
            isNamedOnly ? NSBatchUpdateRequest(entityName: entityName) : NSBatchUpdateRequest(entity: entity)
        copy.affectedStores = affectedStores
        copy.predicate = predicate
        copy.includesSubentities = includesSubentities
        copy.resultType = resultType
        copy.propertiesToUpdate = propertiesToUpdate
        copy.mergesIntoContexts = mergesIntoContexts
        return copy
    }
}

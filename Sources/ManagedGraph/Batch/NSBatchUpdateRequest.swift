// Values to set in many rows without managed objects. Executed by BatchUpdate; it does nothing by itself.
import Foundation

/// What a batch update reports; raw values are Apple's.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case statusOnlyResultType = 0
    /// The identifiers of the rows.
    case updatedObjectIDsResultType = 1
    /// The number of the rows.
    case updatedObjectsCountResultType = 2
}

/// A request that sets values in rows of a store without making managed objects.
///
/// Rules of validation are not asked, and no context hears of the change unless `mergesIntoContexts` says so. The rows'
/// versions are counted up, so that a context with other values meets a conflict when it saves. See
/// [NSBatchUpdateRequest](https://developer.apple.com/documentation/coredata/nsbatchupdaterequest).
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    /// The name of the entity.
    public final let entityName: String
    /// The entity, where it was given.
    public final let entity: NSEntityDescription
    /// Which rows; nil for all of the entity.
    open var predicate: NSPredicate?
    /// Whether rows of subentities are changed too.
    open var includesSubentities = true
    /// What the request reports.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType
    /// What to set: constants, `NSNull` or expressions over the row, by properties' names or descriptions.
    open var propertiesToUpdate: [AnyHashable: Any]?
    /// Whether the executing context, and all that hear of saves of its coordinator, take the values in: beyond Apple.
    open var mergesIntoContexts = false
    let isNamedOnly: Bool

    /// Changes rows of an entity.
    ///
    /// - Parameter entityName: The name of the entity, in the model of the context that executes the request.
    public init(entityName: String) {
        self.entityName = entityName
        entity = NSEntityDescription()
        isNamedOnly = true
        super.init()
        entity.name = entityName
    }

    /// Changes rows of an entity.
    ///
    /// - Parameter entity: The entity.
    public init(entity: NSEntityDescription) {
        entityName = entity.name ?? ""
        self.entity = entity
        isNamedOnly = false
        super.init()
    }

    /// To update rows without objects.
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

/// What a batch update came to.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// Whether it succeeded (`Bool`), the identifiers (`[NSManagedObjectID]`), or their number (`Int`).
    open var result: Any?
    /// What the request was to report.
    open var resultType: NSBatchUpdateRequestResultType

    init(_ result: Any, _ resultType: NSBatchUpdateRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}

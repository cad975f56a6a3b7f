// Rows to delete without managed objects. Executed by BatchDelete; it does nothing by itself.
import Foundation

/// What a batch delete reports; raw values are Apple's.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case resultTypeStatusOnly = 0
    /// The identifiers of all deleted rows.
    case resultTypeObjectIDs = 1
    /// The number of all deleted rows.
    case resultTypeCount = 2
}

/// A request that deletes rows of a store without making managed objects.
///
/// The delete rules nullify and cascade are followed, deny is not asked; no context hears of it unless
/// `mergesIntoContexts` says so. See
/// [NSBatchDeleteRequest](https://developer.apple.com/documentation/coredata/nsbatchdeleterequest).
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    /// Finds the rows; its entity, predicate, limit, offset and sort count.
    public final let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    /// What the request reports.
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly
    /// Whether the executing context, and all that hear of saves of its coordinator, let go of the rows: beyond Apple.
    open var mergesIntoContexts = false
    let objectIDs: [NSManagedObjectID]?

    /// Deletes what a fetch finds.
    ///
    /// - Parameter fetch: The request; one of any result type.
    public init<ResultType>(fetchRequest fetch: NSFetchRequest<ResultType>) {
        fetchRequest = NSFetchRequest<any NSFetchRequestResult>()
        fetch.copyContents(to: fetchRequest)
        objectIDs = nil
        super.init()
    }

    /// Deletes objects of one entity, or of entities below it.
    ///
    /// - Parameter objects: The identifiers of saved objects; where one is of another entity than the first, executing the
    ///   request throws.
    public convenience init(objectIDs objects: [NSManagedObjectID]) {
        self.init(objects, affectedStores: nil)
    }

    private init(_ objects: [NSManagedObjectID], affectedStores: [NSPersistentStore]?) {
        fetchRequest = NSFetchRequest<any NSFetchRequestResult>()
        fetchRequest.entity = objects.first?.entity
        objectIDs = objects
        super.init()
        self.affectedStores = affectedStores
    }

    /// To delete rows without objects.
    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    /// A copy of the request.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy =
            objectIDs.map { NSBatchDeleteRequest(objectIDs: $0) } ?? NSBatchDeleteRequest(fetchRequest: fetchRequest)
        copy.affectedStores = affectedStores
        copy.resultType = resultType
        copy.mergesIntoContexts = mergesIntoContexts
        return copy
    }
}

/// What a batch delete came to.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// Whether it succeeded (`Bool`), the identifiers (`[NSManagedObjectID]`), or their number (`Int`).
    open var result: Any?
    /// What the request was to report.
    open var resultType: NSBatchDeleteRequestResultType

    init(_ result: Any, _ resultType: NSBatchDeleteRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}

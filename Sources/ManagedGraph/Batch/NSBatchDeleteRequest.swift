// Deletes rows without managed objects. Holds only the parameters; BatchDelete executes it.
import Foundation

/// A request that deletes rows of a store without creating managed objects.
///
/// The delete rules nullify and cascade are applied, deny is ignored. Contexts are not notified unless
/// `mergesIntoContexts` is set. See
/// [NSBatchDeleteRequest](https://developer.apple.com/documentation/coredata/nsbatchdeleterequest).
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    /// Finds the rows, by its entity, predicate, limit, offset and sort order.
    public final let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    /// The kind of result.
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly
    /// Whether the executing context and those listening to its coordinator drop the rows; not in Apple's API.
    open var mergesIntoContexts = false
    let objectIDs: [NSManagedObjectID]?

    /// Deletes the rows that a fetch finds, in the stores that it affects.
    ///
    /// - Parameter fetch: The request.
    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
        fetchRequest = NSFetchRequest<any NSFetchRequestResult>()
        fetch.copyContents(to: fetchRequest)
        objectIDs = nil
        super.init()
        affectedStores = fetch.affectedStores
    }

    /// Deletes the rows that a fetch finds.
    ///
    /// - Parameter fetch: The request, of any result type.
    @_disfavoredOverload
    public convenience init<ResultType>(fetchRequest fetch: NSFetchRequest<ResultType>) {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        fetch.copyContents(to: request)
        self.init(fetchRequest: request)
    }

    /// Deletes objects of one entity or its subentities.
    ///
    /// - Parameter objects: The identifiers of saved objects; if one has another entity than the first, executing the
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

    /// A batch delete.
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

// A fetch as the user describes it. Read by contexts; templates of the model are requests too.
import Foundation
import GraphPredicates

/// A description of which objects to fetch and how.
///
/// The result type is not constrained, because `any NSFetchRequestResult` does not conform to itself off Apple. See
/// [NSFetchRequest](https://developer.apple.com/documentation/coredata/nsfetchrequest).
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
    private var storedEntity: NSEntityDescription?
    private var storedName: String?

    /// Which objects are wanted; nil for all.
    open var predicate: NSPredicate?
    /// In which order; nil or empty for the order of the primary keys.
    open var sortDescriptors: [NSSortDescriptor]?
    /// How many at most; 0 for all.
    open var fetchLimit = 0
    /// How many to skip.
    open var fetchOffset = 0
    /// How many rows are read at a time as the result is touched; 0 for all at once.
    open var fetchBatchSize = 0
    /// What is returned.
    open var resultType: NSFetchRequestResultType = .managedObjectResultType
    /// Whether objects of subentities are wanted too.
    open var includesSubentities = true
    /// Whether the rows' values are read; false reads keys only.
    open var includesPropertyValues = true
    /// Whether objects become faults until a value is asked for; their rows are read either way.
    open var returnsObjectsAsFaults = true
    /// Whether changes not yet saved are taken into account.
    open var includesPendingChanges = true
    /// Whether equal dictionaries are returned once.
    open var returnsDistinctResults = false
    /// Relationships whose destinations are read in the same go.
    open var relationshipKeyPathsForPrefetching: [String]?
    /// For dictionaries: attributes' names, property descriptions or expression descriptions.
    open var propertiesToFetch: [Any]?
    /// For dictionaries: what to group by.
    open var propertiesToGroupBy: [Any]?
    /// For dictionaries: which groups are wanted.
    open var havingPredicate: NSPredicate?
    /// Whether objects in memory without changes take on the values of the rows read.
    open var shouldRefreshRefetchedObjects = false

    /// Makes a request without an entity.
    public override required init() {
        super.init()
    }

    /// Makes a request for the entity of this name.
    ///
    /// - Parameter entityName: The entity's name, looked up in the context's model at the fetch.
    public convenience init(entityName: String) {
        self.init()
        storedName = entityName
    }

    /// The entity; may be nil until the first fetch where only its name was given.
    open var entity: NSEntityDescription? {
        get { storedEntity }
        set {
            storedEntity = newValue
            storedName = newValue?.name ?? storedName
        }
    }

    /// The entity's name.
    open var entityName: String? { storedEntity?.name ?? storedName }

    /// Runs the request in the context whose `perform` block this is called in.
    ///
    /// - Returns: The results.
    /// - Throws: As `NSManagedObjectContext.fetch(_:)`, and 134060 outside of such a block.
    open func execute() throws -> [ResultType] {
        guard let context = NSManagedObjectContext.current else {
            throw CoreDataError.make(
                NSCoreDataError,
                "execute() was called outside of a context's perform block.",
                remedy: "Call context.fetch(request), or execute() inside of context.perform."
            )
        }
        return try context.fetch(self)
    }

    /// A copy that can be changed on its own.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self.init()
        copyContents(to: copy)
        return copy
    }

    /// Copies everything but the result's Swift type.
    func copyContents<Other>(to copy: NSFetchRequest<Other>) {
        copy.affectedStores = affectedStores
        copy.setEntity(storedEntity, name: storedName)
        copy.predicate = predicate
        copy.sortDescriptors = sortDescriptors
        copy.fetchLimit = fetchLimit
        copy.fetchOffset = fetchOffset
        copy.fetchBatchSize = fetchBatchSize
        copy.resultType = resultType
        copy.includesSubentities = includesSubentities
        copy.includesPropertyValues = includesPropertyValues
        copy.returnsObjectsAsFaults = returnsObjectsAsFaults
        copy.includesPendingChanges = includesPendingChanges
        copy.returnsDistinctResults = returnsDistinctResults
        copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
        copy.propertiesToFetch = propertiesToFetch
        copy.propertiesToGroupBy = propertiesToGroupBy
        copy.havingPredicate = havingPredicate
        copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    }

    func setEntity(_ entity: NSEntityDescription?, name: String?) {
        storedEntity = entity
        storedName = name
    }

    /// Entity, predicate, order and limits, for a log.
    open override var description: String {
        "<NSFetchRequest> (entity: \(entityName ?? "none"); predicate: (\(predicate?.printedFormat ?? "")); "
            + "sortDescriptors: (\(sortDescriptors?.map { "\($0)" }.joined(separator: ", ") ?? "")); "
            + "limit: \(fetchLimit); offset: \(fetchOffset); batchSize: \(fetchBatchSize))"
    }

    /// What the request fetches, each result in a box.
    final func boxedResults(in context: NSManagedObjectContext) throws -> [any NSFetchRequestResult] {
        // Asked of the request, so that its own type counts: the caller's may be one that it was cast to by force.
        guard let results = try context.fetch(self) as? [any NSFetchRequestResult] else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The request's results are of type \(ResultType.self), which is no NSFetchRequestResult.",
                remedy: "Fetch with the request as it was made."
            )
        }
        return results
    }
}

// A fetch as the program describes it. Read by contexts; fetch request templates of the model are requests too.
import Foundation
import GraphPredicates
import Synchronization

/// A description of which objects to fetch and how.
///
/// The result type is not constrained, because `any NSFetchRequestResult` does not conform to itself
/// outside Apple's platforms. See [NSFetchRequest](https://developer.apple.com/documentation/coredata/nsfetchrequest).
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
    // Read by every fetch, one after the other and by one thread: checks for overlapping access would cost more.
    @exclusivity(unchecked) private var storedEntity: NSEntityDescription?
    @exclusivity(unchecked) private var storedName: String?
    // The layout of the latest fetch's entity; layouts are never freed. Threads may fetch with one request.
    private final let fetchedLayout = Atomic<UnsafeRawPointer?>(nil)

    /// Selects the objects; nil for all.
    @exclusivity(unchecked) open var predicate: NSPredicate?
    /// The order of the results; nil or empty for the order of the primary keys.
    @exclusivity(unchecked) open var sortDescriptors: [NSSortDescriptor]?
    /// The maximum number of results; 0 for no limit.
    @exclusivity(unchecked) open var fetchLimit = 0
    /// The number of results to skip.
    @exclusivity(unchecked) open var fetchOffset = 0
    /// The number of rows read at a time as the results are accessed; 0 for all at once.
    @exclusivity(unchecked) open var fetchBatchSize = 0
    /// The kind of results.
    @exclusivity(unchecked) open var resultType: NSFetchRequestResultType = .managedObjectResultType
    /// Whether objects of subentities are included.
    @exclusivity(unchecked) open var includesSubentities = true
    /// Whether the rows' values are read; false reads keys only.
    @exclusivity(unchecked) open var includesPropertyValues = true
    /// Whether objects stay faults until a value is accessed; their rows are read either way.
    @exclusivity(unchecked) open var returnsObjectsAsFaults = true
    /// Whether unsaved changes are included.
    @exclusivity(unchecked) open var includesPendingChanges = true
    /// Whether duplicate dictionaries are removed.
    @exclusivity(unchecked) open var returnsDistinctResults = false
    /// Relationships whose destinations are prefetched; a name that is not a relationship is ignored, and logged once.
    @exclusivity(unchecked) open var relationshipKeyPathsForPrefetching: [String]?
    /// The properties to fetch, by name or description; for dictionaries also expression descriptions.
    ///
    /// If the request has an entity, names of its properties are replaced by their descriptions.
    @exclusivity(unchecked) open var propertiesToFetch: [Any]? {
        didSet { propertiesToFetch = described(propertiesToFetch) }
    }
    /// For dictionaries: the properties to group by; names are replaced as in `propertiesToFetch`.
    @exclusivity(unchecked) open var propertiesToGroupBy: [Any]? {
        didSet { propertiesToGroupBy = described(propertiesToGroupBy) }
    }
    /// For dictionaries: selects the groups.
    @exclusivity(unchecked) open var havingPredicate: NSPredicate?
    /// Whether unchanged objects in memory take the values of the rows read; all rows are then read at once, also with a
    /// `fetchBatchSize`.
    @exclusivity(unchecked) open var shouldRefreshRefetchedObjects = false

    /// Makes a request without an entity.
    public override required init() {
        super.init()
    }

    /// Makes a request for the entity of this name.
    ///
    /// - Parameter entityName: The entity's name, which the fetch looks up in the context's model.
    public convenience init(entityName: String) {
        self.init()
        storedName = entityName
    }

    /// The entity; nil until a context first uses the request if only its name was given.
    open var entity: NSEntityDescription? {
        get { storedEntity ?? fetchedLayoutIfAny?.entity }
        set {
            storedEntity = newValue
            fetchedLayout.store(nil, ordering: .releasing)
            storedName = newValue?.name ?? storedName
        }
    }

    /// The properties that have the names; names without a property, such as key paths, stay.
    private func described(_ properties: [Any]?) -> [Any]? {
        guard let entity = storedEntity, let properties, properties.contains(where: { $0 is String }) else {
            return properties
        }
        let byName = entity.propertiesByName
        return properties.map { property in (property as? String).flatMap { byName[$0] } ?? property }
    }

    /// The entity's name.
    open var entityName: String? { storedEntity?.name ?? storedName }

    /// Runs the request in the context whose `perform` block calls it.
    ///
    /// - Returns: The results.
    /// - Throws: As `NSManagedObjectContext.fetch(_:)`, and 134060 outside such a block.
    open func execute() throws -> [ResultType] {
        try executingContext().fetch(self)
    }

    /// The context whose block calls `execute()`.
    final func executingContext() throws -> NSManagedObjectContext {
        if let context = NSManagedObjectContext.current { return context }
        throw CoreDataError.make(
            NSCoreDataError,
            "execute() was called outside of a context's perform block.",
            remedy: "Call context.fetch(request), or execute() inside of context.perform."
        )
    }

    /// An independent copy.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self.init()
        copyContents(to: copy)
        return copy
    }

    /// Copies everything except the result's Swift type.
    func copyContents<Other>(to copy: NSFetchRequest<Other>) {
        copy.affectedStores = affectedStores
        copy.setEntity(storedEntity, name: storedName)
        if let layout = fetchedLayoutIfAny { copy.noteFetched(layout) }
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

    private final var fetchedLayoutIfAny: ObjectLayout? {
        fetchedLayout.load(ordering: .acquiring).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the program has set the entity itself, and not only its name.
    final var hasOwnEntity: Bool { storedEntity != nil }

    /// Records the layout that a context has found for the entity's name.
    final func noteFetched(_ layout: ObjectLayout) {
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(layout).toOpaque())
        if storedEntity == nil, fetchedLayout.load(ordering: .relaxed) != pointer {
            fetchedLayout.store(pointer, ordering: .releasing)
        }
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

    /// The results of the request, type-erased: called on the request, its own result type applies, whatever type the
    /// caller's was force-cast to.
    final func results(in context: NSManagedObjectContext) throws -> [Any] { try context.fetch(self) }

    /// The same for a request without a type.
    final func erasedResults(in context: NSManagedObjectContext) throws -> [any NSFetchRequestResult] {
        let results: [ResultType] = try context.fetch(self)
        // As a whole: an array that has the type is not copied.
        guard let results = results as Any as? [any NSFetchRequestResult] else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The request's results are of type \(ResultType.self), which is not an NSFetchRequestResult.",
                remedy: "Fetch with the request as it was made."
            )
        }
        return results
    }
}

extension NSFetchRequest where ResultType == any NSFetchRequestResult {
    /// Runs the request in the context whose `perform` block calls it.
    ///
    /// The twin of the method above for the request of a type-erased results controller, which may really be one for
    /// Tasks: the other method would return them in the wrong layout.
    ///
    /// - Returns: The results.
    /// - Throws: As `NSManagedObjectContext.fetch(_:)`, and 134060 outside such a block.
    public func execute() throws -> [any NSFetchRequestResult] {
        try erasedResults(in: executingContext())
    }
}

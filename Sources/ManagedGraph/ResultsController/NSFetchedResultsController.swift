// The public interface of a results controller. ResultsTracker does the work, independently of the result type. Not
// thread-safe: use it on its context's queue.
import Foundation

/// Keeps the sectioned results of a fetch up to date with their context, and notifies a delegate of every change.
///
/// Without a delegate, the results are those of the last `performFetch()`. They follow the context if the delegate
/// implements a method for changes, or while a task iterates `differences`. They are then updated each time the context
/// processes its pending changes. Changes of related objects count too if the predicate, the sort descriptors or the
/// section names read them along relationships that have inverses. A context examines a change once for all of its
/// controllers and notifies only those it affects. After a reset of the context or the removal of a store, nothing is
/// reported before the next `performFetch()`. See
/// [NSFetchedResultsController](https://developer.apple.com/documentation/coredata/nsfetchedresultscontroller).
open class NSFetchedResultsController<ResultType>: NSObject {
    /// The request.
    ///
    /// Changes to it take effect at the next `performFetch()`.
    open var fetchRequest: NSFetchRequest<ResultType> { ownRequest }
    /// The context of the objects.
    open var managedObjectContext: NSManagedObjectContext { ownContext }
    /// The key path whose values name the sections; nil for one section.
    open var sectionNameKeyPath: String? { ownKeyPath }
    /// The name of the cache; nil for none.
    ///
    /// The cache file keeps the sections, their index titles and the objects' keys between runs of the program, in
    /// `ManagedGraph/<bundle identifier or process name>/FetchedResults` of the user's caches folder. It serves a fetch
    /// of the same entity, predicate, sort descriptors, limits and section name key path if the store and the entity's
    /// definition are unchanged and the context has no unsaved changes; otherwise it is rebuilt. With a
    /// `fetchBatchSize`, a fetch from the cache reads no rows.
    open var cacheName: String? { ownCacheName }

    // The controller itself reads these and not the properties above, which a subclass may override.
    private final let ownRequest: NSFetchRequest<ResultType>
    private final let ownContext: NSManagedObjectContext
    private final let ownKeyPath: String?
    private final let ownCacheName: String?
    private final var trackerStorage: ResultsTracker?
    /// A `ResultsArray<ResultType>`; `erasedArray` is its type-erased twin.
    private final var fetchedArray: AnyObject?
    private final var erasedArray: ResultsArray<any NSFetchRequestResult>?
    private final var sectionsCache: (version: Int, sections: [any NSFetchedResultsSectionInfo])?
    /// The overrides of a subclass, for the type-erased twins of the members.
    final let overrides = ResultOverrides()

    /// Creates a controller, which has no results before `performFetch()`.
    ///
    /// - Parameters:
    ///   - fetchRequest: The request, with at least one sort descriptor. With sections, the first one must sort the
    ///     objects in the order of the sections.
    ///   - context: The context of the objects.
    ///   - sectionNameKeyPath: The key path whose values name the sections, or nil.
    ///   - name: The name of the cache, or nil.
    public init(
        fetchRequest: NSFetchRequest<ResultType>,
        managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?,
        cacheName name: String?
    ) {
        ownRequest = fetchRequest
        ownContext = context
        ownKeyPath = sectionNameKeyPath
        ownCacheName = name
        super.init()
        if type(of: self) != NSFetchedResultsController<ResultType>.self {
            overrides.members = SubclassMembers<ResultType>.self
        }
    }

    /// Creates a controller without an entity, which cannot fetch, for test doubles that override its results.
    public override init() {
        ownRequest = NSFetchRequest()
        ownContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        ownKeyPath = nil
        ownCacheName = nil
        super.init()
        if type(of: self) != NSFetchedResultsController<ResultType>.self {
            overrides.members = SubclassMembers<ResultType>.self
        }
    }

    /// The delegate that is notified of changes.
    open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { tracker.delegate }
        set { tracker.delegate = newValue }
    }

    final var tracker: ResultsTracker {
        if let trackerStorage { return trackerStorage }
        let tracker = ResultsTracker(controller: erased, context: ownContext)
        trackerStorage = tracker
        return tracker
    }

    /// This controller, type-erased for the delegate's methods: the same object under another static type.
    ///
    /// Sound because no stored property depends on the result type, and because every member whose signature does has a
    /// twin for `any NSFetchRequestResult`, in NSFetchedResultsController+Erased.swift, which the compiler prefers.
    private final var erased: NSFetchedResultsController<any NSFetchRequestResult> {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        return Unmanaged<NSFetchedResultsController<any NSFetchRequestResult>>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Fetches the objects and arranges them in sections.
    ///
    /// Changes of the request take effect here. A delegate with the snapshot method receives a snapshot. If the request
    /// has a `fetchLimit` or `fetchOffset`, each change that may affect the results is followed by a new fetch. O(n).
    ///
    /// - Throws: The fetch's error; 134060 for a request without sort descriptors, for a result type other than managed
    ///   objects, for an invalid section name key path, and for an order that splits sections.
    open func performFetch() throws {
        let context = ownContext
        // The fetch includes pending changes, so they must not be reported as changes of its results.
        context.endEvent()
        let configuration = try ResultsConfiguration(
            ownRequest,
            sectionNameKeyPath: ownKeyPath,
            context: context
        )
        guard let cache = ownCacheName.flatMap({ SectionCache(named: $0, configuration, context) }) else {
            return try tracker.load(try configuration.fetch(in: context), known: nil, configuration: configuration)
        }
        let state = cache.storeState(context)
        if let file = state.flatMap(cache.contents) {
            let request = configuration.request
            let isBatched =
                (request.fetchBatchSize > 0 || !request.includesPropertyValues)
                && !request.shouldRefreshRefetchedObjects
            let objects =
                isBatched ? cache.faults(file, configuration, context) : try configuration.fetch(in: context)
            // The sections are not those of the objects if the store was written to meanwhile.
            if let objects, objects.count == file.keys.count, cache.storeState(context) == state {
                return try tracker.load(objects, known: file.sections, configuration: configuration)
            }
        }
        try tracker.load(try configuration.fetch(in: context), known: nil, configuration: configuration)
        // Cache nothing if the store was written to during the fetch: the results may not match its state.
        guard let state, cache.storeState(context) == state, let list = tracker.list else { return }
        cache.keep(list, titles: { sectionIndexTitle(forSectionName: $0) }, state: state)
    }

    /// All subsequent changes of the results, for any number of consumers on any task.
    ///
    /// While it has consumers, the controller follows its context as it does for a delegate.
    public final var differences: FetchedResultsDifferences {
        FetchedResultsDifferences(broadcast: tracker.broadcast)
    }

    /// The objects in order; nil before the first fetch.
    ///
    /// O(n) on first access and after large changes. After a small change, only the elements between the old and the
    /// new position move, unless the caller still holds the previous array.
    @_disfavoredOverload
    open var fetchedObjects: [ResultType]? {
        guard let list = tracker.visible else { return nil }
        if let array = fetchedArray as? ResultsArray<ResultType> { return array.elements(of: list) }
        let array = ResultsArray<ResultType>()
        fetchedArray = array
        return array.elements(of: list)
    }

    /// The type-erased `fetchedObjects`.
    final var erasedObjects: [any NSFetchRequestResult]? {
        guard let list = tracker.visible else { return nil }
        let array = erasedArray ?? ResultsArray()
        erasedArray = array
        return array.elements(of: list)
    }

    /// The object at a path.
    ///
    /// Stops the program if the path is outside the results.
    ///
    /// - Parameter indexPath: The section and the item.
    /// - Returns: The object.
    @_disfavoredOverload
    open func object(at indexPath: IndexPath) -> ResultType {
        guard let object = managedObject(at: indexPath) as? ResultType else {
            preconditionFailure("The object at \(indexPath) is not of type \(ResultType.self).")
        }
        return object
    }

    /// The index path of an object; nil if the object is not among the results.
    ///
    /// - Parameter object: A managed object.
    /// - Returns: The section and the item.
    @_disfavoredOverload
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        managedIndexPath(of: object)
    }

    /// The sections in order; nil before the first fetch.
    ///
    /// O(sections) on first access after a change, else O(1).
    open var sections: [any NSFetchedResultsSectionInfo]? {
        guard let list = tracker.visible else { return nil }
        if let sectionsCache, sectionsCache.version == tracker.version { return sectionsCache.sections }
        let sections = list.sections.map { section in
            ResultsSectionInfo(section, indexTitle: sectionIndexTitle(forSectionName: section.name))
        }
        sectionsCache = (tracker.version, sections)
        return sections
    }

    /// The title of a section in the index: the delegate's, else the capitalized first letter of the section name.
    ///
    /// - Parameter sectionName: The name of the section.
    /// - Returns: The title; nil for a section without a name.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        if let cachedTitle = tracker.cachedTitles[sectionName] { return cachedTitle }
        if let delegate, !tracker.missingMethods.contains(.indexTitle) {
            let title = delegate.controller(erased, sectionIndexTitleForSectionName: sectionName)
            if !tracker.missingMethods.contains(.indexTitle) { return title }
        }
        return sectionName.isEmpty ? nil : sectionName.prefix(1).uppercased()
    }

    /// The titles of the list's index, one for each run of sections with the same title.
    open var sectionIndexTitles: [String] { titlesOfIndex }

    /// The section that an entry of the index leads to.
    ///
    /// Stops the program if no section has the title. A subclass that overrides `sectionIndexTitles` overrides this
    /// method for the titles that it adds.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - sectionIndex: The index of the entry in `sectionIndexTitles`.
    /// - Returns: The index of the first section of the entry.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        firstSection(withIndexTitle: title, at: sectionIndex)
    }

    /// Removes a cache file, before a request is changed or when the cache is no longer needed.
    ///
    /// - Parameter name: The name of the cache, or nil for all caches of this program.
    open class func deleteCache(withName name: String?) {
        SectionCache.delete(name)
    }

    final func managedObject(at indexPath: IndexPath) -> NSManagedObject {
        guard let list = tracker.visible else {
            preconditionFailure("The results controller has no results yet: call performFetch() first.")
        }
        guard indexPath.count == 2,
            let object = list.object(at: ListPosition(section: indexPath[0], item: indexPath[1]))
        else {
            let counts = list.sections.map { String($0.count) }.joined(separator: ", ")
            preconditionFailure(
                "There is no object at \(Array(indexPath)): the sections have \(counts.isEmpty ? "no" : counts) "
                    + "objects."
            )
        }
        return object
    }

    final func managedIndexPath(of object: Any) -> IndexPath? {
        guard let list = tracker.visible, let object = object as? NSManagedObject else { return nil }
        return list.position(of: object).map(IndexPath.init)
    }
}

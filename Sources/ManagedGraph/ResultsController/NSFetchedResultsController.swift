// The public face of a results controller; the work is in ResultsTracker, which is the same for every result type.
// Not thread-safe: used on its context's queue, like the context.
import Foundation

/// Keeps the results of a fetch in sections, up to date with its context, and tells a delegate of every change.
///
/// Without a delegate the results are those of the last `performFetch()`. With one that has a method for changes, or while
/// anyone listens to `differences`, they follow the context each time it processes its pending changes: the objects'
/// own changes, and those of related objects that the predicate, the sort descriptors or the section names read, along
/// relationships that have inverses. A context looks at a change once for all of its controllers and asks only those
/// that it concerns. After a reset of the context, or when a store was removed, nothing is told before the next
/// `performFetch()`. See
/// [NSFetchedResultsController](https://developer.apple.com/documentation/coredata/nsfetchedresultscontroller).
open class NSFetchedResultsController<ResultType>: NSObject {
    /// The request.
    ///
    /// Changes to it take effect at the next `performFetch()`.
    public final let fetchRequest: NSFetchRequest<ResultType>
    /// The context of the objects.
    public final let managedObjectContext: NSManagedObjectContext
    /// The key path whose values name the sections; nil for one section.
    public final let sectionNameKeyPath: String?
    /// The name of the cache; nil for none.
    ///
    /// Under it a file keeps the sections, their index titles and the objects' keys from one run of the program to the next,
    /// in `ManagedGraph/<bundle identifier or process name>/FetchedResults` of the user's folder for caches. It serves a
    /// fetch of the same entity, predicate, sort descriptors, limits and section name key path as long as the store and the
    /// entity's definition are the same and the context has no unsaved changes; otherwise it is made anew. With a
    /// `fetchBatchSize` such a fetch reads no row.
    public final let cacheName: String?

    private final var trackerStorage: ResultsTracker?
    /// A `ResultsArray<ResultType>`, and one for those who have forgotten the type.
    private final var fetchedArray: AnyObject?
    private final var erasedArray: ResultsArray<any NSFetchRequestResult>?
    private final var sectionsCache: (version: Int, sections: [any NSFetchedResultsSectionInfo])?

    /// Makes a controller; it has no results before `performFetch()`.
    ///
    /// - Parameters:
    ///   - fetchRequest: The request, with at least one sort descriptor. With sections, the first one must bring the
    ///     objects into the order of the sections.
    ///   - context: The context of the objects.
    ///   - sectionNameKeyPath: The key path whose values name the sections, or nil.
    ///   - name: The name of the cache, or nil.
    public init(
        fetchRequest: NSFetchRequest<ResultType>,
        managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?,
        cacheName name: String?
    ) {
        self.fetchRequest = fetchRequest
        managedObjectContext = context
        self.sectionNameKeyPath = sectionNameKeyPath
        cacheName = name
        super.init()
    }

    /// Who is told of changes.
    open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { tracker.delegate }
        set { tracker.delegate = newValue }
    }

    final var tracker: ResultsTracker {
        if let trackerStorage { return trackerStorage }
        let tracker = ResultsTracker(controller: erased, context: managedObjectContext)
        trackerStorage = tracker
        return tracker
    }

    /// This controller as the delegate's methods take it: the same object, with its result type forgotten.
    ///
    /// Sound because no stored property depends on the result type, and because every member whose signature does has
    /// a twin for `any NSFetchRequestResult`, in NSFetchedResultsController+Erased.swift, which the compiler prefers.
    private final var erased: NSFetchedResultsController<any NSFetchRequestResult> {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        return Unmanaged<NSFetchedResultsController<any NSFetchRequestResult>>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Fetches the objects and arranges them.
    ///
    /// A change of the request takes effect here. With a delegate that takes snapshots, it gets one. `fetchLimit` and
    /// `fetchOffset` hold while the controller follows its context too: each change that may concern the results is then
    /// found by fetching again. O(n).
    ///
    /// - Throws: What the fetch throws; 134060 for a request without sort descriptors, for another result type than
    ///   managed objects, for a section name key path that leads nowhere, and for an order that tears sections apart.
    open func performFetch() throws {
        let context = managedObjectContext
        // What is pending is in the result and must not be reported as a change of it.
        context.processPendingChanges()
        let configuration = try ResultsConfiguration(
            fetchRequest,
            sectionNameKeyPath: sectionNameKeyPath,
            context: context
        )
        guard let cache = cacheName.flatMap({ SectionCache(named: $0, configuration, context) }) else {
            return try tracker.load(try configuration.fetch(in: context), known: nil, configuration: configuration)
        }
        let state = cache.storeState(context)
        if let file = state.flatMap(cache.contents) {
            let isBatched = configuration.request.fetchBatchSize > 0 || !configuration.request.includesPropertyValues
            let objects =
                isBatched ? cache.faults(file, configuration, context) : try configuration.fetch(in: context)
            if let objects, objects.count == file.keys.count {
                return try tracker.load(objects, known: file.sections, configuration: configuration)
            }
        }
        try tracker.load(try configuration.fetch(in: context), known: nil, configuration: configuration)
        // What was written meanwhile is not what was read.
        guard let state, cache.storeState(context) == state, let list = tracker.list else { return }
        cache.keep(list, titles: { sectionIndexTitle(forSectionName: $0) }, state: state)
    }

    /// Every change of the results from now on, for any number of consumers on any task.
    ///
    /// As long as anyone listens the controller follows its context, as it does for a delegate.
    public final var differences: FetchedResultsDifferences {
        FetchedResultsDifferences(broadcast: tracker.broadcast)
    }

    /// The objects in order; nil before the first fetch.
    ///
    /// O(n) for the first time and after large changes; after a small one as many objects move as lie between the old place
    /// and the new one, unless the caller still holds an earlier answer.
    open var fetchedObjects: [ResultType]? {
        guard let list = tracker.visible else { return nil }
        if let array = fetchedArray as? ResultsArray<ResultType> { return array.elements(of: list) }
        let array = ResultsArray<ResultType>()
        fetchedArray = array
        return array.elements(of: list)
    }

    /// The same for those who have forgotten the type.
    final var erasedObjects: [any NSFetchRequestResult]? {
        guard let list = tracker.visible else { return nil }
        let array = erasedArray ?? ResultsArray()
        erasedArray = array
        return array.elements(of: list)
    }

    /// The object at a path.
    ///
    /// Stops the program for a path outside of the results.
    ///
    /// - Parameter indexPath: Section and item.
    /// - Returns: The object.
    open func object(at indexPath: IndexPath) -> ResultType {
        guard let object = managedObject(at: indexPath) as? ResultType else {
            preconditionFailure("The object at \(indexPath) is not of type \(ResultType.self).")
        }
        return object
    }

    /// Where an object is; nil for one that is not among the results.
    ///
    /// - Parameter object: A managed object.
    /// - Returns: Section and item.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        managedIndexPath(of: object)
    }

    /// The sections in order; nil before the first fetch.
    ///
    /// O(sections) after a change, else O(1).
    open var sections: [any NSFetchedResultsSectionInfo]? {
        guard let list = tracker.visible else { return nil }
        if let sectionsCache, sectionsCache.version == tracker.version { return sectionsCache.sections }
        let sections = list.sections.map { section in
            ResultsSectionInfo(section, indexTitle: sectionIndexTitle(forSectionName: section.name))
        }
        sectionsCache = (tracker.version, sections)
        return sections
    }

    /// The title of a section in the index: the delegate's, else the capitalised first letter of its name.
    ///
    /// - Parameter sectionName: The name of the section.
    /// - Returns: The title; nil for a section without a name.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        if let known = tracker.cachedTitles[sectionName] { return known }
        if let delegate, !tracker.missingMethods.contains(.indexTitle) {
            let title = delegate.controller(erased, sectionIndexTitleForSectionName: sectionName)
            if !tracker.missingMethods.contains(.indexTitle) { return title }
        }
        return sectionName.isEmpty ? nil : sectionName.prefix(1).uppercased()
    }

    /// Removes the file of a cache: before a request is changed, or where nobody needs it any more.
    ///
    /// - Parameter name: The name of the cache, or nil for all of this program.
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
                "There is no object at \(Array(indexPath)): the sections have \(counts.isEmpty ? "no" : counts) objects."
            )
        }
        return object
    }

    final func managedIndexPath(of object: Any) -> IndexPath? {
        guard let list = tracker.visible, let object = object as? NSManagedObject else { return nil }
        return list.position(of: object).map(IndexPath.init)
    }
}

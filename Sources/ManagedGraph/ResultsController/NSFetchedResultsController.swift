// The public face of a results controller; the work is in ResultsTracker, which is the same for every result type.
// Not thread-safe: used on its context's queue, like the context.
import Foundation

/// Keeps the results of a fetch in sections, up to date with its context, and tells a delegate of every change.
///
/// Without a delegate the results are those of the last `performFetch()`. With one they follow the context each time it
/// processes its pending changes. See
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
    /// The name of the cache.
    ///
    /// Index titles are kept under it in memory; sections are made anew at every fetch.
    public final let cacheName: String?

    private final var trackerStorage: ResultsTracker?
    /// `[ResultType]` of the version beside it.
    private final var objectsCache: (version: Int, objects: Any)?
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
    /// - Throws: What the fetch throws; 134060 for a request without sort descriptors, or whose order tears the
    ///   sections apart.
    open func performFetch() throws {
        let configuration = try ResultsConfiguration(
            fetchRequest,
            sectionNameKeyPath: sectionNameKeyPath,
            context: managedObjectContext
        )
        let results = try managedObjectContext.fetch(fetchRequest)
        if configuration.mustSortInMemory(managedObjectContext) {
            let sorted = configuration.sort.sorted(results.compactMap { $0 as? NSManagedObject })
            try tracker.load(sorted, configuration: configuration)
        } else {
            try tracker.load(results.lazy.compactMap { $0 as? NSManagedObject }, configuration: configuration)
            objectsCache = (tracker.version, results)
        }
    }

    /// The objects in order; nil before the first fetch.
    ///
    /// O(n) after a change, else O(1).
    open var fetchedObjects: [ResultType]? {
        guard let list = tracker.list else { return nil }
        if let objectsCache, objectsCache.version == tracker.version, let known = objectsCache.objects as? [ResultType]
        {
            return known
        }
        let objects = list.objects.compactMap { $0 as? ResultType }
        objectsCache = (tracker.version, objects)
        return objects
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
        guard let list = tracker.list else { return nil }
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
        if let cacheName, let known = SectionTitleCache.title(forSection: sectionName, cache: cacheName) {
            return known
        }
        var title: String?
        if let delegate, !tracker.missingMethods.contains(.indexTitle) {
            title = delegate.controller(erased, sectionIndexTitleForSectionName: sectionName)
        }
        if delegate == nil || tracker.missingMethods.contains(.indexTitle) {
            title = sectionName.isEmpty ? nil : sectionName.prefix(1).uppercased()
        }
        if let cacheName, let title { SectionTitleCache.setTitle(title, forSection: sectionName, cache: cacheName) }
        return title
    }

    /// Forgets what is kept in memory for controllers with a cache name.
    ///
    /// - Parameter name: The name of the cache, or nil for all.
    open class func deleteCache(withName name: String?) {
        SectionTitleCache.delete(name)
    }

    final func managedObject(at indexPath: IndexPath) -> NSManagedObject {
        guard let list = tracker.list else {
            preconditionFailure("The results controller has no results yet: call performFetch() first.")
        }
        guard indexPath.count == 2,
            let object = list.object(at: ListPosition(section: indexPath[0], item: indexPath[1]))
        else {
            preconditionFailure("There is no object at \(indexPath): the controller has \(list.count) objects.")
        }
        return object
    }

    final func managedIndexPath(of object: Any) -> IndexPath? {
        guard let list = tracker.list, let object = object as? NSManagedObject else { return nil }
        return list.position(of: object).map(IndexPath.init)
    }
}

// The core of a results controller, independent of the result type: keeps the list up to date with its context. Owned
// by NSFetchedResultsController, called by ResultsRouter; runs on the context's queue only.
// ResultsTracker+Delivery.swift reports the changes.
//
//     no results ── load ──▶ at rest ── delegate or consumer ──▶ following ── reset, store removed ──▶ stale ─ load ▶ …
//                             ▲ └── load ─┘                        │ └─ change ─┘
//                             └── neither delegate nor consumer ───┘
import Foundation

/// Keeps results up to date with a context.
final class ResultsTracker {
    /// The controller, passed to the delegate's methods.
    ///
    /// It owns the tracker.
    private(set) weak var controller: NSFetchedResultsController<any NSFetchRequestResult>?
    private unowned let context: NSManagedObjectContext
    /// The current results.
    var list: SectionedList?
    /// The former results, while readers must not see the change yet.
    var shown: FrozenList?
    private(set) var configuration: ResultsConfiguration?
    /// Index titles from the cache, by section name.
    private(set) var cachedTitles: [String: String] = [:]
    /// Methods that the delegate is known to lack.
    var missingMethods: DelegateMethods = []
    /// Methods that the delegate is known to implement.
    var knownMethods: DelegateMethods = []
    /// Incremented whenever the visible results change.
    var version = 0
    /// Objects that were delivered under a temporary ID.
    var temporary: [ObjectIdentifier: (object: NSManagedObject, id: NSManagedObjectID)] = [:]
    private(set) lazy var broadcast: ResultsBroadcast = {
        hasBroadcast = true
        return ResultsBroadcast(self, context: context)
    }()
    private var hasBroadcast = false

    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet {
            missingMethods = []
            knownMethods = []
            shown = nil
            updateFollowing()
        }
    }

    private var router: ResultsRouter?
    /// The tracker's number in the router while it follows the context.
    private var number: Int?
    /// The last event that the list reflects, while the tracker does not follow the context.
    private var lastEvent = 0
    private var lastReset = 0
    /// Whether changes were missed, so that the next one must be found by fetching again.
    private var mustFetchAgain = false
    /// Whether the objects were invalidated: nothing is reported before the next fetch.
    private var isStale = false
    private var stores: [NSPersistentStore] = []
    var isReporting = false
    private var waiting: [(ContextChange, ChangeShare)] = []
    private var mustRename = false

    init(controller: NSFetchedResultsController<any NSFetchRequestResult>, context: NSManagedObjectContext) {
        self.controller = controller
        self.context = context
    }

    deinit {
        if let number { router?.depart(number) }
        if hasBroadcast { broadcast.finish() }
    }

    /// The results that readers see.
    var visible: SectionedList? { shown?.list ?? list }

    var hasConsumers: Bool { hasBroadcast && broadcast.hasConsumers }

    /// Whether the delegate or a consumer uses object IDs.
    var wantsIdentifiers: Bool {
        // A controller with sections never reports a difference.
        let methods: DelegateMethods =
            configuration?.sectionNameKeyPath == nil ? [.snapshot, .difference] : .snapshot
        return (delegate != nil && !missingMethods.isSuperset(of: methods)) || hasConsumers
    }

    // MARK: Fetching

    /// Takes over the results of a fetch.
    ///
    /// - Parameters:
    ///   - objects: The objects in order.
    ///   - cachedSections: The sections, if the cache has them.
    ///   - configuration: The settings of the fetch.
    /// - Throws: 134060 if the objects of one section are not contiguous.
    func load(
        _ objects: [NSManagedObject],
        known cachedSections: [CachedSection]?,
        configuration: ResultsConfiguration
    ) throws {
        let new: SectionedList
        if let cachedSections {
            new = SectionedList(objects, known: cachedSections.map { ($0.name, $0.count) }, rules: configuration.rules)
        } else {
            do {
                new = try SectionedList(objects, rules: configuration.rules)
            } catch {
                throw Self.error(error, configuration)
            }
        }
        let before = hasConsumers ? content(list) : nil
        stopFollowing()
        shown = nil
        list = new
        cachedTitles = [:]
        for section in cachedSections ?? [] { cachedTitles[section.name] = section.indexTitle }
        self.configuration = configuration
        version += 1
        lastEvent = context.eventNumber
        lastReset = context.resetCount
        stores = context.registry.coordinator?.persistentStores ?? []
        (isStale, mustFetchAgain, waiting) = (false, false, [])
        updateFollowing()
        temporary = [:]
        if wantsIdentifiers {
            // For a child context, objects that its parent has not saved have temporary IDs too.
            noteTemporary(context.parent == nil ? context.insertedList.filter(new.contains) : new.objects)
        }
        if let before { broadcast.send(FetchedResultsDifference(from: before, to: content(new))) }
        if let controller, let delegate {
            let report = ChangeReport(controller: controller, delegate: delegate)
            report.snapshot(new, changed: [], deliveredIDs: temporary.mapValues(\.id))
        }
    }

    static func error(_ violation: SectionOrderViolation, _ configuration: ResultsConfiguration) -> NSError {
        let path = configuration.sectionNameKeyPath ?? ""
        return ResultsConfiguration.error(
            "the object at index \(violation.index) has the section name \"\(violation.sectionName)\", but objects of "
                + "other sections are between it and the others of that name",
            remedy: "Sort by \(path) first, or by a key that brings its values into the same order."
        )
    }

    // MARK: Following the context

    /// Sends the current results to a new consumer of differences.
    func welcome(_ mailbox: DifferenceMailbox) {
        shown = nil
        version += 1
        updateFollowing()
        guard let list else { return }
        noteTemporary(list.objects.lazy)
        mailbox.send(FetchedResultsDifference(from: FetchedResultsContent(), to: content(list)))
    }

    /// Registers with the context's router, or unregisters.
    func updateFollowing() {
        let follows = list != nil && ((delegate != nil && mayHaveChangeMethod) || hasConsumers)
        if follows, number == nil, let configuration {
            list?.prepareForChanges()
            let router = context.resultsRouter
            self.router = router
            number = router.add(self, configuration)
            if context.eventNumber != lastEvent { mustFetchAgain = true }
            if context.resetCount != lastReset { isStale = true }
        } else if !follows {
            stopFollowing()
        }
    }

    private func stopFollowing() {
        guard let number else { return }
        router?.depart(number)
        self.number = nil
        lastEvent = context.eventNumber
        lastReset = context.resetCount
    }

    /// Whether the delegate may implement a method for changes.
    ///
    /// A controller with sections never reports a difference.
    private var mayHaveChangeMethod: Bool {
        var methods: DelegateMethods = [.willChange, .object, .didChange, .snapshot]
        methods.insert(configuration?.sectionNameKeyPath == nil ? .difference : .section)
        return !missingMethods.isSuperset(of: methods)
    }

    /// All objects of the context were invalidated.
    func invalidate() {
        isStale = true
    }

    /// The list may not reflect the changes in their order: the next change is found by fetching again.
    func missChanges() {
        mustFetchAgain = true
    }

    /// Processes a notification; one that arrives while the delegate is being notified is queued.
    func contextDidChange(_ change: ContextChange, _ share: ChangeShare) {
        waiting.append((change, share))
        drainQueue()
    }

    /// Schedules a check for permanent IDs after a save.
    func identifiersMayHaveChanged() {
        mustRename = true
        drainQueue()
    }

    private func drainQueue() {
        guard !isReporting else { return }
        isReporting = true
        defer { isReporting = false }
        while true {
            if !waiting.isEmpty {
                let (change, share) = waiting.removeFirst()
                process(change, share)
            } else if mustRename {
                mustRename = false
                if number != nil, !isStale { deliverIdentifiers() }
            } else {
                return
            }
        }
    }

    private func process(_ change: ContextChange, _ share: ChangeShare) {
        // A removed store takes its objects with it.
        if hasLostStore { isStale = true }
        guard number != nil, !isStale, let list, let configuration else { return }
        guard delegate != nil || hasConsumers else { return updateFollowing() }
        let edits = share.edits(of: change, for: configuration, list: list)
        if mustFetchAgain || configuration.isWindow {
            guard let step = fetchedAgain(edits, list, configuration) else { return }
            deliver(step, list, configuration)
        } else if !edits.isEmpty {
            let plan = list.plan(edits)
            if !plan.isEmpty { deliver(.plan(plan), list, configuration) }
        }
    }

    /// Whether a store was removed; one that was moved has left too, but its objects are in the store in its place.
    private var hasLostStore: Bool {
        stores.contains {
            $0.persistentStoreCoordinator == nil && context.registry.coordinator?.store(at: $0.index) == nil
        }
    }

    /// Fetches again and compares the results with the list: used if changes were missed, or if the results are only a
    /// part of the objects that satisfy the predicate.
    private func fetchedAgain(
        _ edits: [ListEdit],
        _ list: SectionedList,
        _ configuration: ResultsConfiguration
    ) -> ResultsStep? {
        do {
            let objects = try configuration.fetch(in: context)
            router?.forgetSeen()
            let new: SectionedList
            do {
                new = try SectionedList(objects, rules: configuration.rules)
            } catch {
                throw Self.error(error, configuration)
            }
            mustFetchAgain = false
            let changes = ListChanges(from: list, to: new, edits: edits)
            return changes.isEmpty ? nil : .replacement(new, changes)
        } catch {
            Diagnosis.log.error("A results controller could not follow its context: \(error)")
            mustFetchAgain = true
            return nil
        }
    }

    // MARK: Identifiers

    /// The content of a list with the IDs that consumers have received.
    func content(_ list: SectionedList?) -> FetchedResultsContent {
        var content = FetchedResultsContent()
        content.sections = (list?.content ?? []).map { name, objects in
            FetchedResultsContent.Section(name: name, objectIDs: objects.map(deliveredID))
        }
        return content
    }

    /// The ID under which an object was last delivered.
    func deliveredID(_ object: NSManagedObject) -> NSManagedObjectID {
        temporary[ObjectIdentifier(object)]?.id ?? object.objectID
    }

    /// Records the objects that are delivered under temporary IDs.
    func noteTemporary(_ objects: some Sequence<NSManagedObject>) {
        for object in objects where object.key.primaryKey <= 0 && temporary[ObjectIdentifier(object)] == nil {
            let id = object.objectID
            if id.isTemporaryID { temporary[ObjectIdentifier(object)] = (object, id) }
        }
        if let number, !temporary.isEmpty { router?.noteTemporaryIDs(number) }
    }
}

extension ListChanges {
    /// The differences between two lists, with the edits deciding how objects that both contain have changed.
    ///
    /// O(n log n).
    fileprivate init(
        from old: SectionedList,
        to new: SectionedList,
        edits: [ListEdit]
    ) {
        self.init()
        let comparison = ListComparison(from: old.content, to: new.content)
        deletedSections = comparison.deletedSections.map { (old.sections[$0.index], $0.index) }
        insertedSections = comparison.insertedSections.map { (new.sections[$0.index], $0.index) }
        deleted = comparison.deleted.map { ($0.element, $0.from) }
        inserted = comparison.inserted.map { ($0.element, $0.to) }
        moved = comparison.moved.map { ($0.element, $0.from, $0.to) }
        var keys: [ObjectIdentifier: ListEdit.Keys] = [:]
        for edit in edits { keys[ObjectIdentifier(edit.object)] = edit.keys }
        for (object, from, to) in comparison.unmoved {
            guard let keys = keys[ObjectIdentifier(object)] else { continue }
            if keys == .changed { moved.append((object, from, to)) } else { updated.append((object, from, to)) }
        }
        moved.sort { $0.from < $1.from }
    }
}

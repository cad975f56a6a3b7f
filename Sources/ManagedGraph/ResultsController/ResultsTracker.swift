// The working part of a results controller, the same for every type of result: keeps the list up to date with its
// context and reports to the delegate. Owned by NSFetchedResultsController; runs on the context's queue only.
import Foundation

/// Follows the changes of a context.
final class ResultsTracker {
    /// The controller, for the delegate's methods.
    ///
    /// It owns the tracker and so outlives it.
    unowned let controller: NSFetchedResultsController<any NSFetchRequestResult>
    private unowned let context: NSManagedObjectContext
    private(set) var list: SectionedList<NSManagedObject>?
    private(set) var configuration: ResultsConfiguration?
    /// What the delegate has no implementation of, as far as is known.
    var missingMethods: DelegateMethods = []
    /// Whether the delegate is known to have the method for differences; it then gets nothing else.
    private var takesDifferences = false
    /// Changes with every change of the list.
    private(set) var version = 0

    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet {
            missingMethods = []
            takesDifferences = false
            updateObservation()
        }
    }

    private var observer: (any NSObjectProtocol)?
    private var isReporting = false
    private var waiting: [ContextChange] = []

    init(controller: NSFetchedResultsController<any NSFetchRequestResult>, context: NSManagedObjectContext) {
        self.controller = controller
        self.context = context
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    /// Takes over the results of a fetch.
    ///
    /// - Throws: 134060 where the objects of one section do not follow each other.
    func load(_ objects: some Sequence<NSManagedObject>, configuration: ResultsConfiguration) throws {
        do {
            list = try SectionedList(objects, rules: configuration.rules)
        } catch {
            let path = configuration.sectionNameKeyPath ?? ""
            throw ResultsConfiguration.error(
                "the object at index \(error.index) has the section name \"\(error.sectionName)\", but objects of "
                    + "other sections lie between it and the others of that name",
                remedy: "Sort by \(path) first, or by a key that brings its values into the same order."
            )
        }
        self.configuration = configuration
        version += 1
        updateObservation()
    }

    // MARK: Observing the context

    private func updateObservation() {
        let mustObserve = delegate != nil && list != nil
        if mustObserve, observer == nil {
            let target = ContextObserver(self)
            observer = NotificationCenter.default.addObserver(
                forName: NSManagedObjectContext.didChangeObjectsNotification,
                object: context,
                queue: nil
            ) { notification in
                target.tracker?.contextDidChange(ContextChange(notification.userInfo ?? [:]))
            }
        } else if !mustObserve, let observer {
            NotificationCenter.default.removeObserver(observer)
            self.observer = nil
        }
    }

    /// Takes in one notification; one that arrives while the delegate is being told of another waits.
    private func contextDidChange(_ change: ContextChange) {
        waiting.append(change)
        guard !isReporting else { return }
        isReporting = true
        defer { isReporting = false }
        while !waiting.isEmpty { process(waiting.removeFirst()) }
    }

    private func process(_ change: ContextChange) {
        guard let delegate, let list, let configuration, !change.isTotal else { return }
        let edits = change.edits(for: configuration, list: list)
        guard !edits.isEmpty else { return }
        let plan = list.plan(edits)
        guard !plan.isEmpty else { return }

        let report = ChangeReport(controller: controller, delegate: delegate)
        // Whether the delegate takes differences only shows when it is offered the first one; until then it is told
        // that changes are coming, and if it was, also that they are over.
        let offersDifference = configuration.sectionNameKeyPath == nil && !missingMethods.contains(.difference)
        let isSilent = offersDifference && takesDifferences
        if !isSilent { report.willChange() }
        let changes = list.apply(plan)
        version += 1
        if offersDifference {
            report.difference(changes)
            takesDifferences = !missingMethods.contains(.difference)
            if takesDifferences {
                if !isSilent { report.didChange() }
                return
            }
        }
        report.sections(changes)
        report.objects(changes)
        report.didChange()
    }
}

/// Lets a notification's closure, which may be sent anywhere, hold a tracker, which may not.
// Sendable: notifications of a context are posted and taken on its own queue.
private final class ContextObserver: @unchecked Sendable {
    weak var tracker: ResultsTracker?

    init(_ tracker: ResultsTracker) {
        self.tracker = tracker
    }
}

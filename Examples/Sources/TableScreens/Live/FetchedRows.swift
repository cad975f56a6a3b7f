// The rows of a fetched results controller, with index paths mapped to positions in the whole table. Created by
// Table.fetched, used by LiveTable on the context's queue. Rows are rendered when changes are taken, not when they are
// reported, because an inserted object has its permanent ID only after the save.
import CoreData
import Foundation

final class FetchedRows<Object: NSManagedObject>: RowSource, NSFetchedResultsControllerDelegate {
    var changed: () -> Void = {}
    var activity: ActivityFeed?
    /// The changes of the current batch for the panel “Under the Hood”; nil while no panel is open.
    private var delivered: ControllerChanges?
    private let controller: NSFetchedResultsController<Object>
    private let sectionTitle: (String) -> String
    private let hasSections: Bool
    private let makeRow: (Object) -> Row
    private var related: RelatedValues?
    private var batches: [PendingBatch] = []
    private var open = PendingBatch()
    /// The controller reported a change without the positions that it needs.
    private var mustReload = false
    /// The rows are the same, but their contents may have changed.
    private var mustRefresh = false
    /// The section counts before the current batch.
    private var counts: [Int] = []

    private struct PendingBatch {
        var changes: [PendingChange] = []
        var sections: [SectionShape] = []
    }

    private enum PendingChange {
        case delete(at: Int)
        case insert(to: Int, Object)
        case move(from: Int, to: Int, Object)
        case update(Object)
    }

    init(
        request: NSFetchRequest<Object>,
        context: NSManagedObjectContext,
        sectionNameKeyPath: String?,
        cacheName: String?,
        refreshedBy: Set<String>,
        sectionTitle: @escaping (String) -> String,
        row: @escaping (Object) -> Row
    ) {
        controller = NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: sectionNameKeyPath,
            cacheName: cacheName
        )
        self.sectionTitle = sectionTitle
        hasSections = sectionNameKeyPath != nil
        makeRow = row
        if !refreshedBy.isEmpty {
            related = RelatedValues(of: refreshedBy, in: context) { [weak self] in
                self?.mustRefresh = true
                self?.changed()
            }
        }
    }

    func load() throws {
        controller.delegate = self
        try controller.performFetch()
        counts = sectionCounts
    }

    var sections: [SectionShape] {
        (controller.sections ?? []).map { section in
            SectionShape(title: hasSections ? sectionTitle(section.name) : "", count: section.numberOfObjects)
        }
    }

    func rows(in range: Range<Int>) throws -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(range.count)
        var start = 0
        for (section, count) in sectionCounts.enumerated() {
            let overlap = range.clamped(to: start..<(start + count))
            for place in overlap {
                rows.append(makeRow(controller.object(at: IndexPath(indexes: [section, place - start]))))
            }
            start += count
        }
        return rows
    }

    func takeChanges() throws -> RowChanges {
        let pendingBatches = batches
        batches = []
        if mustReload {
            try controller.performFetch()
            mustReload = false
            counts = sectionCounts
            return .everything
        }
        if mustRefresh {
            mustRefresh = false
            return .everything
        }
        guard !pendingBatches.isEmpty else { return .none }
        // Beyond the limit, browsers reload the rows, so do not build them here.
        guard pendingBatches.allSatisfy({ $0.changes.count <= LiveTable.changeLimit }) else { return .everything }
        var result: [RowBatchChange] = []
        for batch in pendingBatches {
            var changes: [RowChange] = []
            for change in batch.changes {
                guard let change = finished(change) else { return .everything }
                changes.append(change)
            }
            result.append(RowBatchChange(changes: changes, sections: batch.sections))
        }
        return .batches(result)
    }

    /// Returns nil if the object is gone, such as an insertion that a failed save has rolled back.
    private func finished(_ change: PendingChange) -> RowChange? {
        switch change {
        case .delete(let place):
            return .delete(at: place)
        case .insert(let place, let object):
            return isAlive(object) ? .insert(to: place, makeRow(object)) : nil
        case .move(let from, let to, let object):
            return isAlive(object) ? .move(from: from, to: to, makeRow(object)) : nil
        case .update(let object):
            return isAlive(object) ? .update(makeRow(object)) : nil
        }
    }

    private func isAlive(_ object: Object) -> Bool {
        object.managedObjectContext != nil && !object.isDeleted && !object.objectID.isTemporaryID
    }

    private var sectionCounts: [Int] { (controller.sections ?? []).map(\.numberOfObjects) }

    private func place(_ path: IndexPath, in counts: [Int]) -> Int {
        counts.prefix(path[0]).reduce(0, +) + path[1]
    }

    // MARK: NSFetchedResultsControllerDelegate

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        open = PendingBatch()
        if activity?.isObserved == true {
            delivered = ControllerChanges(entity: controller.fetchRequest.entityName ?? "")
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        guard let object = anObject as? Object else { return }
        delivered?.append(.init(type, object.objectID, indexPath, newIndexPath))
        let after = sectionCounts
        switch (type, indexPath, newIndexPath) {
        case (.insert, _, let new?):
            open.changes.append(.insert(to: place(new, in: after), object))
        case (.delete, let old?, _):
            open.changes.append(.delete(at: place(old, in: counts)))
        case (.move, let old?, let new?):
            open.changes.append(.move(from: place(old, in: counts), to: place(new, in: after), object))
        case (.update, _, _):
            open.changes.append(.update(object))
        default:
            mustReload = true
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        open.sections = sections
        counts = sectionCounts
        batches.append(open)
        open = PendingBatch()
        if let delivered { activity?.record(.controller(delivered)) }
        delivered = nil
        changed()
    }
}

// The rows of a fetch filtered by a predicate in memory, in the order of the fetch, as one section. Created by
// Table.fetched during a search, used by LiveTable on the context's queue. A results controller reports the changed
// objects, and the new matches are compared with the previous ones.
import CoreData
import Foundation

final class FilteredRows<Object: NSManagedObject>: RowSource, NSFetchedResultsControllerDelegate {
    var changed: () -> Void = {}
    var activity: ActivityFeed?
    private var delivered: ControllerChanges?
    private let controller: NSFetchedResultsController<Object>
    private let predicate: NSPredicate
    private let makeRow: (Object) -> Row
    private var observer: ContextObserver?
    /// The matching objects, in order and as a set, so that only changed objects are evaluated again.
    private var orderedMatches: [Object] = []
    private var matching: Set<Object> = []
    private var touched: Set<Object> = []
    private var isStale = false
    private var mustReload = false

    /// Fetches a copy of the request without batches, because every object is evaluated.
    init(
        request: NSFetchRequest<Object>,
        context: NSManagedObjectContext,
        predicate: NSPredicate,
        refreshedBy: Set<String>,
        row: @escaping (Object) -> Row
    ) {
        let unbatchedRequest = request.copy() as? NSFetchRequest<Object> ?? request
        unbatchedRequest.fetchBatchSize = 0
        controller = NSFetchedResultsController(
            fetchRequest: unbatchedRequest,
            managedObjectContext: context,
            sectionNameKeyPath: nil,
            cacheName: nil
        )
        self.predicate = predicate
        makeRow = row
        if !refreshedBy.isEmpty {
            observer = ContextObserver(context) { [weak self] names in
                guard let self, !names.isDisjoint(with: refreshedBy) else { return }
                self.mustReload = true
                self.changed()
            }
        }
    }

    func load() throws {
        controller.delegate = self
        try controller.performFetch()
        filterAll()
    }

    var sections: [SectionShape] { [SectionShape(title: "", count: orderedMatches.count)] }

    func rows(in range: Range<Int>) throws -> [Row] {
        orderedMatches[range.clamped(to: orderedMatches.indices)].map(makeRow)
    }

    func takeChanges() throws -> RowChanges {
        guard isStale || mustReload else { return .none }
        let old = orderedMatches
        let changed = touched
        let reloads = mustReload
        isStale = false
        mustReload = false
        touched = []
        guard !reloads else {
            filterAll()
            return .everything
        }
        for object in changed {
            if finds(object) { matching.insert(object) } else { matching.remove(object) }
        }
        // If no changed object matched before or matches now, the rows are unchanged.
        guard changed.contains(where: matching.contains) || old.contains(where: changed.contains) else { return .none }
        orderedMatches = (controller.fetchedObjects ?? []).filter(matching.contains)
        guard let changes = changes(from: old, updated: changed) else { return .everything }
        return changes.isEmpty ? .none : .batches([RowBatchChange(changes: changes, sections: sections)])
    }

    private func filterAll() {
        orderedMatches = (controller.fetchedObjects ?? []).filter(finds)
        matching = Set(orderedMatches)
    }

    private func finds(_ object: Object) -> Bool {
        object.managedObjectContext != nil && !object.isDeleted && predicate.evaluate(with: object)
    }

    /// Returns nil if there are too many changes to report one by one.
    private func changes(from old: [Object], updated: Set<Object>) -> [RowChange]? {
        let before = Set(old)
        let after = Set(orderedMatches)
        guard before.symmetricDifference(after).count <= LiveTable.changeLimit else { return nil }
        // Unsaved objects, such as those of a failed save, have no permanent reference for their rows.
        guard after.allSatisfy({ !$0.objectID.isTemporaryID }) else { return nil }
        var changes = old.indices.filter { !after.contains(old[$0]) }.map { RowChange.delete(at: $0) }
        changes += orderedMatches.indices.filter { !before.contains(orderedMatches[$0]) }.map {
            .insert(to: $0, makeRow(orderedMatches[$0]))
        }
        // The remaining objects in the old and in the new order; any difference means that rows moved.
        let stayed = old.filter(after.contains)
        let stays = orderedMatches.filter(before.contains)
        var moved: Set<Object> = []
        if stayed != stays {
            for change in stays.difference(from: stayed) {
                if case .insert(_, let object, _) = change { moved.insert(object) }
            }
            guard moved.count <= LiveTable.changeLimit else { return nil }
            for object in moved {
                guard let from = old.firstIndex(of: object), let to = orderedMatches.firstIndex(of: object) else {
                    return nil
                }
                changes.append(.move(from: from, to: to, makeRow(object)))
            }
        }
        for object in updated where before.contains(object) && after.contains(object) && !moved.contains(object) {
            changes.append(.update(makeRow(object)))
        }
        return changes
    }

    // MARK: NSFetchedResultsControllerDelegate

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
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
        touched.insert(object)
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        isStale = true
        if let delivered { activity?.record(.controller(delivered)) }
        delivered = nil
        changed()
    }
}

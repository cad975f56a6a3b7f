// The rows of a fetch that a predicate finds in memory, in the order of the fetch, as one section. Made by Table.fetched
// while somebody searches, used by LiveTable, on the context's queue. A results controller tells what changes; the rows
// found are compared with those found before.
import CoreData
import Foundation

final class FilteredRows<Object: NSManagedObject>: RowSource, NSFetchedResultsControllerDelegate {
    var changed: () -> Void = {}
    private let controller: NSFetchedResultsController<Object>
    private let predicate: NSPredicate
    private let makeRow: (Object) -> Row
    private var observer: ContextObserver?
    /// The objects that the predicate finds, in order, and as a set, so that only changed ones are looked at again.
    private var found: [Object] = []
    private var matching: Set<Object> = []
    private var touched: Set<Object> = []
    private var isStale = false
    private var mustReload = false

    /// A copy of the request is fetched whole, for all its objects are looked at.
    init(
        request: NSFetchRequest<Object>,
        context: NSManagedObjectContext,
        predicate: NSPredicate,
        refreshedBy: Set<String>,
        row: @escaping (Object) -> Row
    ) {
        let whole = request.copy() as? NSFetchRequest<Object> ?? request
        whole.fetchBatchSize = 0
        controller = NSFetchedResultsController(
            fetchRequest: whole,
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

    var sections: [SectionShape] { [SectionShape(title: "", count: found.count)] }

    func rows(in range: Range<Int>) throws -> [Row] {
        found[range.clamped(to: found.indices)].map(makeRow)
    }

    func takeChanges() throws -> RowChanges {
        guard isStale || mustReload else { return .none }
        let old = found
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
        // Where what changed was not found before and is not now, the order of the others is what it was.
        guard changed.contains(where: matching.contains) || old.contains(where: changed.contains) else { return .none }
        found = (controller.fetchedObjects ?? []).filter(matching.contains)
        guard let changes = changes(from: old, updated: changed) else { return .everything }
        return changes.isEmpty ? .none : .batches([RowBatchChange(changes: changes, sections: sections)])
    }

    private func filterAll() {
        found = (controller.fetchedObjects ?? []).filter(finds)
        matching = Set(found)
    }

    private func finds(_ object: Object) -> Bool {
        object.managedObjectContext != nil && !object.isDeleted && predicate.evaluate(with: object)
    }

    /// Nil where too much changed to be told one by one.
    private func changes(from old: [Object], updated: Set<Object>) -> [RowChange]? {
        let before = Set(old)
        let after = Set(found)
        guard before.symmetricDifference(after).count <= LiveTable.changeLimit else { return nil }
        // Objects not saved yet, as those of a failed save, have no reference that a row could have.
        guard after.allSatisfy({ !$0.objectID.isTemporaryID }) else { return nil }
        var changes = old.indices.filter { !after.contains(old[$0]) }.map { RowChange.delete(at: $0) }
        changes += found.indices.filter { !before.contains(found[$0]) }.map { .insert(to: $0, makeRow(found[$0])) }
        // What stayed, in the old order and in the new: where they differ, rows have moved.
        let stayed = old.filter(after.contains)
        let stays = found.filter(before.contains)
        var moved: Set<Object> = []
        if stayed != stays {
            for change in stays.difference(from: stayed) {
                if case .insert(_, let object, _) = change { moved.insert(object) }
            }
            guard moved.count <= LiveTable.changeLimit else { return nil }
            for object in moved {
                guard let from = old.firstIndex(of: object), let to = found.firstIndex(of: object) else { return nil }
                changes.append(.move(from: from, to: to, makeRow(object)))
            }
        }
        for object in updated where before.contains(object) && after.contains(object) && !moved.contains(object) {
            changes.append(.update(makeRow(object)))
        }
        return changes
    }

    // MARK: The controller's reports

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        if let object = anObject as? Object { touched.insert(object) }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        isStale = true
        changed()
    }
}

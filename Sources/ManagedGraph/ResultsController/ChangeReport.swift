// The order in which a delegate is told of changes: will change, sections, objects, did change. Called by
// ResultsTracker; skips the methods that the delegate is known to lack.
import Foundation

/// Tells a delegate what has happened.
struct ChangeReport {
    typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>

    let controller: Controller
    let delegate: any NSFetchedResultsControllerDelegate

    func willChange() {
        if has(.willChange) { delegate.controllerWillChangeContent(controller) }
    }

    func didChange() {
        if has(.didChange) { delegate.controllerDidChangeContent(controller) }
    }

    /// Deleted sections with their old indexes, then inserted ones with their new indexes.
    func sections(_ changes: ListChanges<NSManagedObject>) {
        for (section, index) in changes.deletedSections where has(.section) {
            delegate.controller(controller, didChange: info(section), atSectionIndex: index, for: .delete)
        }
        for (section, index) in changes.insertedSections where has(.section) {
            delegate.controller(controller, didChange: info(section), atSectionIndex: index, for: .insert)
        }
    }

    /// Deletions, insertions, moves, updates.
    func objects(_ changes: ListChanges<NSManagedObject>) {
        for (object, from) in changes.deleted { report(object, from, .delete, nil) }
        for (object, to) in changes.inserted { report(object, nil, .insert, to) }
        for (object, from, to) in changes.moved { report(object, from, .move, to) }
        for (object, from, to) in changes.updated { report(object, from, .update, to) }
    }

    /// All changes of a list without sections as a difference of object IDs.
    func difference(_ changes: ListChanges<NSManagedObject>) {
        var parts: [CollectionDifference<NSManagedObjectID>.Change] = []
        for (object, from) in changes.deleted {
            parts.append(.remove(offset: from.item, element: object.objectID, associatedWith: nil))
        }
        for (object, to) in changes.inserted {
            parts.append(.insert(offset: to.item, element: object.objectID, associatedWith: nil))
        }
        for (object, from, to) in changes.moved + changes.updated {
            parts.append(.remove(offset: from.item, element: object.objectID, associatedWith: to.item))
            parts.append(.insert(offset: to.item, element: object.objectID, associatedWith: from.item))
        }
        guard let difference = CollectionDifference(parts) else {
            preconditionFailure("The changes of a results controller contradict each other.")
        }
        delegate.controller(controller, didChangeContentWith: difference)
    }

    private func report(
        _ object: NSManagedObject,
        _ from: ListPosition?,
        _ type: NSFetchedResultsChangeType,
        _ to: ListPosition?
    ) {
        guard has(.object) else { return }
        delegate.controller(
            controller,
            didChange: object,
            at: from.map(IndexPath.init),
            for: type,
            newIndexPath: to.map(IndexPath.init)
        )
    }

    private func has(_ method: DelegateMethods) -> Bool {
        !controller.tracker.missingMethods.contains(method)
    }

    private func info(_ section: ListSection<NSManagedObject>) -> ResultsSectionInfo {
        ResultsSectionInfo(section, indexTitle: controller.sectionIndexTitle(forSectionName: section.name))
    }
}

extension IndexPath {
    init(_ position: ListPosition) {
        self.init(indexes: [position.section, position.item])
    }
}

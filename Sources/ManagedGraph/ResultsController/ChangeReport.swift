// Reports changes to a delegate: will change, sections, objects, did change; or one snapshot; or one difference. Called
// by ResultsTracker. Records the methods the delegate turns out to have, and skips those it is known to lack.
import Foundation

#if canImport(UIKit)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

/// Reports one set of changes to a delegate.
struct ChangeReport {
    typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>

    let controller: Controller
    let delegate: any NSFetchedResultsControllerDelegate

    func willChange() {
        call(.willChange) { delegate.controllerWillChangeContent(controller) }
    }

    func didChange() {
        call(.didChange) { delegate.controllerDidChangeContent(controller) }
    }

    /// Reports deleted sections with their old indexes, then inserted sections with their new indexes.
    func sections(_ changes: ListChanges) {
        for (section, index) in changes.deletedSections { report(section, index, .delete) }
        for (section, index) in changes.insertedSections { report(section, index, .insert) }
    }

    /// Reports deletions, then insertions, moves and updates.
    func objects(_ changes: ListChanges) {
        for (object, from) in changes.deleted { report(object, from, .delete, nil) }
        for (object, to) in changes.inserted { report(object, nil, .insert, to) }
        for (object, from, to) in changes.moved { report(object, from, .move, to) }
        for (object, from, to) in changes.updated { report(object, from, .update, to) }
    }

    /// Reports all changes of a list without sections as a difference of object IDs.
    func difference(_ difference: @autoclosure () -> FetchedResultsDifference) {
        call(.difference) {
            delegate.controller(controller, didChangeContentWith: difference().collectionDifference)
        }
    }

    /// Reports the current list, with the changed objects marked.
    func snapshot(
        _ list: SectionedList,
        changed: [NSManagedObjectID],
        deliveredIDs: [ObjectIdentifier: NSManagedObjectID]
    ) {
        call(.snapshot) {
            let frozen = list.frozenCopy()
            func content() -> [(name: String, ids: [NSManagedObjectID])] {
                frozen.content.map { name, objects in
                    (name, objects.map { deliveredIDs[ObjectIdentifier($0)] ?? $0.objectID })
                }
            }
            #if canImport(UIKit) || canImport(AppKit)
                let snapshot = NSDiffableDataSourceSnapshotReference()
                for (name, ids) in content() {
                    snapshot.appendSections(withIdentifiers: [name])
                    snapshot.appendItems(withIdentifiers: ids, intoSectionWithIdentifier: name)
                }
                snapshot.reloadItems(withIdentifiers: changed)
            #else
                var snapshot = NSDiffableDataSourceSnapshotReference(reloaded: changed) {
                    content().map { NSDiffableDataSourceSnapshotReference.Section(identifier: $0.name, items: $0.ids) }
                }
                // Another queue may read a snapshot that the delegate keeps, while this one changes the list.
                defer { if !isKnownUniquelyReferenced(&snapshot) { snapshot.settle() } }
            #endif
            delegate.controller(controller, didChangeContentWith: snapshot)
        }
    }

    private func report(_ section: ListSection, _ index: Int, _ type: NSFetchedResultsChangeType) {
        call(.section) {
            let title = controller.sectionIndexTitle(forSectionName: section.name)
            let info = ResultsSectionInfo(section, indexTitle: title)
            delegate.controller(controller, didChange: info, atSectionIndex: index, for: type)
        }
    }

    private func report(
        _ object: NSManagedObject,
        _ from: ListPosition?,
        _ type: NSFetchedResultsChangeType,
        _ to: ListPosition?
    ) {
        call(.object) {
            delegate.controller(
                controller,
                didChange: object,
                at: from.map(IndexPath.init),
                for: type,
                newIndexPath: to.map(IndexPath.init)
            )
        }
    }

    /// Calls a method unless the delegate lacks it or was replaced.
    private func call(_ method: DelegateMethods, _ body: () -> Void) {
        let tracker = controller.tracker
        guard tracker.delegate === delegate, !tracker.missingMethods.contains(method) else { return }
        body()
        if tracker.delegate === delegate, !tracker.missingMethods.contains(method) {
            tracker.knownMethods.insert(method)
        }
    }
}

extension FetchedResultsDifference {
    /// The difference for a controller without sections; an updated object is removed and inserted.
    var collectionDifference: CollectionDifference<NSManagedObjectID> {
        // In the order that the standard library sorts them into, at five times the cost.
        let removals = deletions.map { (offset: $0.indexPath[1], id: $0.objectID, other: Int?.none) }
        let additions = insertions.map { (offset: $0.indexPath[1], id: $0.objectID, other: Int?.none) }
        let kept = (moves + updates).map { (from: $0.from[1], to: $0.to[1], id: $0.objectID) }
        let removed = (removals + kept.map { ($0.from, $0.id, $0.to) }).sorted { $0.offset < $1.offset }
        let inserted = (additions + kept.map { ($0.to, $0.id, $0.from) }).sorted { $0.offset < $1.offset }
        typealias Change = CollectionDifference<NSManagedObjectID>.Change
        let parts =
            removed.map { Change.remove(offset: $0.offset, element: $0.id, associatedWith: $0.other) }
            + inserted.map { Change.insert(offset: $0.offset, element: $0.id, associatedWith: $0.other) }
        guard let difference = CollectionDifference(parts) else {
            preconditionFailure("The changes of a results controller contradict each other.")
        }
        return difference
    }
}

extension IndexPath {
    init(_ position: ListPosition) {
        self.init(indexes: [position.section, position.item])
    }
}

// A delegate that keeps the rows of a table from its notifications alone.
import Foundation
import ManagedGraph
import Testing

/// A table that builds the results only from the delegate's notifications.
final class TableDelegate: NSFetchedResultsControllerDelegate {
    typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>

    var rows: [[NSManagedObject]] = []
    private var leaving: [IndexPath] = []
    private var coming: [(path: IndexPath, object: NSManagedObject)] = []
    private var deletedSections: [Int] = []
    private var insertedSections: [Int] = []

    func controllerWillChangeContent(_ controller: Controller) {
        (leaving, coming, deletedSections, insertedSections) = ([], [], [], [])
    }

    func controller(
        _ controller: Controller,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        if type == .delete { deletedSections.append(sectionIndex) } else { insertedSections.append(sectionIndex) }
    }

    func controller(
        _ controller: Controller,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        guard type != .update, let object = anObject as? NSManagedObject else { return }
        if let indexPath { leaving.append(indexPath) }
        if let newIndexPath { coming.append((newIndexPath, object)) }
    }

    func controllerDidChangeContent(_ controller: Controller) {
        for path in leaving.sorted(by: >) { rows[path.section].remove(at: path.row) }
        for section in deletedSections.sorted(by: >) { rows.remove(at: section) }
        for section in insertedSections.sorted() { rows.insert([], at: section) }
        for (path, object) in coming.sorted(by: { $0.path < $1.path }) {
            rows[path.section].insert(object, at: path.row)
        }
    }
}

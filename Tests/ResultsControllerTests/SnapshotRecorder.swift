// A delegate that records snapshots, and all other calls, which must not happen.
import Foundation
import Testing

@testable import ManagedGraph

/// Implements the method for snapshots and all others.
final class SnapshotRecorder: NSFetchedResultsControllerDelegate {
    typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>

    var snapshots: [NSDiffableDataSourceSnapshotReference] = []
    /// Whether the contents of each snapshot had been computed when it was delivered.
    var wereMade: [Bool] = []
    var others: [String] = []

    func controller(_ controller: Controller, didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference) {
        wereMade.append(snapshot.isMade)
        snapshots.append(snapshot)
    }

    func controller(_ controller: Controller, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>) {
        others.append("difference")
    }

    func controllerWillChangeContent(_ controller: Controller) { others.append("will") }

    func controllerDidChangeContent(_ controller: Controller) { others.append("did") }

    func controller(
        _ controller: Controller,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        others.append("section")
    }

    func controller(
        _ controller: Controller,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        others.append("object")
    }
}

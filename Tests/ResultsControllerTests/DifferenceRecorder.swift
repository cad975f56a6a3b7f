// A delegate that records the differences of a results controller.
import Foundation
import ManagedGraph

/// Implements only the method for differences.
final class DifferenceRecorder: NSFetchedResultsControllerDelegate {
    var differences: [CollectionDifference<NSManagedObjectID>] = []

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        differences.append(diff)
    }
}

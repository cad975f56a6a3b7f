// A store of tasks in locations, and delegates that record their notifications. Beside `ResultsStack`.
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

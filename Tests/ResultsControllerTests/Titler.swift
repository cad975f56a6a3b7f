// A store of tasks in locations, and delegates that record their notifications. Beside `ResultsStack`.
import Foundation
import ManagedGraph

/// Implements only the method for titles.
final class Titler: NSFetchedResultsControllerDelegate {
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        "<\(sectionName)>"
    }
}

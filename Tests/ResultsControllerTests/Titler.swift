// A delegate that implements only the method for titles.
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

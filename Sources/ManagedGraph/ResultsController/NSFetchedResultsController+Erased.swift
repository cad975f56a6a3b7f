// The members whose signatures name the result type, once more for controllers whose result type is forgotten, as
// delegates get them. The object may in truth be a controller of Tasks: what is compiled for `any
// NSFetchRequestResult` must not call the generic members, which would return a Task in the wrong layout.
import Foundation

extension NSFetchedResultsController where ResultType == any NSFetchRequestResult {
    /// The objects in order; nil before the first fetch.
    ///
    /// O(n) for the first time and after large changes; after a small one as many objects move as lie between the old place
    /// and the new one.
    public var fetchedObjects: [any NSFetchRequestResult]? { erasedObjects }

    /// The object at a path.
    ///
    /// Stops the program for a path outside of the results.
    ///
    /// - Parameter indexPath: Section and item.
    /// - Returns: The object.
    public func object(at indexPath: IndexPath) -> any NSFetchRequestResult {
        managedObject(at: indexPath)
    }

    /// Where an object is; nil for one that is not among the results.
    ///
    /// - Parameter object: A managed object.
    /// - Returns: Section and item.
    public func indexPath(forObject object: any NSFetchRequestResult) -> IndexPath? {
        managedIndexPath(of: object)
    }
}

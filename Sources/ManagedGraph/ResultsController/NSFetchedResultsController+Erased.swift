// Twins of the members whose signatures name the result type, for type-erased controllers as delegates receive them.
// The object may really be a controller of Tasks: code compiled for `any NSFetchRequestResult` must not call the
// generic members, which would return a Task in the wrong layout. An override of a subclass is called in the layout of its
// own type.
//
// Both are disfavored, so that the compiler takes the override of a type-erased subclass if the type is that subclass: else
// the override and the twin are equally good.
import Foundation

extension NSFetchedResultsController where ResultType == any NSFetchRequestResult {
    /// The objects in order; nil before the first fetch.
    ///
    /// O(n) on first access and after large changes. After a small change, only the elements between the old and the
    /// new position move. O(n) for a controller of a subclass, which may override it.
    @_disfavoredOverload
    public var fetchedObjects: [any NSFetchRequestResult]? {
        guard let objects = overrides.result(of: .objects, { $0.objects(of: self) }) else { return erasedObjects }
        return objects
    }

    /// The object at a path.
    ///
    /// Stops the program if the path is outside the results.
    ///
    /// - Parameter indexPath: The section and the item.
    /// - Returns: The object.
    @_disfavoredOverload
    public func object(at indexPath: IndexPath) -> any NSFetchRequestResult {
        guard case .some(.some(let object)) = overrides.result(of: .object, { $0.object(of: self, at: indexPath) })
        else {
            return managedObject(at: indexPath)
        }
        return object
    }

    /// The index path of an object; nil if the object is not among the results.
    ///
    /// - Parameter object: A managed object.
    /// - Returns: The section and the item.
    @_disfavoredOverload
    public func indexPath(forObject object: any NSFetchRequestResult) -> IndexPath? {
        guard let path = overrides.result(of: .indexPath, { $0.indexPath(of: self, forObject: object) }) else {
            return managedIndexPath(of: object)
        }
        return path
    }
}

// The overridden members of results controllers of one result type. Chosen by ResultOverrides.
import Foundation

/// Calls the members of a controller of this result type.
enum SubclassMembers<ResultType>: OverriddenMembers {
    static func objects(of controller: AnyObject) -> [any NSFetchRequestResult]? {
        typed(controller).fetchedObjects?.compactMap { $0 as? any NSFetchRequestResult }
    }

    static func object(of controller: AnyObject, at indexPath: IndexPath) -> (any NSFetchRequestResult)? {
        typed(controller).object(at: indexPath) as? any NSFetchRequestResult
    }

    static func indexPath(of controller: AnyObject, forObject object: any NSFetchRequestResult) -> IndexPath? {
        (object as? ResultType).flatMap { typed(controller).indexPath(forObject: $0) }
    }

    /// The controller, which was made for this result type.
    private static func typed(_ controller: AnyObject) -> NSFetchedResultsController<ResultType> {
        unsafeDowncast(controller, to: NSFetchedResultsController<ResultType>.self)
    }
}

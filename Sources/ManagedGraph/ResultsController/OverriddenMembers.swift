// The members of a results controller that subclasses may override, called with the type of its results. Chosen by
// ResultOverrides.
import Foundation

/// The members of a results controller for one result type.
protocol OverriddenMembers {
    static func objects(of controller: AnyObject) -> [any NSFetchRequestResult]?
    static func object(of controller: AnyObject, at indexPath: IndexPath) -> (any NSFetchRequestResult)?
    static func indexPath(of controller: AnyObject, forObject object: any NSFetchRequestResult) -> IndexPath?
}

// The protocol of the predicate classes of this module.
import Foundation

/// A predicate object that holds a tree.
protocol PredicateCarrying: NSPredicate {
    var prepared: PreparedPredicate { get }
}

// The state of all predicate objects of this module: the tree, and the evaluator once it is needed. Beside
// `PreparedPredicate`.
import Foundation
import Synchronization

/// A predicate object that holds a tree.
protocol PredicateCarrying: NSPredicate {
    var prepared: PreparedPredicate { get }
}

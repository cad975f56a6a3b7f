// The fetches of the walk: each as a predicate for the framework and as a plain test of a row. Beside `WalkQuery`.
import Foundation
import ManagedGraph

/// A condition on objects.
enum WalkTest: Hashable {
    case all
    case name(String)
    case nameContains(String)
    case countAbove(Int)
    case flagged
    case withoutParent
    case inBox(Int)
    case boxNamed(String)
    case tagged(String)
    case manyChildren(Int)
}

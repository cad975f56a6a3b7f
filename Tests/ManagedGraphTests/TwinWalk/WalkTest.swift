// The conditions of the walk's fetches, as predicates and as plain tests of a row.
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

// A relationship of the random walk.
import Foundation
import ManagedGraph

/// One relationship of the walk's entities.
struct WalkRelationship {
    let name: String
    let destination: String
    let inverse: String
    var isToMany = false
    var isOrdered = false
    var rule = NSDeleteRule.nullifyDeleteRule
}

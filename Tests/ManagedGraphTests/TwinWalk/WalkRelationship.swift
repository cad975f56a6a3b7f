// The entities of the random walk: one table that defines the framework's model and the plain model's relationships
// and rules. Beside `WalkSchema`.
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

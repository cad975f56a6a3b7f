// The entities of the random walk: one table that defines the framework's model and the plain model's relationships
// and rules. Beside `WalkSchema`.
import Foundation
import ManagedGraph

/// One entity of the walk.
struct WalkEntity {
    let name: String
    var parent: String?
    var attributes: [String: NSAttributeType] = [:]
    var relationships: [WalkRelationship] = []
}

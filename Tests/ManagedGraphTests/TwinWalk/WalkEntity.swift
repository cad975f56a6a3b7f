// An entity of the random walk.
import Foundation
import ManagedGraph

/// One entity of the walk.
struct WalkEntity {
    let name: String
    var parent: String?
    var attributes: [String: NSAttributeType] = [:]
    var relationships: [WalkRelationship] = []
}

// A configuration of a model: a name for some of its entities.
import Foundation

/// A named subset of a model's entities.
package struct Configuration: Sendable, Hashable {
    package var name: String
    package var entityNames: [String]

    package init(name: String, entityNames: [String]) {
        self.name = name
        self.entityNames = entityNames
    }
}

// The schema as values: the content of a model file, without behaviour. Beside `Model`.
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

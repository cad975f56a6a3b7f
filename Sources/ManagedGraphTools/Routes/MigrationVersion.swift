// A version of a model that a migration may start from, pass or reach.
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph

/// One version of a model.
package struct MigrationVersion: Sendable, Hashable {
    /// The name of its file without the extension.
    package var name: String
    package var model: Model

    package init(name: String, model: Model) {
        self.name = name
        self.model = model
    }
}

// The versions of a model and the mapping models between them, read from files for the command `migrate`. Beside
// `MigrationVersions`.
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

// The versions of a model and the mapping models between them, read from files for the command `migrate`. Beside
// `MigrationVersions`.
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph

/// A mapping model and its file name.
package struct NamedMapping: Sendable, Hashable {
    /// The name of the file.
    package var name: String
    package var file: MappingFile
}

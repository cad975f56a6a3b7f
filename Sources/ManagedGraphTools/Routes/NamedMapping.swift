// A mapping model between two versions, by the name of its file.
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

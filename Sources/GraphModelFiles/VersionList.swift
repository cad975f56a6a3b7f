// The versions of a model by name and place, before any is read. Made by ModelFile.
import Foundation

/// The versions that a model's file holds.
package struct VersionList: Sendable, Hashable {
    /// One version.
    package struct Version: Sendable, Hashable {
        /// The name of the `.xcdatamodel` or `.mom` without its extension.
        package var name: String
        package var url: URL
    }

    /// The name of the whole without its extension.
    package var name: String
    /// By name; numbers in names count as numbers.
    package var versions: [Version]
    package var currentName: String

    /// The version of a name, or the current one.
    ///
    /// - Parameter wanted: The name, with or without the extension; nil for the current version.
    /// - Returns: The version; nil where there is none of this name.
    package func version(named wanted: String?) -> Version? {
        guard let wanted else { return versions.first { $0.name == currentName } }
        return versions.first { $0.name == wanted } ?? versions.first { $0.url.lastPathComponent == wanted }
    }
}

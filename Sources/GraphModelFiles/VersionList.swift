// The names and URLs of a model's versions, before any is read. Created by ModelFile.
import Foundation

/// The versions in a model's file.
package struct VersionList: Sendable, Hashable {
    /// One version.
    package struct Version: Sendable, Hashable {
        /// The name of the `.xcdatamodel` or `.mom` without its extension.
        package var name: String
        package var url: URL
    }

    /// The model's name without its extension.
    package var name: String
    /// Sorted by name; numbers in names compare numerically.
    package var versions: [Version]
    package var currentName: String

    /// The version with a name, or the current one.
    ///
    /// - Parameter requestedName: The name, with or without the extension; nil for the current version.
    /// - Returns: The version, or nil if there is none with this name.
    package func version(named requestedName: String?) -> Version? {
        guard let requestedName else { return versions.first { $0.name == currentName } }
        return versions.first { $0.name == requestedName }
            ?? versions.first { $0.url.lastPathComponent == requestedName }
    }
}

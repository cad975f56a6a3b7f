// The content of an .xcdatamodeld. Created by ModelFile, read by NSManagedObjectModel and the code generator.
import Foundation
import GraphModel

/// A model with its versions.
package struct VersionedModel: Sendable, Hashable {
    /// One version.
    package struct Version: Sendable, Hashable {
        /// The name of the `.xcdatamodel` without its extension.
        package var name: String
        package var model: Model
        /// The `.xcdatamodel` folder.
        package var url: URL
        /// The findings for the version; none of level `error`.
        package var findings: [ModelProblem]

        package init(name: String, model: Model, url: URL, findings: [ModelProblem] = []) {
            self.name = name
            self.model = model
            self.url = url
            self.findings = findings
        }
    }

    /// The name of the `.xcdatamodeld` without its extension.
    package var name: String
    /// The versions, sorted by name.
    package var versions: [Version]
    package var currentName: String

    package init(name: String, versions: [Version], currentName: String) {
        self.name = name
        self.versions = versions
        self.currentName = currentName
    }

    /// The version for new stores.
    package var current: Version? { versions.first { $0.name == currentName } }
}

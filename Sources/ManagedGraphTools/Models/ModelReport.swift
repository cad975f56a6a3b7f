// The problems of one model file, for `managedgraph model check`.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQL
import ManagedGraph

/// The findings of checking one model file.
package struct ModelReport: Sendable {
    /// The path, as given or found.
    package var file: String
    /// Whether the file is a mapping model.
    package var isMapping = false
    /// The number of the current version's entities, or of a mapping model's entity mappings; 0 if it cannot be read.
    package var entities = 0
    /// The name of the current version.
    package var version: String?
    /// The names of all versions.
    package var versions: [String] = []
    /// The flaws, in the order in which they were found.
    package var findings: [Finding] = []

    /// One flaw.
    package struct Finding: Sendable {
        package var level: ModelProblem.Level
        /// The version that has the flaw, if there are several.
        package var version: String?
        /// The entity that has the flaw; nil for the model itself.
        package var entity: String?
        /// The property that has the flaw; nil for the entity itself.
        package var property: String?
        /// One or two sentences.
        package var reason: String

        /// The reason, preceded by the version, the entity and the property.
        package var text: String {
            let place = [entity, property].compactMap(\.self).joined(separator: ".")
            return [version, place.isEmpty ? nil : place, reason].compactMap(\.self).joined(separator: ": ")
        }
    }

    /// Whether every finding is below a level.
    package func isFree(of level: ModelProblem.Level) -> Bool { findings.allSatisfy { $0.level < level } }

    mutating func add(_ problems: [ModelProblem], version: String? = nil) {
        findings += problems.map {
            Finding(level: $0.level, version: version, entity: $0.entity, property: $0.property, reason: $0.reason)
        }
    }

    /// Adds the problems that an error reports, without the name of the file, which is in the report.
    mutating func add(_ error: any Error, version: String? = nil) {
        guard let error = error as? ModelFileError else {
            findings.append(Finding(level: .error, version: version, reason: error.localizedDescription))
            return
        }
        add(error.problems.isEmpty ? error.errors : error.problems, version: version)
    }
}

// The only error of this module. Thrown by ModelFile; callers print it or wrap it in an NSError.
import GraphModel

/// The reason why a model file was rejected: file, version, entity, property, cause and remedy.
package struct ModelFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var file: String
    /// The broken version, if the file holds several.
    package var version: String?
    package var entity: String?
    package var property: String?
    package var reason: String
    /// All findings, including warnings; empty if the file could not be read at all.
    package var problems: [ModelProblem]

    package init(file: String, entity: String? = nil, property: String? = nil, reason: String) {
        self.file = file
        self.entity = entity
        self.property = property
        self.reason = reason
        problems = []
    }

    package init(file: String, problems: [ModelProblem]) {
        self.file = file
        let first = problems.first { $0.level == .error }
        entity = first?.entity
        property = first?.property
        reason = first?.reason ?? ""
        self.problems = problems
    }

    /// The findings that make the file unusable, with their locations.
    package var errors: [ModelProblem] {
        problems.isEmpty
            ? [ModelProblem(.invalidValue, level: .error, entity: entity, property: property, reason: reason)]
            : problems.filter { $0.level == .error }
    }

    /// One line per error, each beginning with the file and the version.
    package var description: String {
        let place = version.map { "\(file): version \($0)" } ?? file
        return errors.map { "\(place): \($0.description)" }.joined(separator: "\n")
    }
}

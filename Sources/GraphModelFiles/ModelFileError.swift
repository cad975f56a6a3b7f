// The one error of this module. Thrown by ModelFile; callers print it or put it into an NSError.
import GraphModel

/// Why a model file was refused: file, entity, property, cause and remedy.
package struct ModelFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var file: String
    package var entity: String?
    package var property: String?
    package var reason: String
    /// Everything that is wrong with the file, the first included; empty where the file could not be read at all.
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
        entity = problems.first?.entity
        property = problems.first?.property
        reason = problems.first?.reason ?? ""
        self.problems = problems
    }

    /// One line a problem, each beginning with the file.
    package var description: String {
        let all =
            problems.isEmpty
            ? [ModelProblem(.invalidValue, entity: entity, property: property, reason: reason)] : problems
        return all.map { "\(file): \($0.description)" }.joined(separator: "\n")
    }
}

// The changes between two versions that only a mapping model can describe. Thrown by `MappingInference`.

/// The reasons why no mapping can be inferred.
package struct MappingProblems: Error, Sendable, Hashable {
    /// One change that only a mapping model can describe.
    package struct Problem: Sendable, Hashable {
        package var entity: String
        package var property: String?
        package var reason: String

        package init(entity: String, property: String? = nil, reason: String) {
            self.entity = entity
            self.property = property
            self.reason = reason
        }
    }

    /// Never empty.
    package var problems: [Problem]

    package init(problems: [Problem]) {
        self.problems = problems
    }
}

// A piece of work whose disk fails: the steps, and how its result is read. The lists of scenarios are in extensions.
import Foundation

/// A piece of work in one folder.
struct Scenario {
    /// One step of the work, which a program is told to be done when it returns.
    struct Step {
        let name: String
        /// Whether the step, when it throws, must have changed nothing, as a save does.
        var isAtomic = true
        /// Does it; returns what it has read, to be compared.
        let body: () throws -> String

        init(_ name: String, isAtomic: Bool = true, _ body: @escaping () throws -> String) {
            (self.name, self.isAtomic, self.body) = (name, isAtomic, body)
        }
    }

    let name: String
    /// Whether a power cut may lose acknowledged steps, because the settings of the store allow it.
    var mayLoseSteps = false
    /// Makes the content that is there before the first step.
    let prepare: (URL) throws -> Void
    /// The steps, which share what they opened, and the closing of it.
    let begin: (URL) throws -> (steps: [Step], end: () -> Void)
    /// Opens everything as a program does after a start, and returns the content of each part.
    let content: (URL) throws -> [String]
    /// Checks the files and saves something; returns problems.
    let check: (URL) throws -> [String]

    static func all(_ models: URL) throws -> [Scenario] {
        try saving + files + moving + migrating(models)
    }
}

/// An error of a scenario's own checks.
struct Wrong: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

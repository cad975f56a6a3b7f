// A piece of work whose disk fails: the steps, and how its result is read. The lists of scenarios are in extensions.
import Foundation

/// A piece of work in one folder.
struct Scenario {
    /// One step of the work, which is done when it returns.
    struct Step {
        let name: String
        /// Whether the step, when it throws, must have changed nothing, as a save does.
        var isAtomic = true
        /// Whether it reads properties of objects, which cannot throw: a failed read is logged, and the next one is right.
        var readsProperties = false
        /// Does it; returns the values that it has read, to be compared.
        let body: () throws -> String

        init(
            _ name: String,
            isAtomic: Bool = true,
            readsProperties: Bool = false,
            _ body: @escaping () throws -> String
        ) {
            (self.name, self.isAtomic, self.readsProperties, self.body) = (name, isAtomic, readsProperties, body)
        }
    }

    let name: String
    /// Whether a power cut may lose acknowledged steps, because the settings of the store allow it.
    var mayLoseSteps = false
    /// Makes the content that is there before the first step.
    let prepare: (URL) throws -> Void
    /// The steps, which share the opened stores, and the closing of these.
    let begin: (URL) throws -> (steps: [Step], end: () -> Void)
    /// Removes files that are in the way of the next attempt because a step could not remove them, as the error says.
    var clear: (URL) throws -> Void = { _ in }
    /// Opens everything as a program does after a start, and returns the content of each part.
    let content: (URL) throws -> [String]
    /// Checks the files and saves something; returns problems.
    let check: (URL) throws -> [String]

    static func all(_ models: URL) throws -> [Scenario] {
        try saving + files + moving + migrating(models)
    }
}

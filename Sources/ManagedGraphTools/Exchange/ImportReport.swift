// The result of an import. Created by StoreImport, printed by the command; values only.

/// The outcome of an import.
package struct ImportReport: Sendable {
    /// A rejected line.
    package struct Refusal: Sendable {
        package var file: String
        package var line: Int
        /// The property concerned; nil for the line as a whole.
        package var key: String?
        /// Cause and remedy, as a sentence.
        package var reason: String
    }

    /// The number of rows created.
    package var inserted = 0
    /// The number of existing rows that received new values.
    package var updated = 0
    /// The number of related objects that the lines name.
    package var relationships = 0
    /// The number of one-to-one relationships, by `Entity.property`, that only the line of one side names: the other
    /// side was set too.
    package var completed: [String: Int] = [:]
    /// The first rejected lines.
    package var refusals: [Refusal] = []
    /// The number of rejected lines.
    package var refused = 0
    /// Whether the rows were committed to the store.
    package var isSaved = false

    /// The maximum number of rejections reported individually.
    static let mostRefusals = 100
}

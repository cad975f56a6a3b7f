// What came of an import. Made by StoreImport, printed by the command; values only.

/// The outcome of an import.
package struct ImportReport: Sendable {
    /// A line that was not taken.
    package struct Refusal: Sendable {
        package var file: String
        package var line: Int
        /// The property that is meant; nil for the line as a whole.
        package var key: String?
        /// Cause and remedy, as a sentence.
        package var reason: String
    }

    /// Rows that were made.
    package var inserted = 0
    /// Rows that were there and have new values.
    package var updated = 0
    /// Related objects that the lines name.
    package var relationships = 0
    /// One-to-one relationships that the line of one side names and that of the other does not, by `Entity.property`: the
    /// other side was set too.
    package var completed: [String: Int] = [:]
    /// The first of the lines that were not taken.
    package var refusals: [Refusal] = []
    /// How many there are.
    package var refused = 0
    /// Whether the store has the rows.
    package var isSaved = false

    /// Refusals that are told one by one.
    static let mostRefusals = 100
}

// A finding of a check of a database. Reported by a DatabaseEngine.

/// A finding about the tables or rows of a database.
package struct DatabaseFinding: Sendable {
    /// The sentence, with a remedy if there is one.
    package var text: String
    /// Findings of one kind are counted together.
    package var kind: String
    /// Whether it is harmless.
    package var isNote: Bool

    package init(_ text: String, kind: String, isNote: Bool = false) {
        (self.text, self.kind, self.isNote) = (text, kind, isNote)
    }
}

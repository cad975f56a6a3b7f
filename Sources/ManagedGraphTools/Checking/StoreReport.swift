// What the checker says of one store. Made by StoreChecker, printed by the command; values only.

/// The findings of a check of one store.
package struct StoreReport: Sendable {
    /// How many transactions and changes a history has.
    package struct History: Sendable {
        package var transactions = 0
        package var changes = 0
    }

    package var file: String
    /// Where the model came from: `cache`, or a path; nil where there was none.
    package var model: String?
    /// Rows of each entity, in the order of the entities' names.
    package var entities: [(name: String, rows: Int)] = []
    /// Relationships followed from one object to another, in either direction.
    package var relationships = 0
    /// Values read from files beside the store.
    package var external = 0
    /// Nil where the store has no history.
    package var history: History?
    /// What is wrong: sentences that name entity, row and property where they know them.
    package var problems: [String] = []
    /// What is worth knowing and harms nothing: values that the model's rules refuse, for one.
    package var notes: [String] = []

    package init(file: String) { self.file = file }

    /// Whether nothing is wrong.
    package var isOK: Bool { problems.isEmpty }
}

// The results of checking one store. Created by StoreChecker, printed by the command; values only.

/// The findings of a check of one store.
package struct StoreReport: Sendable {
    /// The number of transactions and changes in a history.
    package struct History: Sendable {
        package var transactions = 0
        package var changes = 0
    }

    /// The store's path or address.
    package var file: String
    /// The source of the model: `cache` or a path; nil if there is none.
    package var model: String?
    /// The number of rows of each entity, sorted by entity name.
    package var entities: [(name: String, rows: Int)] = []
    /// The number of relationships followed from one object to another, in either direction.
    package var relationships = 0
    /// The number of large values, which were read from files beside the store.
    package var external = 0
    /// Nil if the store has no history.
    package var history: History?
    /// Problems: sentences that name the entity, row and property if known.
    package var problems: [String] = []
    /// Harmless findings worth reporting, such as values that the model's rules reject.
    package var notes: [String] = []

    package init(file: String) { self.file = file }

    /// Whether there are no problems.
    package var isOK: Bool { problems.isEmpty }
}

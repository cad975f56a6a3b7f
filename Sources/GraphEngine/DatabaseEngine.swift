// The capability of an engine whose tables are in the database of a server: other programs can change them. Used by the
// tools that check stores and show facts about them.

/// An engine of stores in databases.
package protocol DatabaseEngine: ExchangeEngine {
    /// Facts about the database for people to read.
    func facts() throws -> DatabaseFacts
    /// Compares tables, columns, indexes and keys of the open store with those of the model, and searches the rows for
    /// values that no save writes.
    func findings() throws -> [DatabaseFinding]
}

/// Facts about a database.
package struct DatabaseFacts: Sendable {
    /// The server's product and version.
    package var server: String
    /// The schema of the store's tables.
    package var schema: String
    /// The bytes of the store's tables and indexes.
    package var size: Int
    /// The number of transactions in the history, and of their changes.
    package var transactions: Int
    package var changes: Int

    package init(server: String, schema: String, size: Int, transactions: Int, changes: Int) {
        (self.server, self.schema, self.size) = (server, schema, size)
        (self.transactions, self.changes) = (transactions, changes)
    }
}

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

// Facts about the database of a store. Read by a DatabaseEngine.

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

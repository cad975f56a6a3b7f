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

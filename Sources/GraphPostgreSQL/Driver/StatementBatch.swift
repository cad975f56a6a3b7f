// Statements that are sent together. Filled by callers of PostgreSQLConnection.pipeline.
import GraphSQL

/// A list of statements for one round trip.
package struct StatementBatch {
    package private(set) var statements: [SQLStatement] = []

    package init() {}

    package var count: Int { statements.count }

    /// Adds a statement.
    ///
    /// - Returns: The index of its result.
    @discardableResult
    package mutating func add(_ statement: SQLStatement) -> Int {
        statements.append(statement)
        return statements.count - 1
    }

    /// Adds a text with values.
    ///
    /// - Returns: The index of its result.
    @discardableResult
    package mutating func add(_ text: String, _ bindings: [SQLValue] = []) -> Int {
        add(SQLStatement(text, bindings))
    }
}

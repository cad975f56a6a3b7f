// A result that is read in portions, in constant memory. Made by PostgreSQLConnection.cursor; a cursor of the server, which
// lives as long as the transaction, so that other statements can run on the same connection meanwhile.
import GraphEngine
import GraphSQL

/// A result read in portions.
///
/// If no transaction is open when the first portion is read, the cursor opens one that only reads, and ends it after the
/// last portion.
package final class PostgreSQLCursor {
    private enum State { case new, open, ended }

    private let connection: PostgreSQLConnection
    private let statement: SQLStatement
    private let name: String
    private var state = State.new
    private var ownsTransaction = false

    init(_ connection: PostgreSQLConnection, _ statement: SQLStatement, number: Int) {
        self.connection = connection
        self.statement = statement
        name = "mgcursor\(number)"
    }

    deinit { try? close() }

    /// Whether the end has not been reached yet; the next portion may be empty.
    package var hasMore: Bool { state != .ended }

    /// Reads the next rows; one round trip.
    ///
    /// - Parameter count: The most rows to read, at least 1.
    /// - Returns: The rows; fewer than `count` at the end.
    /// - Throws: `PostgreSQLError`; the cursor has ended then.
    package func next(_ count: Int) throws -> PostgreSQLResult {
        let fetch = SQLStatement("FETCH FORWARD \(max(1, count)) FROM \(name)")
        var batch: [SQLStatement] = []
        if state == .new {
            ownsTransaction = connection.transactionState == .none
            if ownsTransaction { batch.append(SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")) }
            batch.append(SQLStatement("DECLARE \(name) NO SCROLL CURSOR FOR \(statement.text)", statement.bindings))
        }
        do {
            guard state != .ended else {
                throw PostgreSQLError(state: "34000", message: "the cursor has ended", statement: statement.text)
            }
            let result = try connection.pipeline(batch + [fetch], prepares: false)[batch.count]
            state = .open
            if result.count < max(1, count) { try close() }
            return result
        } catch {
            state = .ended
            if ownsTransaction, connection.isInTransaction { _ = try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// Ends the cursor; one round trip unless the end was reached.
    ///
    /// - Throws: `PostgreSQLError`.
    package func close() throws {
        guard state == .open else {
            state = .ended
            return
        }
        state = .ended
        switch connection.transactionState {
        case .open: try connection.execute(ownsTransaction ? "COMMIT" : "CLOSE \(name)")
        case .failed where ownsTransaction: try connection.execute("ROLLBACK")
        // The cursor has ended with its transaction.
        default: break
        }
    }
}

extension PostgreSQLConnection {
    /// A result that is read in portions, from one snapshot.
    ///
    /// - Parameter statement: A query.
    /// - Returns: The cursor; nothing is sent before its first portion is read.
    package func cursor(_ statement: SQLStatement) -> PostgreSQLCursor {
        defer { nextCursor += 1 }
        return PostgreSQLCursor(self, statement, number: nextCursor)
    }
}

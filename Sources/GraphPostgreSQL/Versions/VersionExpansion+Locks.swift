// The transactions of an expansion. They request locks that exclude other programs, and even a program that only reads
// queues behind such a request. A request therefore ends after two seconds, and the transaction is retried after a
// pause.
import Foundation
import GraphEngine
import GraphSQL

extension VersionExpansion {
    /// The longest wait for one lock.
    private static let lockTimeout = "2s"

    /// Runs a transaction; retries it until `lockLimit` is over if other sessions hold its locks or conflict with it.
    ///
    /// - Parameters:
    ///   - connection: The connection, without a transaction.
    ///   - body: The statements between `BEGIN` and `COMMIT`; it can be called several times.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`; `EngineError` of the kind `busy` that names the sessions with the locks.
    @discardableResult
    func inTransaction<R>(_ connection: PostgreSQLConnection, _ body: () throws -> R) throws -> R {
        let began = ContinuousClock.now
        var pause = 0.25
        while true {
            do {
                // The isolation level of the database or the user could be one at which fewer transactions succeed.
                try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
                try connection.execute("SET LOCAL lock_timeout = '\(Self.lockTimeout)'")
                let result = try body()
                try connection.execute("COMMIT")
                return result
            } catch let error as PostgreSQLError where error.kind == .lockTimeout || error.isRetryable {
                if connection.isInTransaction { try connection.execute("ROLLBACK") }
                let waited = ContinuousClock.now - began
                guard waited + .seconds(pause) < lockLimit else { throw try blocked(error, connection) }
                Thread.sleep(forTimeInterval: pause)
                pause = min(pause * 2, 8)
            }
        }
    }

    /// The error for a transaction that other sessions have kept from its locks for too long.
    private func blocked(_ error: PostgreSQLError, _ connection: PostgreSQLConnection) throws -> EngineError {
        let (names, processes) = try sessions(connection)
        let statements = processes.map { "SELECT pg_terminate_backend(\($0))" }.joined(separator: "; ")
        return EngineError(
            .busy,
            "Other sessions hold tables of the store for too long"
                + (names.isEmpty ? "." : ": \(names.joined(separator: "; "))."),
            reason: error.description,
            remedy: "Run it again once their transactions have ended"
                + (statements.isEmpty ? "." : ", or end the sessions: \(statements).")
        )
    }

    /// The sessions with locks on tables and sequences of the store, those with the oldest transactions first.
    private func sessions(_ connection: PostgreSQLConnection) throws -> (names: [String], processes: [Int64]) {
        let result = try connection.execute(
            SQLStatement(
                """
                SELECT s.pid, COALESCE('process ' || s.pid::text, 'a prepared transaction') || concat(' (', \
                concat_ws(', ', a.usename::text, NULLIF(a.application_name, ''), host(a.client_addr), a.state, \
                'for ' || date_trunc('second', clock_timestamp() - a.xact_start)::text), ')') \
                FROM (SELECT DISTINCT l.pid FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE l.locktype = 'relation' AND l.granted \
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
                AND n.nspname IN ($1, $2) AND l.pid IS DISTINCT FROM pg_backend_pid()) AS s \
                LEFT JOIN pg_stat_activity AS a ON a.pid = s.pid ORDER BY a.xact_start NULLS LAST, s.pid LIMIT 5
                """,
                [.text(address.schema), .text(schema)]
            )
        )
        let rows = 0..<result.count
        return (
            try rows.compactMap { try result.string(1, $0) }, try rows.compactMap { try result.integer(0, $0) }
        )
    }
}

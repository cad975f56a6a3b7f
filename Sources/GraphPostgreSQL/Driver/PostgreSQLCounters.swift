// Counters of the work of connections, shared by all connections of a store. For statistics and for tests of cost.
import Synchronization

/// Counts statements, round trips and rows.
package final class PostgreSQLCounters: Sendable {
    private let statementCount = Atomic<Int>(0)
    private let roundTripCount = Atomic<Int>(0)
    private let rowCount = Atomic<Int>(0)
    private let connectionCount = Atomic<Int>(0)

    package init() {}

    /// Statements that the server has run.
    package var statements: Int { statementCount.load(ordering: .relaxed) }
    /// The times that a connection has waited for the server.
    package var roundTrips: Int { roundTripCount.load(ordering: .relaxed) }
    /// Rows received.
    package var rows: Int { rowCount.load(ordering: .relaxed) }
    /// Connections opened.
    package var connections: Int { connectionCount.load(ordering: .relaxed) }

    func add(statements: Int, rows: Int) {
        statementCount.add(statements, ordering: .relaxed)
        if rows > 0 { rowCount.add(rows, ordering: .relaxed) }
    }

    func addRoundTrip() { roundTripCount.add(1, ordering: .relaxed) }

    func addConnection() { connectionCount.add(1, ordering: .relaxed) }
}

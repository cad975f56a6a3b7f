// Reads a PostgreSQL store. A session that holds a snapshot keeps one connection from its first read until it is renewed
// or given back; one without leases a connection for each read.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// Reads of one thread at a time.
package class PostgreSQLReader: ReadSession {
    /// Outlives every session: the store closes its sessions before it is released.
    final let engine: PostgreSQLEngine
    private let holdsSnapshot: Bool
    /// The connection of the snapshot.
    private var held: PostgreSQLConnection?
    package final private(set) var snapshotBegan: ContinuousClock.Instant?

    init(_ engine: PostgreSQLEngine, holdsSnapshot: Bool) {
        self.engine = engine
        self.holdsSnapshot = holdsSnapshot
    }

    deinit { endSnapshot() }

    /// Begins a transaction that reads one snapshot.
    private static let begin = SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    /// Runs statements in one round trip, inside the snapshot if the session holds one.
    func run(_ statements: [SQLStatement]) throws -> [PostgreSQLResult] {
        try engine.mapErrors {
            let pool = try engine.requirePool()
            guard holdsSnapshot else {
                return try pool.withConnection { connection in
                    statements.count == 1
                        ? [try connection.execute(statements[0])] : try connection.pipeline(statements)
                }
            }
            if let held { return try held.pipeline(statements) }
            let connection = try pool.lease()
            let began = ContinuousClock.now
            do {
                let results = try connection.pipeline([Self.begin] + statements)
                held = connection
                snapshotBegan = began
                return Array(results.dropFirst())
            } catch {
                pool.giveBack(connection)
                throw error
            }
        }
    }

    /// Runs one statement.
    final func run(_ statement: SQLStatement) throws -> PostgreSQLResult { try run([statement])[0] }

    /// Runs `body` with the session's connection, inside a transaction: for results that are read in portions.
    func withConnection<R>(_ body: (PostgreSQLConnection) throws -> R) throws -> R {
        if holdsSnapshot, held == nil { _ = try run([]) }
        return try engine.mapErrors {
            if let held { return try body(held) }
            return try engine.requirePool().withConnection(body)
        }
    }

    /// Stamps the rows with the start of their snapshot.
    final func dated(_ batch: RowBatch) -> RowBatch {
        if let snapshotBegan { batch.readAt = snapshotBegan }
        return batch
    }

    package func renew() { endSnapshot() }

    private func endSnapshot() {
        guard let connection = held else { return }
        held = nil
        snapshotBegan = nil
        do {
            try connection.endReading()
        } catch {
            engine.log(.debug, "A read transaction could not end: \(error)")
        }
        engine.giveBack(connection)
    }
}

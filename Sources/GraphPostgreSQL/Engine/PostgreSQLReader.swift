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
    /// The standbys to read from; nil to read from the primary.
    private let standbys: Standbys?
    /// The connection of the snapshot, and the pool it is from.
    private var held: (connection: PostgreSQLConnection, pool: PostgreSQLPool)?
    package final private(set) var snapshotBegan: Moment?
    /// The horizon of the history in the snapshot, once it is known; see `PostgreSQLEngine.withHorizon`.
    final var horizon: Int64?

    init(_ engine: PostgreSQLEngine, holdsSnapshot: Bool, standbys: Standbys? = nil) {
        self.engine = engine
        self.holdsSnapshot = holdsSnapshot
        self.standbys = standbys
    }

    deinit { endSnapshot() }

    /// Begins a transaction that reads one snapshot.
    private static let begin = SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    /// Runs statements in one round trip, inside the snapshot if the session holds one.
    func run(_ statements: [SQLStatement]) throws -> [PostgreSQLResult] {
        try engine.mapErrors {
            if let held { return try held.connection.pipeline(statements) }
            let pool = try engine.requirePool()
            if let (standby, connection) = standbys?.lease({ engine.log(.warning, $0) }) {
                do {
                    return try run(statements, connection, of: standby.pool)
                } catch let error as PostgreSQLError where error.concernsStandby {
                    // Nothing has been read in this snapshot, so that the primary's is as good.
                    engine.log(.warning, "A standby is left out, and the primary is read: \(error.message)")
                    standbys?.leaveOut(standby)
                }
            }
            return try run(statements, try pool.lease(), of: pool)
        }
    }

    /// Runs statements with a connection, which is kept if the session holds a snapshot.
    private func run(_ statements: [SQLStatement], _ connection: PostgreSQLConnection, of pool: PostgreSQLPool) throws
        -> [PostgreSQLResult]
    {
        guard holdsSnapshot else {
            defer { pool.giveBack(connection) }
            return statements.count == 1
                ? [try connection.execute(statements[0])] : try connection.pipeline(statements)
        }
        let began = Moment.now
        do {
            let begin = [Self.begin] + engine.snapshotStatements
            let results = try connection.pipeline(begin + statements)
            held = (connection, pool)
            snapshotBegan = began
            return Array(results.dropFirst(begin.count))
        } catch {
            pool.giveBack(connection)
            throw error
        }
    }

    /// Runs one statement.
    final func run(_ statement: SQLStatement) throws -> PostgreSQLResult { try run([statement])[0] }

    /// Runs a statement about the history, on the primary.
    ///
    /// The snapshots of a standby do not list the transactions that are running, so a save with a smaller number that has
    /// not ended cannot be detected there. A session that has no snapshot yet takes one of the primary. Later reads from
    /// standbys see at least the saves that the history shows.
    final func runOnPrimary(_ statement: SQLStatement) throws -> PostgreSQLResult {
        guard standbys != nil else { return try run(statement) }
        return try engine.mapErrors {
            let results = try onPrimary([statement, Standbys.writtenPosition])
            engine.require(try results[1].integer(0, 0))
            return results[0]
        }
    }

    /// Whether the session has a snapshot of the primary.
    final var hasPrimarySnapshot: Bool {
        get throws { try held.map { try $0.pool === engine.requirePool() } ?? false }
    }

    private func onPrimary(_ statements: [SQLStatement]) throws -> [PostgreSQLResult] {
        let pool = try engine.requirePool()
        guard let held else { return try run(statements, try pool.lease(), of: pool) }
        if held.pool === pool { return try held.connection.pipeline(statements) }
        // Objects were read from a standby, whose snapshot stays the session's.
        return try pool.withConnection { try $0.pipeline(statements) }
    }

    /// Runs `body` with the session's connection, inside a transaction: for results that are read in portions.
    func withConnection<R>(_ body: (PostgreSQLConnection) throws -> R) throws -> R {
        if holdsSnapshot, held == nil { _ = try run([]) }
        return try engine.mapErrors {
            if let held { return try body(held.connection) }
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
        guard let (connection, pool) = held else { return }
        held = nil
        snapshotBegan = nil
        horizon = nil
        do {
            try connection.endReading()
        } catch {
            engine.log(.debug, "A read transaction could not end: \(error)")
        }
        pool.giveBack(connection)
    }
}

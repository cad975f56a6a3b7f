// One connection that reads a SQLite store. Leased from the store's pool by a context for a turn; where a store has one
// connection for all (in memory, or a file without a log), the writer is the reader too.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// Reads a SQLite store on a connection of its own.
package class SQLiteReader: ReadSession {
    /// Lives as long as anybody holds a session: the store closes its sessions before it goes.
    unowned(unsafe) let engine: SQLiteEngine
    package final private(set) var connection: Connection
    /// Texts that are made once.
    final var texts = StatementTexts()
    /// Guards the connection: it may be closed, or its snapshot ended, by another thread than the one that reads.
    final let lock = NSRecursiveLock()
    package final private(set) var snapshotBegan: ContinuousClock.Instant?
    /// Whether all reads see what the first one sees; set before the session is lent.
    final var holdsSnapshot = false

    init(_ engine: SQLiteEngine, _ connection: Connection) {
        self.engine = engine
        self.connection = connection
    }

    /// Runs `body` on the connection, inside of the snapshot where the session holds one.
    final func read<R>(_ body: (Connection) throws -> R) throws -> R {
        try lock.withLock {
            try engine.mapErrors {
                if connection.isClosed { throw engine.closed }
                if holdsSnapshot, snapshotBegan == nil || !connection.isInTransaction {
                    if snapshotBegan == nil { engine.snapshots.add(1, ordering: .relaxed) }
                    snapshotBegan = .now
                    try connection.begin(.deferred)
                }
                return try body(connection)
            }
        }
    }

    /// The rows, with the moment that they are of.
    final func dated(_ batch: RowBatch) -> RowBatch {
        if let snapshotBegan { batch.readAt = snapshotBegan }
        return batch
    }

    package func renew() {
        lock.withLock {
            guard endSnapshot(), connection.isInTransaction else { return }
            do {
                try connection.commit()
            } catch {
                engine.log(.error, "The read transaction of \(engine.path) could not end: \(error)")
            }
        }
    }

    /// Closes the connection, also under a reader, whose next read throws.
    final func close() {
        lock.withLock {
            _ = endSnapshot()
            connection.close()
        }
    }

    /// Notes that there is no snapshot any more; returns whether there was one.
    private func endSnapshot() -> Bool {
        guard snapshotBegan != nil else { return false }
        snapshotBegan = nil
        engine.snapshots.subtract(1, ordering: .relaxed)
        return true
    }

    /// Goes on with another connection.
    final func exchange(_ other: Connection) {
        connection.close()
        connection = other
    }
}

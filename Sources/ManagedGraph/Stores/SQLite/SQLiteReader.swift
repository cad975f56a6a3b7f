// One connection that reads a SQLite store. Leased from the store's pool by a context for a turn; where a store has one
// connection for all (in memory, or a file without a log), the writer is the reader too.
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite

/// Reads a SQLite store on a connection of its own.
package class SQLiteReader: ReadSession {
    /// Lives as long as anybody holds a session: the store closes its sessions before it goes.
    unowned(unsafe) let store: SQLiteStore
    package final private(set) var connection: Connection
    /// Texts that are made once.
    final var texts = StatementTexts()
    /// Guards the connection: it may be closed, or its snapshot ended, by another thread than the one that reads.
    final let lock = NSRecursiveLock()
    final private(set) var snapshotBegan: ContinuousClock.Instant?
    /// Whether all reads see what the first one sees; set before the session is lent.
    final var holdsSnapshot = false

    init(_ store: SQLiteStore, _ connection: Connection) {
        self.store = store
        self.connection = connection
    }

    /// Runs `body` on the connection, inside of the snapshot where the session holds one.
    final func read<R>(_ body: (Connection) throws -> R) throws -> R {
        try lock.withLock {
            try store.mapErrors {
                if connection.isClosed { throw store.wasRemoved }
                if holdsSnapshot, snapshotBegan == nil || !connection.isInTransaction {
                    if snapshotBegan == nil { store.snapshots.add(1, ordering: .relaxed) }
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

    func renew() {
        lock.withLock {
            guard endSnapshot(), connection.isInTransaction else { return }
            do {
                try connection.commit()
            } catch {
                Diagnosis.log.error("The read transaction of \(store.path) could not end: \(error)")
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
        store.snapshots.subtract(1, ordering: .relaxed)
        return true
    }

    /// Goes on with another connection.
    final func exchange(_ other: Connection) {
        connection.close()
        connection = other
    }
}

// One connection that reads an SQLite store. A context leases it from the store's pool for a turn; if a store has a
// single connection (in memory, or a file without a log), the writer is also the reader.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// Reads an SQLite store on its own connection.
package class SQLiteReader: ReadSession {
    /// Outlives every session: the store closes its sessions before it is released.
    unowned(unsafe) let engine: SQLiteEngine
    @exclusivity(unchecked) package final private(set) var connection: Connection
    /// Cached statement texts.
    @exclusivity(unchecked) final var texts = StatementTexts()
    /// The latest fetches of whole rows.
    @exclusivity(unchecked) final var knownFetches = KnownFetches()
    /// Guards the connection: another thread may close it or end its snapshot during a read.
    final let lock = NSRecursiveLock()
    @exclusivity(unchecked) package final private(set) var snapshotBegan: Moment?
    /// Whether all reads share the snapshot of the first one; set before the session is leased.
    @exclusivity(unchecked) final var holdsSnapshot = false
    /// The engine's monitor, not counted: threads that read would contend for the count.
    private let monitor: Unmanaged<StatementMonitor>?

    init(_ engine: SQLiteEngine, _ connection: Connection) {
        self.engine = engine
        monitor = engine.configuration.monitor.map(Unmanaged.passUnretained)
        self.connection = connection
    }

    /// Runs `body` on the connection, inside the snapshot if the session holds one.
    final func read<R>(_ body: (Connection) throws -> R) throws -> R {
        var recorded = false
        defer { if recorded { deliver() } }
        // Not in a closure for the lock, whose copies of the captured values cost 3 % of a fetch of one row.
        lock.lock()
        defer { lock.unlock() }
        recorded = refreshMonitoring() && !isWriting
        return try engine.mapErrors {
            if connection.isClosed { try reopen() }
            connection.enlargeCacheIfBusy()
            // Without it the read would see the rows of a failed save.
            if !isWriting { try connection.finishRollback() }
            if holdsSnapshot, snapshotBegan == nil || !connection.isInTransaction {
                if snapshotBegan == nil { engine.snapshots.add(1, ordering: .relaxed) }
                snapshotBegan = .now
                try connection.begin(.deferred)
            }
            return try body(connection)
        }
    }

    /// Opens another connection for a read that began before another store took this one's place.
    func reopen() throws {
        exchange(try engine.lateConnection())
        refreshMonitoring()
    }

    /// Whether a transaction holds the lock beyond the current read.
    var isWriting: Bool { false }

    /// Makes the connection follow the engine's monitor; returns whether statements are recorded.
    @discardableResult
    final func refreshMonitoring() -> Bool {
        let isOn = monitor?._withUnsafeGuaranteedRef { $0.isOn } == true
        connection.isMonitored = isOn
        return isOn
    }

    /// Lets the monitor's host deliver recorded statements; called when the lock is released.
    final func deliver() { monitor?._withUnsafeGuaranteedRef { $0.deliver() } }

    /// Stamps the rows with the start of their snapshot.
    final func dated(_ batch: RowBatch) -> RowBatch {
        if let snapshotBegan { batch.readAt = snapshotBegan }
        return batch
    }

    package func renew() {
        var recorded = false
        defer { if recorded { deliver() } }
        lock.withLock {
            guard endSnapshot(), connection.isInTransaction else { return }
            recorded = refreshMonitoring() && !isWriting
            do {
                try connection.commit()
            } catch {
                // After a failed read, which was reported, SQLite ends the transaction and repeats the error.
                let level: LogSeverity = connection.isInTransaction ? .error : .debug
                connection.rollBackLater()
                engine.log(level, "The read transaction of \(engine.path) could not end: \(error)")
            }
        }
    }

    /// Closes the connection; the next read of a session in use throws.
    final func close() {
        lock.withLock {
            _ = endSnapshot()
            connection.close()
        }
    }

    /// Clears the snapshot's state; returns whether there was one.
    private func endSnapshot() -> Bool {
        guard snapshotBegan != nil else { return false }
        snapshotBegan = nil
        engine.snapshots.subtract(1, ordering: .relaxed)
        return true
    }

    /// Replaces the connection.
    final func exchange(_ newConnection: Connection) {
        connection.close()
        connection = newConnection
    }
}

// Snapshots of the store that stay readable during writes, and the log that grows meanwhile. Called by query
// generations, by cursors, and after each save.
import Foundation
import GraphEngine

extension SQLiteEngine {
    /// A weak reference to a generation in use.
    struct WeakGeneration {
        weak var generation: ReadGeneration?
        /// Whether it belongs to a cursor, which may be reading from it.
        var isCursor: Bool
    }

    /// The log size in bytes up to which the log is never emptied early.
    static var logLimit: Int { 16 << 20 }

    /// Whether a context may be reading a snapshot.
    var isPinned: Bool {
        snapshots.load(ordering: .relaxed) > 0 || generations.withLock { $0.value.contains { $0.generation != nil } }
    }

    /// Whether snapshots can be read during writes: a reader of a file without a log would block writers.
    package var hasGenerations: Bool { !isInMemory && (still != nil || hasLog) }

    package func readGeneration() throws -> any EngineGeneration { try readGeneration(isCursor: false) }

    /// Takes a snapshot of the store, readable for an unlimited time.
    func readGeneration(isCursor: Bool) throws -> ReadGeneration {
        defer { configuration.monitor?.deliver() }
        return try mapErrors {
            let connection =
                try still?.connection()
                ?? Connection(path: path, mode: .readOnly, busyTimeout: configuration.busyTimeout)
            let generation = try ReadGeneration(self, connection)
            generations.withLock {
                $0.value.removeAll { $0.generation == nil }
                $0.value.append(WeakGeneration(generation: generation, isCursor: isCursor))
            }
            return generation
        }
    }

    /// Closes the generations of pinned contexts: they then read the newest content, or fail if the store was removed.
    ///
    /// Cursors stay open: another thread may be reading from a cursor's connection, and the cursor closes it itself.
    func closeGenerations() {
        for generation in takeGenerations(keeping: false) { generation.close() }
    }

    /// The generations used by pinned contexts.
    private func takeGenerations(keeping: Bool = true) -> [ReadGeneration] {
        generations.withLock { generations in
            defer { if !keeping { generations.value = [] } }
            return generations.value.compactMap { $0.isCursor ? nil : $0.generation }
        }
    }

    /// Empties a log that has grown larger than the store file.
    ///
    /// Pinned contexts are first moved to copies, so that the log is bounded however long a context is pinned. Called
    /// without the writer's lock: readers continue meanwhile, and writers wait at most `checkpointWait`.
    package func emptyLargeLog() {
        guard hasLog, let writer else { return }
        let size = StoreFile.byteCount(path + "-wal")
        let tried = triedLogSize.load(ordering: .relaxed)
        if size < tried { triedLogSize.store(0, ordering: .relaxed) }
        // After a failed attempt the log must have grown by a quarter of the limit; a smaller log is a new one.
        let retry = tried > 0 && size >= tried ? tried + Self.logLimit / 4 : 0
        guard size > max(Self.logLimit, StoreFile.byteCount(path), retry) else { return }
        do {
            for generation in takeGenerations() { try generation.moveToCopy() }
            if !isReadOnly { try writer.read { try $0.emptyLog(waiting: Self.checkpointWait) } }
        } catch {
            // Another connection is reading from the log. Retry after it has grown further, so that saves do not wait
            // for readers each time.
            triedLogSize.store(size, ordering: .relaxed)
            log(.debug, "The log of \(path) could not be emptied yet: \(error)")
        }
    }

    /// Milliseconds that a checkpoint waits for readers.
    private static var checkpointWait: Int32 { 50 }
}

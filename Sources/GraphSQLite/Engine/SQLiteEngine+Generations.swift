// Moments of the store that are read while others write, and the log that grows meanwhile. Called by query generations, by
// cursors, and after each save.
import Foundation
import GraphEngine

extension SQLiteEngine {
    /// A generation that somebody else holds.
    struct WeakGeneration {
        weak var generation: ReadGeneration?
        /// Whether a statement may be reading from it right now.
        var isCursor: Bool
    }

    /// Bytes of a log that is never emptied out of turn.
    static var logLimit: Int { 16 << 20 }

    /// Whether a context may read what rows no longer are.
    var isPinned: Bool {
        snapshots.load(ordering: .relaxed) > 0 || generations.withLock { $0.value.contains { $0.generation != nil } }
    }

    /// Whether what is there now can be read on while others write: a reader of a file without a log would hold them up.
    package var hasGenerations: Bool { !isInMemory && (still != nil || hasLog) }

    package func readGeneration() throws -> any EngineGeneration { try readGeneration(isCursor: false) }

    /// What the store holds now, to be read for as long as one likes.
    func readGeneration(isCursor: Bool) throws -> ReadGeneration {
        try mapErrors {
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

    /// Closes what pinned contexts read: they read on from the newest content, or not at all where the store was removed.
    ///
    /// Cursors stay: each has a connection that another thread may be reading from, and closes it at its end.
    func closeGenerations() {
        for generation in takeGenerations(keeping: false) { generation.close() }
    }

    /// The generations that pinned contexts read.
    private func takeGenerations(keeping: Bool = true) -> [ReadGeneration] {
        generations.withLock { generations in
            defer { if !keeping { generations.value = [] } }
            return generations.value.compactMap { $0.isCursor ? nil : $0.generation }
        }
    }

    /// Empties a log that has grown beyond the store itself.
    ///
    /// What pinned contexts still read of it they read from copies then, so that the log is bounded however long a
    /// context is pinned. Called without the writer's lock: readers go on meanwhile, and who writes waits at most
    /// `checkpointWait`.
    package func emptyLargeLog() {
        guard hasLog, let writer else { return }
        let size = StoreFile.byteCount(path + "-wal")
        let tried = triedLogSize.load(ordering: .relaxed)
        if size < tried { triedLogSize.store(0, ordering: .relaxed) }
        guard size > max(Self.logLimit, StoreFile.byteCount(path), size < tried ? 0 : tried) else { return }
        do {
            for generation in takeGenerations() { try generation.moveToCopy() }
            if !isReadOnly { try writer.read { try $0.emptyLog(waiting: Self.checkpointWait) } }
        } catch {
            // Somebody else is reading from it. It is tried again once the log has grown further, so that saves do not wait
            // for them each time.
            triedLogSize.store(size + Self.logLimit / 4, ordering: .relaxed)
            log(.debug, "The log of \(path) could not be emptied yet: \(error)")
        }
    }

    /// Milliseconds that a checkpoint waits for readers.
    private static var checkpointWait: Int32 { 50 }
}

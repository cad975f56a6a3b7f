// Moments of the store that are read while others write, and the log that grows meanwhile. Called by query generations, by
// cursors, and after each save.
import Foundation
import GraphSQLite

extension SQLiteStore {
    /// A generation that somebody else holds.
    struct WeakGeneration {
        weak var generation: ReadGeneration?
        /// Whether a statement may be reading from it right now.
        var isCursor: Bool
    }

    /// Bytes of a log that is never emptied out of turn.
    static var logLimit: Int { 16 << 20 }

    /// Whether a context may read what rows no longer are.
    var isPinned: Bool { generations.contains { $0.generation != nil } }

    /// Whether what is there now can be read on while others write: a reader of a file without a log would hold them up.
    var hasGenerations: Bool { !isInMemory && (still != nil || hasLog) }

    /// What the store holds now, to be read for as long as one likes.
    func readGeneration(isCursor: Bool = false) throws -> ReadGeneration {
        try mapErrors {
            let generation = try ReadGeneration(
                still?.connection() ?? Connection(path: path, mode: .readOnly),
                prepareFunctions
            )
            generations.removeAll { $0.generation == nil }
            generations.append(WeakGeneration(generation: generation, isCursor: isCursor))
            return generation
        }
    }

    /// Closes what pinned contexts read: they read on from the newest content, or not at all where the store was removed.
    ///
    /// Cursors stay: each has a connection that another thread may be reading from, and closes it at its end.
    func closeGenerations() {
        for entry in generations where !entry.isCursor { entry.generation?.close() }
        generations = []
    }

    /// Empties a log that has grown beyond the store itself.
    ///
    /// What pinned contexts still read of it they read from copies then, so that the log is bounded however long a
    /// context is pinned.
    func emptyLargeLog() {
        guard let connection else { return }
        let size = connection.logSize
        if size < triedLogSize { triedLogSize = 0 }
        guard size > max(Self.logLimit, connection.fileSize, triedLogSize) else { return }
        do {
            for entry in generations where !entry.isCursor { try entry.generation?.moveToCopy(prepareFunctions) }
            if !isReadOnly { try connection.emptyLog(waiting: 50) }
        } catch {
            // Somebody else is reading from it. It is tried again once the log has grown further, so that saves do not wait
            // for them each time.
            triedLogSize = size + Self.logLimit / 4
            Diagnosis.log.debug("The log of \(path) could not be emptied yet: \(error)")
        }
    }
}

// When the pages of the write-ahead log are copied into the file. SQLite tries it after each commit beyond a thousand
// pages, and each try reads the whole index of the log: while a reader keeps its old content (a pinned context, a long
// turn, another process), each commit would take time in proportion to the log.
import CSQLite

/// When the next checkpoint of a log is due.
struct CheckpointSchedule {
    /// SQLite's own limit, in pages.
    static let limit: Int32 = 1_000
    /// Pages in the log when the latest checkpoint was stopped by a reader; 0 if none was.
    private var stopped: Int32 = 0

    /// Decides after a commit whether a checkpoint is due.
    ///
    /// After one that a reader has stopped, the log has to grow by a quarter, so that all checkpoints together take time
    /// in proportion to the pages.
    ///
    /// - Parameter pages: The pages in the log.
    /// - Returns: Whether it is due.
    mutating func isDue(_ pages: Int32) -> Bool {
        // A log that is shorter than before has been restarted.
        if pages < stopped { stopped = 0 }
        guard stopped > 0 else { return pages >= Self.limit }
        return pages - stopped >= max(Self.limit, stopped / 4)
    }

    /// Records the result of a checkpoint.
    ///
    /// - Parameters:
    ///   - pages: The pages in the log; negative if the checkpoint has failed.
    ///   - copied: Those of them that are in the file.
    ///   - commit: The pages in the log after the commit that has run it.
    mutating func note(_ pages: Int32, copied: Int32, after commit: Int32) {
        stopped = pages >= 0 && copied == pages ? 0 : commit
    }
}

extension DatabaseHandle {
    /// Replaces SQLite's schedule of checkpoints; a `PRAGMA wal_autocheckpoint` replaces this one.
    func scheduleCheckpoints() {
        sqlite3_wal_hook(
            pointer,
            { context, connection, schema, pages in
                guard let context else { return SQLITE_OK }
                let handle = Unmanaged<DatabaseHandle>.fromOpaque(context).takeUnretainedValue()
                guard handle.checkpoints.isDue(pages) else { return SQLITE_OK }
                var (total, copied): (Int32, Int32) = (-1, -1)
                // A failure is none of the commit's: the pages stay in the log.
                sqlite3_wal_checkpoint_v2(connection, schema, SQLITE_CHECKPOINT_PASSIVE, &total, &copied)
                handle.checkpoints.note(total, copied: copied, after: pages)
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}

// Cancellation of long statements. Called by compaction, and for files with triggers of others.
import CSQLite

extension Connection {
    /// Makes running statements fail with `interrupted` once `isWanted` returns false; nil removes the check.
    package func interruptsUnless(_ isWanted: (() -> Bool)?) {
        handle.isWanted = isWanted
        guard let pointer = handle.pointer else { return }
        guard isWanted != nil else { return sqlite3_progress_handler(pointer, 0, nil, nil) }
        // The handle outlives the statements and keeps the closure alive.
        sqlite3_progress_handler(
            pointer,
            10_000,
            { context in
                guard let context else { return 0 }
                let handle = Unmanaged<DatabaseHandle>.fromOpaque(context).takeUnretainedValue()
                return handle.isWanted?() == false ? 1 : 0
            },
            Unmanaged.passUnretained(handle).toOpaque()
        )
    }

    /// Makes each run of a statement fail with `interrupted` after 300 million of SQLite's instructions, some seconds, and
    /// limits values to 128 MB: triggers of a file, which run as parts of statements, could otherwise run without end.
    func limitRuns() {
        guard let pointer = handle.pointer else { return }
        sqlite3_limit(pointer, SQLITE_LIMIT_LENGTH, 128 << 20)
        sqlite3_progress_handler(
            pointer,
            Int32(DatabaseHandle.instructionsOfPortion),
            { context in
                guard let context else { return 0 }
                return Unmanaged<DatabaseHandle>.fromOpaque(context).takeUnretainedValue().exceedsRunLimit() ? 1 : 0
            },
            Unmanaged.passUnretained(handle).toOpaque()
        )
    }
}

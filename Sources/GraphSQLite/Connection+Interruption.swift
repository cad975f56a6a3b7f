// Long statements that somebody may want to end. Called by compaction.
import CSQLite

extension Connection {
    /// Has running statements fail with `interrupted` once a closure says no; nil ends this.
    package func interruptsUnless(_ isWanted: (() -> Bool)?) {
        handle.isWanted = isWanted
        guard let pointer = handle.pointer else { return }
        guard isWanted != nil else { return sqlite3_progress_handler(pointer, 0, nil, nil) }
        // The handle outlives the statements, and takes the closure with it.
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
}

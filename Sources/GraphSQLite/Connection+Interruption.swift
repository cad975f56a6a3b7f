// Cancellation of long statements. Called by compaction.
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
}

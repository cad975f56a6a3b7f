// Several recorders in one process: each has a thread and contexts of its own, and all contexts use one coordinator. The
// threads run at the same time, so that transactions compete for the locks of the coordinator and of the store.
import Foundation
import Synchronization

/// Recorders of one process that run concurrently.
package enum RecorderTeam {
    /// Executes transactions in several threads.
    ///
    /// - Parameters:
    ///   - store: The store, whose coordinator all threads use.
    ///   - threads: The number of threads.
    ///   - seed: The seed of the first thread; each other one has the next.
    ///   - count: The number of transactions of each thread.
    ///   - registers: The number of registers in the store.
    ///   - mode: The way to use contexts.
    /// - Returns: The lines of all recorders.
    /// - Throws: The error of a recorder, which is never a conflict; the others finish first.
    package static func record(
        _ store: SharedStore,
        threads: Int,
        seed: UInt64,
        count: Int,
        registers: Int,
        mode: RecordedMode
    ) throws -> [String] {
        let outcome = Mutex<(lines: [String], failure: (any Error)?)>(([], nil))
        let running = DispatchGroup()
        for thread in 0..<threads {
            running.enter()
            Thread.detachNewThread {
                defer { running.leave() }
                var lines: [String] = []
                do {
                    let recorder = Recorder(store, seed: seed + UInt64(thread), registers: registers, mode: mode)
                    try recorder.run(count) { lines.append($0) }
                } catch {
                    outcome.withLock { $0.failure = error }
                }
                let recorded = lines
                outcome.withLock { $0.lines += recorded }
            }
        }
        running.wait()
        let (lines, failure) = outcome.withLock { $0 }
        if let failure { throw failure }
        return lines
    }
}

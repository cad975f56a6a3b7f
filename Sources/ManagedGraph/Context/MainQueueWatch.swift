// Detects that nothing serves the main queue. Called by MainQueue for each block; costs two additions, and one timer
// while blocks keep coming.
import Dispatch
import Foundation
import Synchronization

/// Logs a warning, once, if a block waits for a main queue that nothing serves.
package final class MainQueueWatch: Sendable {
    /// The seconds that a block may wait before the warning.
    package static let patience = Atomic<Int>(5)

    private let issued = Atomic<Int>(0)
    private let served = Atomic<Int>(0)
    private let isWatching = Atomic<Bool>(false)
    private let hasWarned = Atomic<Bool>(false)

    /// Counts a block that was enqueued on the main queue; returns its number.
    func issue() -> Int {
        let ticket = issued.add(1, ordering: .relaxed).newValue
        if !hasWarned.load(ordering: .relaxed), !isWatching.exchange(true, ordering: .relaxed) { watch(ticket) }
        return ticket
    }

    /// Records that a block has started; the queue is serial, so all earlier ones have too.
    func serve(_ ticket: Int) {
        served.max(ticket, ordering: .relaxed)
    }

    private func watch(_ ticket: Int) {
        let seconds = Self.patience.load(ordering: .relaxed)
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [self] in
            isWatching.store(false, ordering: .relaxed)
            guard served.load(ordering: .relaxed) < ticket, !hasWarned.exchange(true, ordering: .relaxed) else {
                return
            }
            Diagnosis.log.warning(
                """
                A block of a main-queue context has waited \(seconds) seconds for the main queue; perhaps nothing serves \
                it. Make main asynchronous, call dispatchMain() or run RunLoop.main at the end of main; or, before the \
                first context is made, call NSManagedObjectContext.serveMainQueue(on:) with a serial queue of your own.
                """
            )
        }
    }
}

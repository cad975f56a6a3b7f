// Separates the writes of a coordinator from the moves of its stores: a write that began while a store is copied would be
// in the old store only. Entered by saves, batch requests and other writes; closed by moves.
//
// A move waits until no other thread writes, and new writes wait for the move. The program's own code can run in a write,
// in a custom store or a value transformer, and may wait for the write of another thread, which must not wait for the move
// then. So a new write waits for a limited time only while the move itself still waits: for a second, or for as long as the
// move has waited already, so that a move begins at last however many threads write, and however long their writes take.
import Foundation

/// Lets any number of threads write, or one thread move a store.
final class WriteGate: @unchecked Sendable {
    // Unchecked: `condition` guards the state.

    private let condition = NSCondition()
    /// The number of writes of each thread.
    @exclusivity(unchecked) private var writes: [ObjectIdentifier: Int] = [:]
    /// Threads whose writes have not ended while another write waited for its limit: the next writes do not wait for them.
    @exclusivity(unchecked) private var stalled: Set<ObjectIdentifier> = []
    /// The threads of moves that wait for writes to end.
    @exclusivity(unchecked) private var waitingMoves: Set<ObjectIdentifier> = []
    /// When the first of these moves began to wait.
    private var waitingSince = ContinuousClock.now
    /// The thread that moves a store.
    @exclusivity(unchecked) private var mover: ObjectIdentifier?
    /// The least time that a write waits for a move that waits for other writes.
    private let patience: Duration

    init(patience: Duration = .seconds(1)) { self.patience = patience }

    private var currentThread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

    /// Runs `body`, which writes to a store; waits for a move on another thread to end.
    func writing<R>(_ body: () throws -> R) rethrows -> R {
        let thread = currentThread
        condition.lock()
        // A move would wait forever for a write that waits for it.
        if writes[thread] == nil, mover != thread { waitForMoves() }
        writes[thread, default: 0] += 1
        condition.unlock()
        defer { endWrite(of: thread) }
        return try body()
    }

    /// The threads whose writes a move waits for: a move does not wait for a write of its own thread.
    private var writesBeforeMove: Set<ObjectIdentifier> { Set(writes.keys).subtracting(waitingMoves) }

    /// Waits for the moves of other threads; for a limited time while a move waits for writes in progress.
    private func waitForMoves() {
        var limit: Date?
        while mover != nil || !waitingMoves.isEmpty {
            if mover != nil || writesBeforeMove.isEmpty {
                condition.wait()
                limit = nil
            } else if !stalled.isEmpty {
                return
            } else {
                let end =
                    limit ?? Date(timeIntervalSinceNow: max(patience, ContinuousClock.now - waitingSince) / .seconds(1))
                limit = end
                if condition.wait(until: end) || mover != nil { continue }
                stalled = writesBeforeMove
                condition.broadcast()
            }
        }
    }

    private func endWrite(of thread: ObjectIdentifier) {
        condition.lock()
        let count = (writes[thread] ?? 1) - 1
        writes[thread] = count > 0 ? count : nil
        if count == 0 { stalled.remove(thread) }
        if !waitingMoves.isEmpty { condition.broadcast() }
        condition.unlock()
    }

    /// Runs `body`, which moves a store, while no other thread writes.
    func withoutWrites<R>(_ body: () throws -> R) rethrows -> R {
        let thread = currentThread
        condition.lock()
        let isNested = mover == thread
        if !isNested {
            if waitingMoves.isEmpty { waitingSince = .now }
            waitingMoves.insert(thread)
            stalled.remove(thread)
            while mover != nil || writes.keys.contains(where: { $0 != thread }) { condition.wait() }
            waitingMoves.remove(thread)
            mover = thread
        }
        condition.unlock()
        defer { if !isNested { endMove() } }
        return try body()
    }

    private func endMove() {
        condition.lock()
        mover = nil
        condition.broadcast()
        condition.unlock()
    }
}

// Separates the writes of a coordinator from the moves of its stores: a write that began while a store is copied would be
// in the old store only. Entered by saves, batch requests and other writes; closed by moves.
import Foundation

/// Lets any number of threads write, or one thread move a store.
final class WriteGate: @unchecked Sendable {
    // Unchecked: `condition` guards the state.

    private let condition = NSCondition()
    /// The number of writes of each thread.
    private var writes: [ObjectIdentifier: Int] = [:]
    /// The moves that wait for writes to end; new writes wait for them.
    private var waitingMoves = 0
    /// The thread that moves a store.
    private var mover: ObjectIdentifier?

    private var currentThread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

    /// Runs `body`, which writes to a store; waits for a move on another thread to end.
    func writing<R>(_ body: () throws -> R) rethrows -> R {
        let thread = currentThread
        condition.lock()
        // A move would wait forever for a write that waits for it.
        while writes[thread] == nil, mover != thread, mover != nil || waitingMoves > 0 { condition.wait() }
        writes[thread, default: 0] += 1
        condition.unlock()
        defer { endWrite(of: thread) }
        return try body()
    }

    private func endWrite(of thread: ObjectIdentifier) {
        condition.lock()
        let count = (writes[thread] ?? 1) - 1
        writes[thread] = count > 0 ? count : nil
        if waitingMoves > 0 { condition.broadcast() }
        condition.unlock()
    }

    /// Runs `body`, which moves a store, while no other thread writes.
    func withoutWrites<R>(_ body: () throws -> R) rethrows -> R {
        let thread = currentThread
        condition.lock()
        let isNested = mover == thread
        if !isNested {
            waitingMoves += 1
            while mover != nil || writes.keys.contains(where: { $0 != thread }) { condition.wait() }
            waitingMoves -= 1
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

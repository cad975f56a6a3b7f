// Waits between contexts' queues. A thread on a parent's queue that waits for a child lends the parent's queue to the
// child's block, which may then enter the parent. Used by ContextQueue.
import Synchronization

/// Threads that wait for queues, and blocks that wait for an occupied queue.
///
/// Registration and lookup happen under one lock, so of two threads that wait for each other, the later one finds the
/// earlier one.
enum QueueWaits {
    private struct Waiter {
        let number: UInt64
        let queue: ContextQueue
        let stack: QueueStack
    }

    private struct State {
        var nextNumber: UInt64 = 0
        var waiters: [Waiter] = []
        var errands: [QueueErrand] = []
    }

    private static let state = Mutex(State())
    private static let waiterCount = Atomic<Int>(0)

    /// Waits for a queue in `wait`; meanwhile, blocks inside that queue may use this thread's queues.
    static func lending<R>(_ stack: QueueStack, to queue: ContextQueue, _ wait: () -> R) -> R {
        let (number, errands) = state.withLock { state in
            state.nextNumber += 1
            state.waiters.append(Waiter(number: state.nextNumber, queue: queue, stack: stack))
            let isDue = { (errand: QueueErrand) in errand.stack.contains(queue) && stack.contains(errand.queue) }
            let due = state.errands.filter(isDue)
            state.errands.removeAll(where: isDue)
            return (state.nextNumber, due)
        }
        waiterCount.add(1, ordering: .releasing)
        for errand in errands { errand.run() }
        defer {
            waiterCount.subtract(1, ordering: .releasing)
            state.withLock { state in state.waiters.removeAll { $0.number == number } }
        }
        return wait()
    }

    /// The queues that a waiting thread lends to a block inside `stack` that is entering a queue; nil if none does.
    static func lender(of queue: ContextQueue, to stack: QueueStack) -> QueueStack? {
        guard waiterCount.load(ordering: .acquiring) > 0 else { return nil }
        return state.withLock { find(queue, stack, $0) }
    }

    /// Finds a lender of the queue; if there is none, registers an errand for a later one.
    static func lender(of queue: ContextQueue, orRegister errand: QueueErrand) -> QueueStack? {
        state.withLock { state in
            if let stack = find(queue, errand.stack, state) { return stack }
            state.errands.append(errand)
            return nil
        }
    }

    static func forget(_ errand: QueueErrand) {
        state.withLock { state in state.errands.removeAll { $0 === errand } }
    }

    private static func find(_ queue: ContextQueue, _ stack: QueueStack, _ state: State) -> QueueStack? {
        state.waiters.first { stack.contains($0.queue) && $0.stack.contains(queue) }?.stack
    }
}

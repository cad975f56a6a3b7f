// Waits between contexts' queues. A thread on a parent's queue that waits for a child lends the parent's queue to the child's
// block that it waits for, which may then enter the parent. Used by ContextQueue.
import CSwiftRuntime
import Dispatch
import GraphEngine
import Synchronization

/// The queues that a thread is inside of.
///
/// Valid as long as that thread runs or waits below the frames.
struct QueueStack: @unchecked Sendable {
    let top: UnsafeMutablePointer<QueueFrame>?
    /// The main queue, if the thread is on it.
    let main: MainQueue?

    static var current: QueueStack { QueueStack(top: QueueFrame.top, main: MainQueue.ofThisThread) }

    var isEmpty: Bool { top == nil && main == nil }

    /// O(queues entered).
    func contains(_ queue: ContextQueue) -> Bool {
        guard let queueMain = queue.main else { return top?.pointee.contains { $0.queue === queue } ?? false }
        return main === queueMain || top?.pointee.contains { $0.main === queueMain } ?? false
    }
}

/// Threads that wait for queues, and blocks that wait for a queue which a thread occupies.
///
/// Registering as one and looking for the other happen under one lock, so that of two threads that wait for each other the
/// later one finds the earlier one.
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

    /// Waits for a queue in `wait`; blocks that are inside of it may use the queues of this thread meanwhile.
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

    /// What a waiting thread lends to a block that is inside of `stack` and wants to enter a queue; nil where none does.
    static func lender(of queue: ContextQueue, to stack: QueueStack) -> QueueStack? {
        guard waiterCount.load(ordering: .acquiring) > 0 else { return nil }
        return state.withLock { find(queue, stack, $0) }
    }

    /// The same; where none lends the queue, an errand is registered for one that comes to.
    static func lender(of queue: ContextQueue, orRegister errand: QueueErrand) -> QueueStack? {
        state.withLock { state in
            if let found = find(queue, errand.stack, state) { return found }
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

/// A block that waits for a queue: run once, by the queue or by a thread that is inside of it and waits.
final class QueueErrand: @unchecked Sendable {
    let queue: ContextQueue
    /// What the thread is inside of that wants to enter the queue; it waits until the block has run.
    let stack: QueueStack
    private let body: Mutex<UnsafeTransfer<() -> Void>?>
    private let done = DispatchSemaphore(value: 0)

    init(_ queue: ContextQueue, _ stack: QueueStack, _ body: @escaping () -> Void) {
        self.queue = queue
        self.stack = stack
        self.body = Mutex(UnsafeTransfer(body))
    }

    /// Runs the block, unless it has run or runs.
    func run() {
        if runBody() { done.signal() }
    }

    /// The block is let go of before its caller goes on.
    private func runBody() -> Bool {
        guard let body = body.withLock({ $0.take() }) else { return false }
        body.value()
        return true
    }

    /// Lets go of a block that runs elsewhere.
    func drop() { body.withLock { $0 = nil } }

    func wait() { done.wait() }
}

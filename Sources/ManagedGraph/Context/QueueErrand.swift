// A block that a thread hands to the queue of another context.
import Dispatch
import GraphEngine
import Synchronization

/// A block that waits for a queue; it runs once, on the queue or on a thread that is inside the queue and waits.
final class QueueErrand: @unchecked Sendable {
    let queue: ContextQueue
    /// The queues of the thread that is entering the queue; it waits until the block has run.
    let stack: QueueStack
    private let body: Mutex<UnsafeTransfer<() -> Void>?>
    private let completion = DispatchSemaphore(value: 0)

    init(_ queue: ContextQueue, _ stack: QueueStack, _ body: @escaping () -> Void) {
        self.queue = queue
        self.stack = stack
        self.body = Mutex(UnsafeTransfer(body))
    }

    /// Runs the block, unless it has already started.
    func run() {
        if runBody() { completion.signal() }
    }

    /// Runs the block and releases it before its caller continues.
    private func runBody() -> Bool {
        guard let body = body.withLock({ $0.take() }) else { return false }
        body.value()
        return true
    }

    /// Releases a block that runs elsewhere.
    func drop() { body.withLock { $0 = nil } }

    func wait() { completion.wait() }
}

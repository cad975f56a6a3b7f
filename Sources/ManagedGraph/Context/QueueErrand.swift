// A block that a thread hands to the queue of another context.
import Dispatch
import GraphEngine
import Synchronization

/// A block that waits for a queue; it runs once: on the main queue, on a thread that is inside the queue and waits, or on
/// the calling thread while the queue is held for it.
final class QueueErrand: @unchecked Sendable {
    let queue: ContextQueue
    /// The queues of the thread that is entering the queue; it waits until the block has run.
    let stack: QueueStack
    private let body: Mutex<UnsafeTransfer<() -> Void>?>
    private let completion = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)
    /// Whether the queue is held until the caller has run the block itself; read after `wait`.
    private(set) var isHeld = false

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

    /// Waits until the block has run or the queue is held for it.
    func wait() { completion.wait() }

    /// Lets the caller run the block and occupies the queue meanwhile, unless the block has started elsewhere.
    func hold() {
        guard body.withLock({ $0.take() }) != nil else { return }
        isHeld = true
        completion.signal()
        end.wait()
    }

    /// Called after a block for which the queue was held.
    func finish() { end.signal() }
}

/// The queues that a thread has entered, innermost last.
///
/// Valid while that thread runs or waits below the frames.
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

import CSwiftRuntime

/// A queue that a thread has entered, linked to those entered before; it lives on the thread's stack.
struct QueueFrame {
    unowned(unsafe) let queue: ContextQueue
    private unowned(unsafe) let context: NSManagedObjectContext
    /// The main queue, if the thread was on it when it entered.
    let main: MainQueue?
    private let outer: UnsafeMutablePointer<QueueFrame>?
    /// The top frame of the thread that waits for this block.
    private let caller: UnsafeMutablePointer<QueueFrame>?

    static var top: UnsafeMutablePointer<QueueFrame>? {
        managedgraph_currentFrame()?.assumingMemoryBound(to: QueueFrame.self)
    }

    /// Runs `body` inside a queue that the caller has entered.
    static func run<R>(
        _ queue: ContextQueue,
        _ context: NSManagedObjectContext,
        main: MainQueue?,
        caller: UnsafeMutablePointer<QueueFrame>? = nil,
        _ body: () -> R
    ) -> R {
        let outer = top
        var frame = QueueFrame(queue: queue, context: context, main: main, outer: outer, caller: caller)
        return withUnsafeMutablePointer(to: &frame) { pointer in
            managedgraph_setCurrentFrame(pointer)
            defer { managedgraph_setCurrentFrame(outer) }
            return body()
        }
    }

    /// Whether this thread, or a thread that waits for it, is inside a queue.
    ///
    /// O(queues entered).
    static func isInside(_ queue: ContextQueue) -> Bool {
        top?.pointee.contains { $0.queue === queue } ?? false
    }

    /// Whether this thread, or a thread that waits for it, is inside the main queue.
    static func isInside(_ main: MainQueue) -> Bool {
        top?.pointee.contains { $0.main === main } ?? false
    }

    func contains(_ isWanted: (QueueFrame) -> Bool) -> Bool {
        var frame = self
        while true {
            if isWanted(frame) { return true }
            if let caller = frame.caller, caller.pointee.contains(isWanted) { return true }
            guard let outer = frame.outer else { return false }
            frame = outer.pointee
        }
    }

    /// The context whose block runs on this thread.
    static var context: NSManagedObjectContext? { top?.pointee.context }

    /// Calls `body` with each context that this thread, or a thread waiting for it, is inside; may repeat some.
    static func eachContext(_ body: (NSManagedObjectContext) -> Void) {
        _ = top?.pointee.contains {
            body($0.context); return false
        }
    }
}

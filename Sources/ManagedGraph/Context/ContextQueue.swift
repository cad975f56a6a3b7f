// The queue of a context: a private serial queue or the main one, and the knowledge of whether this thread is inside of
// it. A thread may be inside of several: a child's queue enters its parent's. Called by NSManagedObjectContext.
import CSwiftRuntime
import Dispatch

/// Where a context's work runs.
final class ContextQueue: Sendable {
    private let queue: DispatchQueue
    private let main: MainQueue?

    init(_ type: NSManagedObjectContextConcurrencyType) {
        main = type == .mainQueueConcurrencyType ? MainQueue.current : nil
        queue = main?.queue ?? DispatchQueue(label: "ManagedGraph.context")
    }

    /// Whether the caller runs on this queue, perhaps with other queues entered since.
    ///
    /// O(queues entered).
    var isCurrent: Bool {
        QueueFrame.isInside(self) || main?.isCurrent == true
    }

    /// Runs the block on the queue later; the context lives until then.
    func async(_ context: NSManagedObjectContext, _ block: @escaping () -> Void) {
        let work = UnsafeTransfer((context, block))
        let run = { @Sendable in QueueFrame.run(self, work.value.0, main: self.main, work.value.1) }
        if let main { main.async(run) } else { queue.async(execute: run) }
    }

    /// Runs the block on the queue later, if the context lives then.
    ///
    /// It is not counted as waiting: a command whose main thread serves no queue is not to be warned of it.
    func asyncIfAlive(_ context: NSManagedObjectContext, _ block: @escaping (NSManagedObjectContext) -> Void) {
        let work = UnsafeTransfer(block)
        queue.async { [weak context] in
            guard let context else { return }
            QueueFrame.run(self, context, main: self.main) { work.value(context) }
        }
    }

    /// Runs the block on the queue and waits; at once where the caller is on it.
    func sync(_ context: NSManagedObjectContext, _ block: () -> Void) {
        if isCurrent { return enter(context, block) }
        if let main {
            // Another thread may run the block while this one waits: what this thread is inside of, the block is too.
            let caller = UnsafeTransfer(QueueFrame.top)
            return main.sync { QueueFrame.run(self, context, main: main, caller: caller.value, block) }
        }
        // Inside of a private queue Dispatch no longer knows of the main one.
        let main = MainQueue.ofThisThread
        queue.sync { QueueFrame.run(self, context, main: main, block) }
    }

    /// Runs the block at once; the caller is on the queue.
    @inline(__always)
    func enter<R>(_ context: NSManagedObjectContext, _ block: () -> R) -> R {
        QueueFrame.run(self, context, main: nil, block)
    }

    /// What a message calls the queue.
    var name: String { main == nil ? "the context's private queue" : "the main queue" }
}

/// One queue that a thread is inside of, above those it entered before; it lives on that thread's stack.
struct QueueFrame {
    private unowned(unsafe) let queue: ContextQueue
    private unowned(unsafe) let context: NSManagedObjectContext
    /// The main queue, where the thread was on it when it entered.
    private let main: MainQueue?
    private let outer: UnsafeMutablePointer<QueueFrame>?
    /// What the thread is inside of that waits for this one.
    private let caller: UnsafeMutablePointer<QueueFrame>?

    static var top: UnsafeMutablePointer<QueueFrame>? {
        managedgraph_currentFrame()?.assumingMemoryBound(to: QueueFrame.self)
    }

    /// Runs `body` inside of a queue that the caller has entered.
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

    /// Whether this thread, or one that waits for it, is inside of a queue.
    ///
    /// O(queues entered).
    static func isInside(_ queue: ContextQueue) -> Bool {
        top?.pointee.contains { $0.queue === queue } ?? false
    }

    /// Whether this thread, or one that waits for it, is inside of the main queue.
    static func isInside(_ main: MainQueue) -> Bool {
        top?.pointee.contains { $0.main === main } ?? false
    }

    private func contains(_ isWanted: (QueueFrame) -> Bool) -> Bool {
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
}

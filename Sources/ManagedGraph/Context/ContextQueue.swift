// The queue of a context: a private serial queue or the main one, and the knowledge of whether this thread is inside of
// it. A thread may be inside of several: a child's queue enters its parent's.
import CSwiftRuntime
import Dispatch
import Foundation

/// Where a context's work runs.
final class ContextQueue: Sendable {
    private let queue: DispatchQueue
    private let main: MainQueue?

    init(_ type: NSManagedObjectContextConcurrencyType) {
        main = type == .mainQueueConcurrencyType ? MainQueue.current : nil
        queue = main?.queue ?? DispatchQueue(label: "ManagedGraph.context")
    }

    /// Whether the caller runs on this queue.
    var isCurrent: Bool {
        QueueFrame.isInside(self) || main?.isCurrent == true
    }

    /// Whether the frames of this thread say so; for the main queue the thread may be enough.
    func async(_ context: NSManagedObjectContext, _ block: @escaping () -> Void) {
        let work = UnsafeTransfer((context, block))
        let run = { @Sendable in QueueFrame.run(self, work.value.0, work.value.1) }
        if let main { main.async(run) } else { queue.async(execute: run) }
    }

    /// Runs the block on the queue and waits; at once where the caller is on it.
    func sync(_ context: NSManagedObjectContext, _ block: () -> Void) {
        if isCurrent { return QueueFrame.run(self, context, block) }
        let run = { QueueFrame.run(self, context, block) }
        if let main { main.sync(run) } else { queue.sync(execute: run) }
    }

    /// What a message calls the queue.
    var name: String { main == nil ? "the context's private queue" : "the main queue" }
}

/// One queue that a thread is inside of, above those it entered before.
struct QueueFrame {
    private unowned(unsafe) let queue: ContextQueue
    private unowned(unsafe) let context: NSManagedObjectContext
    private let outer: UnsafeMutablePointer<QueueFrame>?

    private static var top: UnsafeMutablePointer<QueueFrame>? {
        managedgraph_currentFrame()?.assumingMemoryBound(to: QueueFrame.self)
    }

    /// Runs `body` inside of a queue that the caller has entered.
    static func run(_ queue: ContextQueue, _ context: NSManagedObjectContext, _ body: () -> Void) {
        let outer = top
        var frame = QueueFrame(queue: queue, context: context, outer: outer)
        withUnsafeMutablePointer(to: &frame) { pointer in
            managedgraph_setCurrentFrame(pointer)
            body()
            managedgraph_setCurrentFrame(outer)
        }
    }

    /// Whether this thread is inside of a queue.
    ///
    /// O(queues entered).
    static func isInside(_ queue: ContextQueue) -> Bool {
        var frame = top
        while let current = frame {
            if current.pointee.queue === queue { return true }
            frame = current.pointee.outer
        }
        return false
    }

    /// The context whose block runs on this thread.
    static var context: NSManagedObjectContext? { top?.pointee.context }
}

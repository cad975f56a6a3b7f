// The queue of a context, private or main, and a record of the queues each thread has entered. A thread can be inside
// several: a child's queue enters its parent's. Called by NSManagedObjectContext.
import Dispatch
import GraphEngine
import Synchronization

/// The queue that runs a context's work.
final class ContextQueue: Sendable {
    private let queue: DispatchQueue
    /// The main queue, if this is it.
    let main: MainQueue?
    /// The number of running blocks on a private queue.
    private let running = Atomic<Int>(0)

    init(_ type: NSManagedObjectContextConcurrencyType) {
        main = type == .mainQueueConcurrencyType ? MainQueue.current : nil
        queue = main?.queue ?? DispatchQueue(label: "ManagedGraph.context")
    }

    /// Whether the caller runs on this queue, even if it has entered other queues since.
    ///
    /// O(queues entered).
    var isCurrent: Bool {
        QueueFrame.isInside(self) || main?.isCurrent == true
    }

    /// Runs the block on the queue asynchronously; retains the context until then.
    ///
    /// The block is released inside the queue: an object that it alone retained may wait for the queue in its
    /// deinitializer.
    func async(_ context: NSManagedObjectContext, _ block: @escaping () -> Void) {
        let context = UnsafeTransfer(context)
        let work = Handover(block)
        let run = { @Sendable in self.occupy(context.value) { work.take()() } }
        if let main { main.async(run) } else { queue.async(execute: run) }
    }

    /// Runs the block on the queue asynchronously, if the context is still alive then.
    ///
    /// It does not count as waiting: a command whose main thread serves no queue should not be warned about it.
    func asyncIfAlive(_ context: NSManagedObjectContext, _ block: @escaping (NSManagedObjectContext) -> Void) {
        let work = UnsafeTransfer(block)
        let handle = context.handle
        queue.async {
            guard let context = handle.object(as: NSManagedObjectContext.self) else { return }
            self.occupy(context) { work.value(context) }
        }
    }

    /// Runs a block on the queue and counts it as running.
    @inline(__always)
    private func occupy(
        _ context: NSManagedObjectContext,
        main threadMain: MainQueue? = nil,
        caller: UnsafeMutablePointer<QueueFrame>? = nil,
        _ block: () -> Void
    ) {
        running.add(1, ordering: .relaxed)
        defer { running.subtract(1, ordering: .relaxed) }
        QueueFrame.run(self, context, main: main ?? threadMain, caller: caller, block)
    }

    /// Runs the block on the queue and waits; runs it immediately if the caller is on the queue.
    ///
    /// A block for a private queue runs on the calling thread, as on Apple's platforms. If a thread inside the queue
    /// waits for the caller, as a child's block that enters its parent's queue does, the block runs on either thread.
    func sync(_ context: NSManagedObjectContext, _ block: () -> Void) {
        if isCurrent { return enter(context, block) }
        let stack = QueueStack.current
        // Enters an idle queue without a thread switch.
        guard main != nil || running.load(ordering: .relaxed) > 0 else {
            if let lender = QueueWaits.lender(of: self, to: stack) { return borrow(lender, context, block) }
            return lending(stack, to: context) {
                // Inside a private queue, Dispatch no longer reports the main queue.
                queue.sync { occupy(context, main: stack.main, block) }
            }
        }
        if stack.isEmpty { return wait(context, stack, block) }
        withoutActuallyEscaping(block) { block in
            let recorder = ActivityRecorder.current
            let errand = QueueErrand(self, stack) {
                // Another thread may run the block while this one waits, so the block inherits the queues entered here.
                ActivityRecorder.lend(recorder) {
                    self.occupy(context, main: stack.main, caller: stack.top, block)
                }
            }
            if let lender = QueueWaits.lender(of: self, orRegister: errand) {
                errand.drop()
                return borrow(lender, context, block)
            }
            if let main {
                main.async { errand.run() }
            } else {
                queue.async {
                    self.running.add(1, ordering: .relaxed)
                    errand.hold()
                    self.running.subtract(1, ordering: .relaxed)
                }
            }
            lending(stack, to: context) { errand.wait() }
            QueueWaits.forget(errand)
            if errand.isHeld {
                occupy(context, main: stack.main, block)
                errand.finish()
            }
        }
    }

    /// Runs `wait`, and lends the caller's queues to the awaited queue if one of them belongs to an ancestor.
    ///
    /// A child that waits for its parent lends nothing: the framework's own steps in it must not be interrupted.
    private func lending(_ stack: QueueStack, to context: NSManagedObjectContext, _ wait: () -> Void) {
        var ancestor = stack.isEmpty ? nil : context.parentContext
        while let parent = ancestor {
            if stack.contains(parent.queue) { return QueueWaits.lending(stack, to: self, wait) }
            ancestor = parent.parentContext
        }
        wait()
    }

    /// Waits for the queue; the caller is inside none, so no block can be waiting for the caller.
    private func wait(_ context: NSManagedObjectContext, _ stack: QueueStack, _ block: () -> Void) {
        if let main { return main.sync { occupy(context, block) } }
        queue.sync { occupy(context, main: stack.main, block) }
    }

    /// Runs the block immediately on behalf of a thread that is on the queue and waits for the caller.
    private func borrow(_ lender: QueueStack, _ context: NSManagedObjectContext, _ block: () -> Void) {
        QueueFrame.run(self, context, main: main ?? lender.main, caller: lender.top, block)
    }

    /// Runs the block immediately; the caller is on the queue.
    @inline(__always)
    func enter<R>(_ context: NSManagedObjectContext, _ block: () -> R) -> R {
        QueueFrame.run(self, context, main: nil, block)
    }

    /// The queue's name in messages.
    var name: String { main == nil ? "the context's private queue" : "the main queue" }
}

// Runs work on a context's queue. A turn is one such run: reads within it share a snapshot, and its changes are
// processed at its end.
import Foundation
import GraphEngine

extension NSManagedObjectContext {
    /// The default implementation of `perform(_:)`.
    final func enqueue(_ block: @escaping () -> Void) {
        queue.async(self) { self.turn { block() } }
    }

    /// Runs a block on the context's queue and waits for it; reentrant.
    ///
    /// Its signature is Apple's: with another one, calls of a program's own method of this name would be ambiguous.
    /// Unlike `perform`, it does not process the changes: that follows on the queue, or at the next fetch or save. A
    /// block can wait for its own context again, through any number of other contexts; the inner block runs
    /// immediately. A child can wait for its parent. Two contexts that wait for each other from two threads deadlock.
    ///
    /// - Parameter block: The block.
    /// - Returns: The block's result.
    /// - Throws: The block's error.
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        try resultAndWait(callsOverrides: true, block)
    }

    /// Runs the framework's own work on the context's queue and waits for it.
    ///
    /// As on Apple's platforms, overrides of `performAndWait` see the program's calls alone.
    final func onQueue<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T {
        try resultAndWait(callsOverrides: false, block)
    }

    private func resultAndWait<T, Failure: Error>(
        callsOverrides: Bool,
        _ block: () throws(Failure) -> T
    ) throws(Failure) -> T {
        var result: Result<T, Failure>?
        func work() { result = Result(catching: block) }
        if callsOverrides { performAndWait(work) } else { runAndWait(work) }
        guard let result else { preconditionFailure("performAndWait was overridden and did not run its block.") }
        return try result.get()
    }

    /// The default implementation of `performAndWait(_:)`.
    final func runAndWait(_ block: () -> Void) {
        if QueueFrame.isInside(queue) { return queue.enter(self, block) }
        withoutActuallyEscaping(block) { block in
            queue.sync(self) { self.turn(processesChanges: false, block) }
        }
    }

    /// Runs a block on the context's queue, processes its changes and returns its result.
    ///
    /// With the schedule `immediate`, a caller already on the queue, such as the main actor for a main-queue context,
    /// runs the block immediately, before any enqueued blocks.
    ///
    /// - Parameters:
    ///   - schedule: Whether to run immediately if the caller is already on the queue.
    ///   - block: The block.
    /// - Returns: The block's result.
    /// - Throws: The block's error.
    @_disfavoredOverload
    nonisolated(nonsending) public func perform<T, Failure: Error>(
        schedule: ScheduledTaskType = .immediate,
        _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        if schedule == .immediate, queue.isCurrent {
            return try queue.enter(self) { turn { Result(catching: block) } }.get()
        }
        let work = Handover(block)
        let outcome: UnsafeTransfer<Result<T, Failure>> = await withCheckedContinuation { continuation in
            queue.async(self) {
                // The queue releases the block before the caller continues.
                let result = UnsafeTransfer(self.turn { Result(catching: work.take()) })
                continuation.resume(returning: result)
            }
        }
        return try outcome.value.get()
    }

    /// The context whose block runs on this thread.
    static var current: NSManagedObjectContext? { QueueFrame.context }

    /// Whether the caller runs inside a context's queue; for tests.
    package static func isInside(_ context: NSManagedObjectContext) -> Bool { context.queue.isCurrent }

    /// Runs one turn: a shared snapshot for reads, then the end of the event.
    final func turn<R>(processesChanges: Bool = true, _ body: () -> R) -> R {
        if turnDepth == 0 { readingAhead?.endTurn() }
        turnDepth += 1
        let result = body()
        if processesChanges {
            endEvent()
            if turnDepth == 1 { undoManager?.closeEvent() }
        }
        turnDepth -= 1
        if !pending.isEmpty { scheduleEvent() }
        if turnDepth == 0 {
            if !sessions.isEmpty { observed(.snapshot) { sessions.giveBack() } }
            endEventAnswers()
            turnObjects.removeAll(keepingCapacity: turnObjects.count < 4096)
            releaseRecentObjects()
            readingAhead?.endTurn()
            if registry.ledger.isOn, let coordinator = registry.coordinator {
                registry.ledger.notify(coordinator)
            }
        }
        return result
    }

    /// Ensures that changes outside a turn are processed too.
    final func noteEvent() {
        guard turnDepth == 0, concurrencyType == .mainQueueConcurrencyType, queue.isCurrent else { return }
        scheduleEvent()
    }

    private func scheduleEvent() {
        guard !isEventScheduled else { return }
        isEventScheduled = true
        queue.asyncIfAlive(self) { context in
            context.isEventScheduled = false
            context.releaseRecentObjects()
            context.readingAhead?.forgetLooseFaults()
            context.endEvent()
            context.undoManager?.closeEvent()
        }
    }
}

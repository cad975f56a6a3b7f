// Running work on a context's queue. A turn is one such run: reads inside of it share a snapshot, and changes made in
// it are processed at its end.
import Foundation
import GraphEngine

extension NSManagedObjectContext {
    /// What `perform(_:)` does unless it is overridden.
    final func enqueue(_ block: @escaping () -> Void) {
        queue.async(self) { self.turn { block() } }
    }

    /// Runs a block on the context's queue and waits for it; may be called from within another.
    ///
    /// Unlike `perform` it does not process the changes made: that follows on the queue, or at the next fetch or save.
    /// A block may wait for its own context again, through any number of other contexts; it then runs at once. A child may
    /// wait for its parent. Two contexts that wait for each other from two threads wait for ever.
    ///
    /// - Parameter block: The block.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    public func performAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T {
        if QueueFrame.isInside(queue) { return try queue.enter(self) { Result(catching: block) }.get() }
        var result: Result<T, Failure>?
        withoutActuallyEscaping(block) { block in
            queue.sync(self) { result = self.turn(processesChanges: false) { Result(catching: block) } }
        }
        guard let result else { preconditionFailure("The context's queue did not run its block.") }
        return try result.get()
    }

    /// Runs a block on the context's queue and returns its result; then processes the changes it made.
    ///
    /// With the schedule `immediate` a caller that is on the queue already, as one on the main actor is for a main-queue
    /// context, runs the block at once, before anything that waits for the queue.
    ///
    /// - Parameters:
    ///   - schedule: Whether to run at once where the caller is on the queue already.
    ///   - block: The block.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    nonisolated(nonsending) public func perform<T, Failure: Error>(
        schedule: ScheduledTaskType = .immediate,
        _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        if schedule == .immediate, queue.isCurrent {
            return try queue.enter(self) { turn { Result(catching: block) } }.get()
        }
        let work = UnsafeTransfer(block)
        let outcome: UnsafeTransfer<Result<T, Failure>> = await withCheckedContinuation { continuation in
            queue.async(self) {
                continuation.resume(returning: UnsafeTransfer(self.turn { Result(catching: work.value) }))
            }
        }
        return try outcome.value.get()
    }

    /// The context whose block runs on this thread.
    static var current: NSManagedObjectContext? { QueueFrame.context }

    /// Whether the caller runs inside of a context's queue; for tests.
    package static func isInside(_ context: NSManagedObjectContext) -> Bool { context.queue.isCurrent }

    /// One turn: a shared snapshot for reads, and the end of the event.
    final func turn<R>(processesChanges: Bool = true, _ body: () -> R) -> R {
        if turnDepth == 0 { readingAhead?.endTurn() }
        turnDepth += 1
        let result = body()
        if processesChanges {
            processPendingChanges()
            if turnDepth == 1 { undoManager?.closeEvent() }
        }
        turnDepth -= 1
        if hasPending { scheduleEvent() }
        if turnDepth == 0 {
            sessions.giveBack()
            orderedViews.removeAll()
            turnObjects.removeAll(keepingCapacity: turnObjects.count < 4096)
            recentObjects = RecentObjects()
            readingAhead?.endTurn()
            if RegistrationLedger.isWanted.load(ordering: .relaxed), let coordinator = registry.coordinator {
                registry.ledger.notify(coordinator)
            }
        }
        return result
    }

    /// Makes sure that changes outside of a turn are processed too.
    final func noteEvent() {
        guard turnDepth == 0, concurrencyType == .mainQueueConcurrencyType, queue.isCurrent else { return }
        scheduleEvent()
    }

    private func scheduleEvent() {
        guard !isEventScheduled else { return }
        isEventScheduled = true
        queue.asyncIfAlive(self) { context in
            context.isEventScheduled = false
            context.recentObjects = RecentObjects()
            context.readingAhead?.forgetLooseFaults()
            context.processPendingChanges()
            context.undoManager?.closeEvent()
        }
    }
}

// Running work on a context's queue. A turn is one such run: reads inside of it share a snapshot, and changes made in
// it are processed at its end.
import Foundation

extension NSManagedObjectContext {
    /// Runs a block on the context's queue, later; then processes the changes it made.
    ///
    /// - Parameter block: The block.
    public func perform(_ block: @escaping () -> Void) {
        queue.async { self.turn { block() } }
    }

    /// Runs a block on the context's queue and waits for it; may be called from within another.
    ///
    /// - Parameter block: The block.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    public func performAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T {
        if queue.isCurrent { return try block() }
        var result: Result<T, Failure>?
        withoutActuallyEscaping(block) { block in
            queue.sync { result = self.turn { Result(catching: block) } }
        }
        guard let result else { preconditionFailure("The context's queue did not run its block.") }
        return try result.get()
    }

    /// Runs a block on the context's queue and returns its result; then processes the changes it made.
    ///
    /// - Parameters:
    ///   - schedule: Whether to run at once where the caller is on the queue already.
    ///   - block: The block.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    public func perform<T, Failure: Error>(
        schedule: ScheduledTaskType = .immediate,
        _ block: sending @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        let work = UnsafeTransfer(block)
        let outcome: UnsafeTransfer<Result<T, Failure>> = await withCheckedContinuation { continuation in
            let run: () -> Void = {
                continuation.resume(returning: UnsafeTransfer(self.turn { Result(catching: work.value) }))
            }
            if schedule == .immediate, queue.isCurrent { run() } else { queue.async(run) }
        }
        return try outcome.value.get()
    }

    /// The context whose block runs on this thread.
    static var current: NSManagedObjectContext? {
        Thread.current.threadDictionary[currentKey] as? NSManagedObjectContext
    }

    private static var currentKey: String { "ManagedGraph.currentContext" }

    /// One turn: a shared snapshot for reads, and the end of the event.
    final func turn<R>(_ body: () -> R) -> R {
        let outer = Thread.current.threadDictionary[Self.currentKey]
        Thread.current.threadDictionary[Self.currentKey] = self
        turnDepth += 1
        registry.coordinator?.beginTurn()
        let result = body()
        processPendingChanges()
        registry.coordinator?.endTurn()
        turnDepth -= 1
        if turnDepth == 0 { turnObjects.removeAll(keepingCapacity: turnObjects.count < 4096) }
        Thread.current.threadDictionary[Self.currentKey] = outer
        return result
    }

    /// Makes sure that changes outside of a turn are processed too.
    final func noteEvent() {
        guard turnDepth == 0, !isEventScheduled, concurrencyType == .mainQueueConcurrencyType, queue.isCurrent else {
            return
        }
        isEventScheduled = true
        queue.async { [weak self] in
            guard let self else { return }
            isEventScheduled = false
            processPendingChanges()
        }
    }
}

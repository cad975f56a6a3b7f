// The coordinator's queue for callers that need a result. Called by users; the plain forms, which subclasses override,
// are in NSPersistentStoreCoordinator.swift.
import GraphEngine

extension NSPersistentStoreCoordinator {
    /// Runs a block while no other thread uses the stores, and waits for it.
    ///
    /// - Parameter block: The block; it may call this again.
    /// - Returns: The result of the block.
    /// - Throws: The errors of the block.
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try resultAndWait(block) }

    private func resultAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T {
        var result: Result<T, Failure>?
        performAndWait { () -> Void in result = Result(catching: block) }
        guard let result else { preconditionFailure("performAndWait was overridden and did not run its block.") }
        return try result.get()
    }

    /// Runs a block on the coordinator's own queue and returns its result.
    ///
    /// - Parameter block: The block.
    /// - Returns: The result of the block.
    /// - Throws: The errors of the block.
    @_disfavoredOverload
    nonisolated(nonsending) public func perform<T, Failure: Error>(
        _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        let work = Handover(block)
        let outcome: UnsafeTransfer<Result<T, Failure>> = await withCheckedContinuation { continuation in
            enqueue {
                // The queue releases the block before the caller continues.
                let result = UnsafeTransfer(Result(catching: work.take()))
                continuation.resume(returning: result)
            }
        }
        return try outcome.value.get()
    }

    /// The form of `perform` that does not wait.
    private func enqueue(_ block: @escaping @Sendable () -> Void) { perform(block) }
}

// Observation of the work beneath contexts while stores are open. Called by programs; Documentation/Diagnosis.md shows
// how.
import Foundation
import GraphEngine

extension NSPersistentStoreCoordinator {
    /// Calls a handler for each statement, each fault that is read and each save of this coordinator's contexts.
    ///
    /// The observation begins immediately, also for stores that are open, and ends when the returned object is cancelled or
    /// released. To see the statements that open or migrate a store, observe before the store is added.
    ///
    /// The handler is called on the thread of the operation (a fetch, a fault, a save), in order, when the operation
    /// has ended: no lock of the framework is held, and the context may be used as after any such operation. The work
    /// of the handler itself is not reported. A handler must not wait for another thread, because that thread may be
    /// waiting for the context; to show events elsewhere, pass them on, as `activities(bufferingNewest:)` does.
    ///
    /// - Parameters:
    ///   - recordsValues: Whether saves record the values of the changed properties before and after, which takes time and
    ///     memory for each of them.
    ///   - handler: Receives the events; called on several threads concurrently if several contexts work.
    /// - Returns: The observation; keep it as long as the handler should be called.
    public final func observeActivity(
        recordsValues: Bool = false,
        _ handler: @escaping @Sendable (StoreActivity) -> Void
    ) -> ActivityObservation {
        ActivityObservation(ActivityObserver(recordsValues: recordsValues, handler), in: activity)
    }

    /// The contexts that read from this coordinator at the moment, children included, the oldest first.
    ///
    /// May be called on any thread; the contexts are used on their queues, as always. O(contexts).
    public final var attachedContexts: [NSManagedObjectContext] {
        attached.contexts { $0.registry.coordinator === self && !$0.isAuxiliary }
    }

    /// The events of `observeActivity(recordsValues:_:)` as a sequence.
    ///
    /// The observation begins immediately, and ends when the sequence is released or the task that iterates over it is
    /// cancelled.
    ///
    /// - Parameter limit: The number of events that wait for a slow reader; older ones are dropped.
    /// - Returns: The sequence, for one reader.
    public final func activities(bufferingNewest limit: Int = 1_000) -> AsyncStream<StoreActivity> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StoreActivity.self,
            bufferingPolicy: .bufferingNewest(max(1, limit))
        )
        let observation = observeActivity { continuation.yield($0) }
        continuation.onTermination = { _ in observation.cancel() }
        return stream
    }

    /// Runs an operation without a context; its statements have the cause.
    final func observed<R>(_ cause: StoreActivity.Cause, _ body: () throws -> R) rethrows -> R {
        activity.isObserved ? try ActivityRecorder.run(ActivityScope(cause), body) : try body()
    }
}

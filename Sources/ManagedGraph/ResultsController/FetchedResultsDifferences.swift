// The asynchronous sequence of a controller's changes: the public interface of ResultsBroadcast and DifferenceMailbox.

/// Every change of a controller's results, as differences of object IDs, in order.
///
/// The first difference of each iteration leads from an empty `FetchedResultsContent` to the current results, so a
/// consumer misses no change. Without results, it arrives with the first `performFetch()`. Each repeated fetch yields a
/// difference too. The sequence ends when the controller is deallocated or the task is cancelled. It does not keep the
/// controller alive. Any number of tasks can iterate it, and each receives all differences:
///
/// ```swift
/// var content = FetchedResultsContent()
/// for await difference in controller.differences {
///     content.apply(difference)
/// }
/// ```
///
/// The controller does not wait for slow consumers. If more than 32 differences are queued, adjacent ones are merged.
/// Applying merged differences gives the same results, and none uses more memory than the results it leads from and to.
/// After a save, a difference deletes the temporary object IDs and inserts the permanent ones.
public struct FetchedResultsDifferences: AsyncSequence, Sendable {
    /// One difference.
    public typealias Element = FetchedResultsDifference
    /// The sequence never throws.
    public typealias Failure = Never

    let broadcast: ResultsBroadcast

    /// Makes an iterator, which attaches to the controller at the first call of `next`.
    public func makeAsyncIterator() -> Iterator { Iterator(broadcast: broadcast) }

    /// The iterator of one consumer.
    public struct Iterator: AsyncIteratorProtocol {
        /// One difference.
        public typealias Element = FetchedResultsDifference

        let broadcast: ResultsBroadcast
        private var mailbox: DifferenceMailbox?

        init(broadcast: ResultsBroadcast) {
            self.broadcast = broadcast
        }

        /// Waits for the next difference.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The difference; nil if the controller was deallocated or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FetchedResultsDifference? {
            if let mailbox { return await mailbox.receive() }
            let mailbox = DifferenceMailbox()
            self.mailbox = mailbox
            await broadcast.attach(mailbox)
            return await mailbox.receive()
        }
    }
}

// The asynchronous form of a controller's changes. Public face of ResultsBroadcast and DifferenceMailbox.

/// Every change of a controller's results, as differences of object IDs, in order.
///
/// The first difference of each iteration leads from an empty `FetchedResultsContent` to the results as they are, so that
/// nothing is missed between looking and listening; without results it comes with the first `performFetch()`. A fetch that
/// is performed again gives a difference too. The sequence ends when the controller is gone, or the task is cancelled. It
/// does not keep the controller alive, and may be iterated by many tasks, each of which gets all differences:
///
/// ```swift
/// var content = FetchedResultsContent()
/// for await difference in controller.differences {
///     content.apply(difference)
/// }
/// ```
///
/// A consumer that is slower than the changes is not waited for. Beyond 32 differences that it has not taken, neighbours
/// are merged: applied, the merged ones give the same results, and none takes more memory than the results it leads from
/// and to. Temporary object IDs are replaced after the save, by a difference that deletes the one and inserts the other.
public struct FetchedResultsDifferences: AsyncSequence, Sendable {
    /// One difference.
    public typealias Element = FetchedResultsDifference
    /// The sequence does not fail.
    public typealias Failure = Never

    let broadcast: ResultsBroadcast

    /// Makes an iterator; it begins to listen when it is first asked.
    public func makeAsyncIterator() -> Iterator { Iterator(broadcast: broadcast) }

    /// What one consumer has still to see.
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
        /// - Returns: The difference; nil when the controller is gone or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FetchedResultsDifference? {
            if let mailbox { return await mailbox.receive() }
            let mailbox = DifferenceMailbox()
            self.mailbox = mailbox
            await broadcast.attach(mailbox)
            return await mailbox.receive()
        }
    }
}

// The kinds of queue that a context can have.

/// The queue of a context; raw values are Apple's.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// No queue: confined to the thread that created the context.
    @available(*, unavailable, message: "Use privateQueueConcurrencyType or mainQueueConcurrencyType.")
    case confinementConcurrencyType = 0
    /// A private queue.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
    /// The queue of a context; the raw values are those of `NSManagedObjectContextConcurrencyType`.
    public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
        /// The number of the type.
        public var rawValue: UInt

        /// Creates a type from its number.
        ///
        /// - Parameter rawValue: 1 for a private queue, 2 for the main queue.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// A private queue.
        public static let privateQueue = ConcurrencyType(rawValue: 1)
        /// The main queue.
        public static let mainQueue = ConcurrencyType(rawValue: 2)
    }

    /// When a block passed to `perform(schedule:_:)` runs.
    public enum ScheduledTaskType: Sendable {
        /// Immediately if the caller is already on the context's queue, else when the queue reaches it.
        case immediate
        /// After all blocks already enqueued.
        case enqueued
    }
}

// The kinds of queue a context may have.

/// The queue of a context; raw values are Apple's.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// No queue: confined to the thread that made the context.
    @available(*, unavailable, message: "Use privateQueueConcurrencyType or mainQueueConcurrencyType.")
    case confinementConcurrencyType = 0
    /// A queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
    /// The queue of a context; the raw values are those of `NSManagedObjectContextConcurrencyType`.
    public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
        /// The number of the type.
        public var rawValue: UInt

        /// Makes a type from its number.
        ///
        /// - Parameter rawValue: 1 for a queue of the context's own, 2 for the main queue.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// A queue of the context's own.
        public static let privateQueue = ConcurrencyType(rawValue: 1)
        /// The main queue.
        public static let mainQueue = ConcurrencyType(rawValue: 2)
    }

    /// When a block given to `perform(schedule:_:)` runs.
    public enum ScheduledTaskType: Sendable {
        /// At once where the caller is on the context's queue already, else as soon as its turn comes.
        case immediate
        /// After everything that waits for the queue.
        case enqueued
    }
}

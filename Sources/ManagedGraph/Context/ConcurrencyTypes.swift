// The kinds of queue a context may have.

/// The queue of a context; raw values are Apple's.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// A queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
    /// The queue of a context.
    public struct ConcurrencyType: Hashable, Sendable {
        let legacy: NSManagedObjectContextConcurrencyType

        /// A queue of the context's own.
        public static let privateQueue = ConcurrencyType(legacy: .privateQueueConcurrencyType)
        /// The main queue.
        public static let mainQueue = ConcurrencyType(legacy: .mainQueueConcurrencyType)
    }

    /// When a block given to `perform(schedule:_:)` runs.
    public enum ScheduledTaskType: Sendable {
        /// At once where the caller is on the context's queue already, else as soon as its turn comes.
        case immediate
        /// After everything that waits for the queue.
        case enqueued
    }
}

// A statement in an event. Part of `StoreActivity`.
import Foundation
import GraphSQL
import GraphSQLite

extension StoreActivity {
    /// One run of a SQL statement.
    public struct Statement: Sendable, CustomStringConvertible {
        private let event: StatementEvent
        /// The store that has run the statement.
        public let store: Store
        /// The reason for the statement.
        public let cause: Cause
        /// The context that caused the statement; nil for work without a context, such as opening a store.
        public let context: Context?

        init(_ event: StatementEvent, store: Store, scope: ActivityScope?) {
            self.event = event
            self.store = store
            // The first read of a block begins the snapshot of all its reads.
            cause = event.text == TransactionKind.deferred.rawValue ? .snapshot : scope?.cause ?? .other
            context = scope?.context
        }

        /// The statement's text, with marks for the bound values.
        public var text: String { event.text }

        /// The bound values as text, one for each mark.
        ///
        /// Texts over 80 characters and data over 16 bytes are shortened. The texts are created by each access.
        public var bindings: [String] { event.bindings.map { $0.printed() } }

        /// The number of bound values.
        public var bindingCount: Int { event.bindings.count }

        /// The number of rows that the statement returned.
        public var rows: Int { event.rows }

        /// The time from the first step of the statement to its end, including the decoding of its rows.
        public var duration: Duration { event.duration }

        /// The time of the first step.
        public var began: ContinuousClock.Instant { event.began }

        /// The cause and the text.
        public var description: String { "\(cause): \(text)" }
    }
}

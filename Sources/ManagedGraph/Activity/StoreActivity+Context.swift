// A context in an event. Part of `StoreActivity`.
import Foundation

extension StoreActivity {
    /// The context that caused an event, as it was at that time.
    public struct Context: Hashable, Sendable {
        /// Distinguishes contexts that exist at the same time.
        public let id: ObjectIdentifier
        /// The context's name.
        public let name: String?
        /// The context's `transactionAuthor`.
        public let transactionAuthor: String?
    }
}

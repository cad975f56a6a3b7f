// A save in an event. Part of `StoreActivity`.
import Foundation

extension StoreActivity {
    /// A save that has written changes.
    public struct FinishedSave: Sendable {
        /// The context that has saved.
        public let context: Context?
        /// Objects that are new in the store, with permanent identifiers unless the context has a parent.
        public let inserted: [ChangedObject]
        /// Objects whose properties have changed.
        public let updated: [ChangedObject]
        /// Objects that were deleted.
        public let deleted: [NSManagedObjectID]
        /// The deleted objects with the values they had; empty unless the observation records values.
        ///
        /// An object that was a fault has none.
        public let deletedObjects: [ChangedObject]
        /// The time from the call of `save()`, including validation, to the end of the notifications.
        public let duration: Duration
        /// Whether the changes were saved to a parent context, so that the store has not received them yet.
        public let isSavedToParent: Bool
    }
}

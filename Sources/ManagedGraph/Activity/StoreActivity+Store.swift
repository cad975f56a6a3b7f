// A store in an event. Part of `StoreActivity`.
import Foundation

extension StoreActivity {
    /// The store that has run a statement.
    public struct Store: Hashable, Sendable {
        /// The store's UUID; empty while a new store is created.
        public let identifier: String
        /// The location of the store's file.
        public let url: URL?
        /// The kind of store, for example `NSSQLiteStoreType`.
        public let type: String

        init(_ store: NSPersistentStore) {
            identifier = store.identifier ?? ""
            url = store.url
            type = store.type
        }
    }
}

// The link of an identifier to its store. Made by the store; held by identifiers, which outlive it.

/// The link of identifiers to their store, which they do not keep open.
final class StoreLink: @unchecked Sendable {
    weak var store: NSPersistentStore?
    /// Changed only while the store is being opened.
    var identifier: String
    let references: ReferenceMap?

    init(_ store: NSPersistentStore) {
        self.store = store
        identifier = store.identifier ?? ""
        references = store.references
    }
}

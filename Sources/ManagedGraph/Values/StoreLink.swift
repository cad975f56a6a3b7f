// What an identifier knows of its store. Made by the store; held by identifiers, which outlive it.

/// A store as its objects' identifiers know it: they do not keep it open.
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

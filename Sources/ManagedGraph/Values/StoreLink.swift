// The link of an identifier to its store. Made by the store; held by identifiers, which outlive it.

import GraphEngine
import Synchronization

/// The link of identifiers to their store, which they do not keep open.
final class StoreLink: @unchecked Sendable {
    private let handle: Handle
    /// The coordinator that the store belongs to: a plain number, as asking the store for it takes two handles, more
    /// than finding an object.
    private let owner = Atomic<UInt>(0)
    /// Changed only while the store is being opened.
    var identifier: String
    let references: ReferenceMap?

    init(_ store: NSPersistentStore) {
        handle = store.handle
        identifier = store.identifier ?? ""
        references = store.references
    }

    var store: NSPersistentStore? { handle.object(as: NSPersistentStore.self) }

    /// Takes note of the coordinator that the store was added to; nil once it has been removed.
    func setOwner(_ coordinator: AnyObject?) {
        owner.store(Self.number(of: coordinator), ordering: .releasing)
    }

    /// Whether the store belongs to a coordinator; never for the number 0.
    func isOwned(by number: UInt) -> Bool { number != 0 && owner.load(ordering: .acquiring) == number }

    /// The number of a coordinator while it exists; 0 for none.
    static func number(of coordinator: AnyObject?) -> UInt {
        coordinator.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
    }
}

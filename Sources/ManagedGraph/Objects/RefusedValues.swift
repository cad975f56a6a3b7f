// Values that no slot can hold: those of unknown keys, of relationships and of composite attributes. Stored beside the
// objects' edits, because hardly any object has one; a flag of the edits marks those that have an entry here.
import Foundation
import Synchronization

/// A value that was set and that the object does not hold.
// Sendable: immutable; the value is read on the queue of the object that it was set on.

/// The refused values of all objects, by their edits and their keys.
enum RefusedValues {
    private static let table = Mutex<[ObjectIdentifier: [String: RefusedValue]]>([:])

    /// Keeps a refused value until the key is set again or the edits go.
    static func keep(_ value: RefusedValue, key: String, of edits: Edits) {
        edits.hasRefusedValues = true
        table.withLock { $0[ObjectIdentifier(edits), default: [:]][key] = value }
    }

    /// The refused values by key.
    static func values(of edits: Edits) -> [String: RefusedValue] {
        table.withLock { $0[ObjectIdentifier(edits)] ?? [:] }
    }

    /// Forgets the value of a key that was set again.
    static func withdraw(_ key: String, of edits: Edits) {
        table.withLock { table in
            guard table[ObjectIdentifier(edits)]?.removeValue(forKey: key) != nil else { return }
            if table[ObjectIdentifier(edits)]?.isEmpty == true { table[ObjectIdentifier(edits)] = nil }
        }
    }

    /// Forgets all of an object's.
    static func forget(_ edits: Edits) {
        edits.hasRefusedValues = false
        table.withLock { $0[ObjectIdentifier(edits)] = nil }
    }

    /// Whether nothing is kept, for tests.
    static var isEmpty: Bool { table.withLock { $0.isEmpty } }
}

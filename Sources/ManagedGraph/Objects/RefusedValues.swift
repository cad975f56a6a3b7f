// Values that no slot can hold: those of unknown keys, of relationships and of composite attributes. Stored beside the
// objects' edits, because hardly any object has one; a flag of the edits marks those that have an entry here.
import Foundation
import Synchronization

/// The refused values of all objects, by their edits and their keys.
///
/// Values are released without the lock: one may be the last reference to an object that has refused values itself.
enum RefusedValues {
    private static let table = Mutex<[ObjectIdentifier: [String: RefusedValue]]>([:])

    /// Keeps a refused value until the key is set again or the edits go.
    static func keep(_ value: RefusedValue, key: String, of edits: Edits) {
        edits.hasRefusedValues = true
        let former = table.withLock { $0[ObjectIdentifier(edits), default: [:]].updateValue(value, forKey: key) }
        withExtendedLifetime(former) {}
    }

    /// The refused values by key.
    static func values(of edits: Edits) -> [String: RefusedValue] {
        table.withLock { $0[ObjectIdentifier(edits)] ?? [:] }
    }

    /// Forgets the value of a key that was set again.
    static func withdraw(_ key: String, of edits: Edits) {
        let former = table.withLock { table in
            let former = table[ObjectIdentifier(edits)]?.removeValue(forKey: key)
            if table[ObjectIdentifier(edits)]?.isEmpty == true { table[ObjectIdentifier(edits)] = nil }
            return former
        }
        withExtendedLifetime(former) {}
    }

    /// Forgets all of an object's.
    static func forget(_ edits: Edits) {
        edits.hasRefusedValues = false
        let former = table.withLock { $0.removeValue(forKey: ObjectIdentifier(edits)) }
        withExtendedLifetime(former) {}
    }

    /// Whether nothing is kept, for tests.
    static var isEmpty: Bool { table.withLock { $0.isEmpty } }
}

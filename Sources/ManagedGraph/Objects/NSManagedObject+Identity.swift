// What an object is called: its identifier and its description.
import Foundation
import GraphModel

extension NSManagedObject {
    /// The identifier; temporary until the first save or `obtainPermanentIDs(for:)`.
    public final var objectID: NSManagedObjectID {
        if let cachedID { return cachedID }
        let made = NSManagedObjectID(
            layout: layout,
            key: key.primaryKey == 0 ? TemporaryKeys.next(entity: layout.index) : key,
            store: registry?.coordinator?.store(at: key.store)
        )
        if key.primaryKey == 0 {
            key = made.key
            registry?.register(self)
        }
        return keepID(made)
    }

    /// The key, a temporary one made where the object has none yet.
    var identifyingKey: ObjectKey {
        if key.primaryKey == 0 { _ = objectID }
        return key
    }

    /// The object as a message names it.
    var describeForMessages: String {
        key.primaryKey > 0 ? "\(layout.name)/p\(key.primaryKey)" : "a new \(layout.name)"
    }

    func describe() -> String {
        var data = "<fault>"
        if isOffQueue {
            // An error that names the object may be printed anywhere.
            data = "<not on the context's queue>"
        } else if !state.contains(.fault) {
            let values = layout.slots.indices.compactMap { slot -> String? in
                let description = layout.slots[slot]
                switch description.kind {
                case .attribute:
                    let value = currentValue(slot).publicAttribute(description.type)
                    return "    \(description.name) = \(value.map { "\"\($0)\"" } ?? "nil");"
                case .toOne:
                    let value = toOneObject(slot).map { "\"\($0.objectID)\"" } ?? "nil"
                    return "    \(description.name) = \(value);"
                case .toMany:
                    return "    \(description.name) = \"<relationship fault or set>\";"
                case .fetched:
                    return nil
                }
            }
            data = "{\n" + values.joined(separator: "\n") + "\n}"
        }
        return "<\(type(of: self)) \(ObjectIdentifier(self).debugDescription)> "
            + "(entity: \(layout.name); id: \(objectID); data: \(data))"
    }
}

/// Keys of objects that were never saved: negative numbers, unique in the process.
enum TemporaryKeys {
    private static let counter = Counter()
    /// Makes the names of temporary identifiers unlike those of other runs.
    private static let seed = UUID().uuid

    /// The UUID by which a URI names a temporary key.
    static func name(_ primaryKey: Int64) -> UUID {
        let number = UInt64(bitPattern: primaryKey).bigEndian
        return withUnsafeBytes(of: number) { bytes in
            UUID(
                uuid: (
                    seed.0, seed.1, seed.2, seed.3, seed.4, seed.5, seed.6, seed.7, bytes[0], bytes[1], bytes[2],
                    bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
                )
            )
        }
    }

    /// The temporary key that a name stands for; nil where another process made it.
    static func primaryKey(named name: UUID) -> Int64? {
        let found = withUnsafeBytes(of: name.uuid) { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
        let primaryKey = Int64(bitPattern: UInt64(bigEndian: found))
        return primaryKey < 0 && self.name(primaryKey) == name ? primaryKey : nil
    }

    static func next(entity: Int) -> ObjectKey {
        ObjectKey(entity: Int32(truncatingIfNeeded: entity), store: -1, primaryKey: -counter.next())
    }
}

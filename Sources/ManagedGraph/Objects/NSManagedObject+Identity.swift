// The identifier and the description of an object.
import Foundation
import GraphEngine
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

    /// The key, a temporary one made if the object has none yet.
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

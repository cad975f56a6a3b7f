// The identifier and the description of an object.
import Foundation
import GraphEngine
import GraphModel

extension NSManagedObject {
    /// The identifier; temporary until the first save or `obtainPermanentIDs(for:)`.
    ///
    /// Identifiers are made when they are requested, because most objects never need one; those of one object are
    /// equal.
    public final var objectID: NSManagedObjectID {
        let key = identifyingKey
        if key.isTemporary { return TemporaryIdentifiers.identifier(of: key, layout: layout) }
        return NSManagedObjectID(layout: layout, key: key, link: storeLink)
    }

    /// The key, a temporary one made if the object has none yet.
    var identifyingKey: ObjectKey {
        if primaryKey == 0 {
            key = TemporaryKeys.next(entity: layout.index)
            registry?.register(self)
        }
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

// What related objects held when a refresh last told of them, so that a refresh that changes nothing the results depend on
// is known for what it is. Used by ResultsRouter only, which forgets when a controller fetches.
import Foundation

/// Values of related objects by object and key.
struct SeenValues {
    /// More objects than this are forgotten.
    private static let limit = 4_096

    private var values: [NSManagedObjectID: [String: AnyHashable]] = [:]

    /// Whether an object holds for a key what it held when this was last asked; false for the first time.
    mutating func isUnchanged(_ object: NSManagedObject, _ key: String) -> Bool {
        guard let now = Self.value(of: object, key) else {
            forget(object, key)
            return false
        }
        if values.count > Self.limit { forgetAll() }
        let before = values[object.objectID, default: [:]].updateValue(now, forKey: key)
        return before == now
    }

    mutating func forget(_ object: NSManagedObject, _ key: String) {
        guard !values.isEmpty else { return }
        values[object.objectID]?[key] = nil
    }

    mutating func forget(_ object: NSManagedObject) {
        guard !values.isEmpty else { return }
        values[object.objectID] = nil
    }

    mutating func forgetAll() { values = [:] }

    /// Nil for what cannot be compared: the members of a to-many relationship, and objects that are gone.
    private static func value(of object: NSManagedObject, _ key: String) -> AnyHashable? {
        guard object.state.isDisjoint(with: [.deleted, .gone, .inaccessible]) else { return nil }
        if object.entity.relationshipsByName[key]?.isToMany == true { return nil }
        switch object.value(forKey: key) {
        case nil: return AnyHashable(NSNull())
        case let other as NSManagedObject: return AnyHashable(other.objectID)
        // Not as strings, of which two that differ in their bytes can be equal, and yet be sorted one after the other.
        case let text as String: return AnyHashable(Data(text.utf8))
        case let value as AnyHashable: return value
        default: return nil
        }
    }
}

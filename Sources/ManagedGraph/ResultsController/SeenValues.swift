// The values of related objects at their last refresh, used to ignore refreshes that change nothing the results depend
// on. Used by ResultsRouter only, which clears it when a controller fetches.
import Foundation

/// Values of related objects by object and key.
struct SeenValues {
    /// The number of objects above which all values are discarded.
    private static let limit = 4_096

    private var values: [NSManagedObjectID: [String: AnyHashable]] = [:]

    /// Whether an object has the same value for a key as at the last call; false for the first call.
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

    /// The comparable form of a value; nil for to-many relationships, and for objects that are gone.
    private static func value(of object: NSManagedObject, _ key: String) -> AnyHashable? {
        guard object.state.isDisjoint(with: [.deleted, .gone, .inaccessible]) else { return nil }
        if object.entity.relationshipsByName[key]?.isToMany == true { return nil }
        switch object.value(forKey: key) {
        case nil: return AnyHashable(NSNull())
        case let destination as NSManagedObject: return AnyHashable(destination.objectID)
        // Compare strings by bytes: strings that are equal in Swift can still sort one after the other.
        case let text as String: return AnyHashable(Data(text.utf8))
        case let value as AnyHashable: return value
        default: return nil
        }
    }
}

// The dictionaries of notifications: copies of one whose values are replaced at their places. A small save would
// otherwise spend more time on hashing the keys of its notifications than on its row.
import Foundation

/// A dictionary's keys, and the places of their values.
struct NotificationForm: @unchecked Sendable {
    // Unchecked: the values are numbers without a meaning.
    private let template: [AnyHashable: Any]
    private let places: [Dictionary<AnyHashable, Any>.Index]

    init(_ keys: [String]) {
        let empty: Any = 0
        let template = Dictionary(keys.map { (AnyHashable($0), empty) }) { first, _ in first }
        places = keys.compactMap { template.index(forKey: $0) }
        self.template = template
    }

    /// The dictionary with values for all keys, in the order of the keys.
    func filled(_ values: Any...) -> [AnyHashable: Any] {
        var result = template
        for (place, value) in zip(places, values) { result.values[place] = value }
        return result
    }
}

extension NotificationForm {
    static let contextKey = "managedObjectContext"
    static let context = NotificationForm([contextKey])
    static let inserted = NotificationForm([contextKey, NSInsertedObjectsKey])
    static let updated = NotificationForm([contextKey, NSUpdatedObjectsKey])
    static let deleted = NotificationForm([contextKey, NSDeletedObjectsKey])
    static let saved = NotificationForm([
        contextKey, NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey,
    ])
}

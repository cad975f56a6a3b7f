// A context notification, read once for all results controllers of the context. Created by ResultsRouter, which gives
// each controller the entries that affect it.
import Foundation

/// The objects of a notification.
final class ContextChange {
    /// The kind of change of an object.
    enum Kind {
        case inserted
        case updated
        case refreshed
        case gone
    }

    /// One object.
    struct Entry {
        let object: NSManagedObject
        let kind: Kind
        /// The properties that have changed; nil if unknown.
        let changedKeys: Set<String>?
    }

    let entries: [Entry]
    /// Whether all objects of the context were invalidated: nothing is reported, and the results must be fetched again.
    let isTotal: Bool

    /// Reads a notification.
    ///
    /// - Parameters:
    ///   - userInfo: The notification's user info.
    ///   - reread: Updated objects whose values were also reread from the store.
    ///   - hasKeys: Whether the notification's event goes on until the change is processed.
    init(_ userInfo: [AnyHashable: Any], reread: Set<ObjectIdentifier> = [], hasKeys: Bool = true) {
        isTotal = userInfo[NSInvalidatedAllObjectsKey] != nil
        var entries: [Entry] = []
        var seen: Set<ObjectIdentifier> = []
        // The first entry of an object wins; the calls below are ordered so that it assumes the least.
        func add(_ key: String, _ kind: Kind) {
            guard let objects = userInfo[key] as? Set<NSManagedObject> else { return }
            for object in objects where seen.insert(ObjectIdentifier(object)).inserted {
                let isKnown = hasKeys && kind == .updated && !reread.contains(ObjectIdentifier(object))
                let keys = isKnown ? object.keysChangedInEvent : nil
                entries.append(Entry(object: object, kind: kind, changedKeys: keys))
            }
        }
        add(NSDeletedObjectsKey, .gone)
        add(NSInvalidatedObjectsKey, .gone)
        add(NSRefreshedObjectsKey, .refreshed)
        add(NSInsertedObjectsKey, .inserted)
        add(NSUpdatedObjectsKey, .updated)
        self.entries = entries
    }
}

// One notification of a context, read once for all of its results controllers. Made by ResultsRouter, which tells each
// controller which of the entries concern it.
import Foundation

/// The objects of a notification.
final class ContextChange {
    /// What has happened to an object.
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
        /// The properties that have changed; nil where nobody knows.
        let changedKeys: Set<String>?
    }

    let entries: [Entry]
    /// Whether all objects of the context have become invalid: nothing is reported, the results must be fetched again.
    let isTotal: Bool

    /// Reads a notification.
    ///
    /// - Parameters:
    ///   - userInfo: The notification's.
    ///   - reread: Updated objects that were read anew too.
    init(_ userInfo: [AnyHashable: Any], reread: Set<ObjectIdentifier> = []) {
        isTotal = userInfo[NSInvalidatedAllObjectsKey] != nil
        var entries: [Entry] = []
        var seen: Set<ObjectIdentifier> = []
        // Of two statements about one object the first is the one that assumes less.
        func add(_ key: String, _ kind: Kind) {
            guard let objects = userInfo[key] as? Set<NSManagedObject> else { return }
            for object in objects where seen.insert(ObjectIdentifier(object)).inserted {
                let isKnown = kind == .updated && !reread.contains(ObjectIdentifier(object))
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

/// What of a notification concerns one controller.
struct ChangeShare {
    /// Objects that are or may be among the results, as indexes of the entries.
    var own: [Int] = []
    /// Objects that place or choose results, with the key that does, as an index of the configuration's related keys.
    var related: [(entry: Int, key: Int)] = []
}

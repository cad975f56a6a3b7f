// Tells whether objects that rows show beside their own have changed in what can be shown: a unit's name, and not the
// list of the items that have it, which changes with each of them. Used by FetchedRows on the context's queue.
import CoreData
import Foundation

final class RelatedValues {
    /// More objects than this at once are not compared one by one.
    static let limit = 100

    private let entities: Set<String>
    private let changed: () -> Void
    private var known: [NSManagedObjectID: NSDictionary] = [:]
    private var token: (any NSObjectProtocol)?

    /// - Parameters:
    ///   - entities: the names of the objects' entities.
    ///   - context: the context watched.
    ///   - changed: called when one of them has changed.
    init(of entities: Set<String>, in context: NSManagedObjectContext, _ changed: @escaping () -> Void) {
        self.entities = entities
        self.changed = changed
        // The notification is posted and handled on the context's queue, so nothing is shared between threads.
        nonisolated(unsafe) weak let watcher = self
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange,
            object: context,
            queue: nil
        ) { notification in
            watcher?.look(at: notification.userInfo ?? [:])
        }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    private func look(at changes: [AnyHashable: Any]) {
        func touched(_ key: String) -> [NSManagedObject] {
            (changes[key] as? Set<NSManagedObject> ?? []).filter { entities.contains($0.entity.name ?? "") }
        }
        let deleted = touched(NSDeletedObjectsKey)
        for object in deleted { known[object.objectID] = nil }
        let others = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey].flatMap(touched)
        guard !deleted.isEmpty || !others.isEmpty else { return }
        if known.count > 10 * Self.limit { known = [:] }
        // All of them are taken note of, so no short cut at the first that differs.
        let areNew = others.count <= Self.limit ? others.filter(isNew) : others
        if !deleted.isEmpty || !areNew.isEmpty { changed() }
    }

    private func isNew(_ object: NSManagedObject) -> Bool {
        guard !object.isDeleted, object.managedObjectContext != nil else { return true }
        let entity = object.entity
        let keys =
            entity.attributesByName.keys
            + entity.relationshipsByName.filter { !$0.value.isToMany }.map(\.key)
        var values: [String: Any] = [:]
        for key in keys {
            switch object.value(forKey: key) {
            case let other as NSManagedObject: values[key] = other.objectID
            case let value?: values[key] = value
            case nil: break
            }
        }
        let now = NSDictionary(dictionary: values)
        defer { known[object.objectID] = now }
        return known[object.objectID] != now
    }
}

// Reports changes of related objects in values that rows can show: a unit's name, but not its to-many relationship to
// items, which changes with each item. Used by FetchedRows on the context's queue.
import CoreData
import Foundation

final class RelatedValues {
    /// If more objects than this change together, all of them count as changed.
    static let limit = 100

    private let entities: Set<String>
    private let changed: () -> Void
    private var lastValues: [NSManagedObjectID: NSDictionary] = [:]
    private var token: (any NSObjectProtocol)?

    /// - Parameters:
    ///   - entities: The entity names of the related objects.
    ///   - context: The context to observe.
    ///   - changed: Called when one of the objects has changed.
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
        for object in deleted { lastValues[object.objectID] = nil }
        let changedObjects = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey].flatMap(touched)
        guard !deleted.isEmpty || !changedObjects.isEmpty else { return }
        if lastValues.count > 10 * Self.limit { lastValues = [:] }
        // `isNew` records the values of each object, so do not stop at the first difference.
        let areNew = changedObjects.count <= Self.limit ? changedObjects.filter(isNew) : changedObjects
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
            case let related as NSManagedObject: values[key] = related.objectID
            case let value?: values[key] = value
            case nil: break
            }
        }
        let now = NSDictionary(dictionary: values)
        defer { lastValues[object.objectID] = now }
        return lastValues[object.objectID] != now
    }
}

// An index of unsaved objects by the values of single properties, so that a fetch for one value need not evaluate all
// unsaved objects: in an import, the search before each insertion does not slow down. Held by a context; created by the
// first fetch that profits from it, dropped by changes that bypass accessors.
import Foundation
import GraphModel

/// Finds the unsaved objects with a value.
final class PendingIndex {
    /// A property of a tree of entities.
    struct Place: Hashable {
        var tree: Int
        var name: String
    }

    /// A value whose equality in the index is that of predicates.
    enum Key: Hashable {
        case integer(Int64)
        case text(String)
        case uuid(UUID)
    }

    fileprivate final class Column {
        var objects: [Key: ContiguousArray<NSManagedObject>] = [:]
        /// The value under which an object was last added, and its rank by first addition.
        var entries: [ObjectIdentifier: (key: Key?, order: Int)] = [:]
        /// The number of objects added from the context's lists.
        var insertedCount = 0
        var updatedCount = 0
    }

    private var columns: [Place: Column] = [:]
    /// Objects that have changed since they were added.
    private var changed: ContiguousArray<NSManagedObject> = []

    /// Called when an indexed object is about to change.
    func note(_ object: NSManagedObject) { changed.append(object) }

    /// The objects that may have a value: all that have it, some that had it, once each, in the order of the lists.
    ///
    /// O(objects listed or changed since the last call + objects of the value).
    func objects(with key: Key, at place: Place, in context: NSManagedObjectContext) -> [NSManagedObject] {
        for object in changed {
            object.state.insert(.indexed)
            for (place, column) in columns { column.enter(object, at: place) }
        }
        changed = []
        let (inserted, updated) = (context.insertedList, context.updatedList)
        var column = columns[place] ?? Column()
        if column.insertedCount > inserted.count || column.updatedCount > updated.count { column = Column() }
        columns[place] = column
        for object in [inserted[column.insertedCount...], updated[column.updatedCount...]].joined() {
            object.state.insert(.indexed)
            column.enter(object, at: place)
        }
        (column.insertedCount, column.updatedCount) = (inserted.count, updated.count)
        return column.objects(with: key)
    }
}

extension PendingIndex.Column {
    /// Adds an object under its current value.
    func enter(_ object: NSManagedObject, at place: PendingIndex.Place) {
        guard object.layout.tree.index == place.tree, let slot = object.layout.slot(named: place.name),
            object.state.isDisjoint(with: [.fault, .inaccessible, .gone])
        else { return }
        let key: PendingIndex.Key?
        switch object.currentValue(slot) {
        case .integer(let value): key = .integer(value)
        case .string(let text): key = .text(text)
        case .uuid(let uuid): key = .uuid(uuid)
        default: key = nil
        }
        let identifier = ObjectIdentifier(object)
        let formerEntry = entries[identifier]
        entries[identifier] = (key, formerEntry?.order ?? entries.count)
        if let key, formerEntry?.key != key { objects[key, default: []].append(object) }
    }

    func objects(with key: PendingIndex.Key) -> [NSManagedObject] {
        guard let matches = objects[key] else { return [] }
        guard matches.count > 1 else { return Array(matches) }
        var byOrder: [Int: NSManagedObject] = [:]
        for object in matches { byOrder[entries[ObjectIdentifier(object)]?.order ?? 0] = object }
        return byOrder.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension NSManagedObjectContext {
    /// The unsaved objects that may have a value.
    final func pendingObjects(with key: PendingIndex.Key, at place: PendingIndex.Place) -> [NSManagedObject] {
        let index = pendingIndex ?? PendingIndex()
        pendingIndex = index
        return index.objects(with: key, at: place, in: self)
    }
}

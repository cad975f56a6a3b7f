// Unsaved objects by the values of single properties, so that a fetch for one value does not judge all unsaved objects: the
// search before each insertion of an import stays as quick as it was at the beginning. Held by a context; made by the first
// fetch that gains by it, dropped by what changes values in other ways than through accessors.
import Foundation
import GraphModel

/// Finds the unsaved objects that have a value.
final class PendingIndex {
    /// A property of a tree of entities.
    struct Place: Hashable {
        var tree: Int
        var name: String
    }

    /// A value that is equal for the index if and only if predicates say so.
    enum Key: Hashable {
        case integer(Int64)
        case text(String)
        case uuid(UUID)
    }

    fileprivate final class Column {
        var objects: [Key: ContiguousArray<NSManagedObject>] = [:]
        /// Under which value an object was entered last, and its place in the order of the first times.
        var entries: [ObjectIdentifier: (key: Key?, order: Int)] = [:]
        /// How many of the context's lists have been entered.
        var insertedCount = 0
        var updatedCount = 0
    }

    private var columns: [Place: Column] = [:]
    /// Objects that were changed after they were entered.
    private var changed: ContiguousArray<NSManagedObject> = []

    /// Called when an object that was entered is about to change.
    func note(_ object: NSManagedObject) { changed.append(object) }

    /// The objects that may have a value: all that have it, some that had it, each once, in the order of the context's lists.
    ///
    /// O(objects that were listed or changed since the last call, and those of the value).
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
    /// Enters an object under the value that it has now.
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
        let known = entries[identifier]
        entries[identifier] = (key, known?.order ?? entries.count)
        if let key, known?.key != key { objects[key, default: []].append(object) }
    }

    func objects(with key: PendingIndex.Key) -> [NSManagedObject] {
        guard let found = objects[key] else { return [] }
        guard found.count > 1 else { return Array(found) }
        var byOrder: [Int: NSManagedObject] = [:]
        for object in found { byOrder[entries[ObjectIdentifier(object)]?.order ?? 0] = object }
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

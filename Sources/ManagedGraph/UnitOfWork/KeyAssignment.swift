// Permanent keys for new objects. Used by a save, inside its transaction, and by obtainPermanentIDs in one of its own.
import Foundation

/// Gives new objects permanent keys, and takes them back where the save fails.
struct KeyAssignment {
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    /// What to restore: objects with their former key and identifier.
    private var former: [(object: NSManagedObject, key: ObjectKey, identifier: NSManagedObjectID?)] = []
    private var storeByLayout: [Int: any RowStore] = [:]

    init(context: NSManagedObjectContext, coordinator: NSPersistentStoreCoordinator) {
        self.context = context
        self.coordinator = coordinator
    }

    /// The store a new object belongs to: the assigned one, else the first writable one that holds its entity.
    mutating func store(for object: NSManagedObject) throws -> any RowStore {
        if object.key.primaryKey > 0, let store = coordinator.rowStore(at: object.key.store) { return store }
        if !context.assignedStores.isEmpty,
            let assigned = context.assignedStores[ObjectIdentifier(object)] as? any RowStore
        {
            return assigned
        }
        if let known = storeByLayout[object.layout.index] { return known }
        let stores = coordinator.rowStores(for: object.layout)
        guard let store = stores.first(where: { !$0.isReadOnly }) else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                stores.isEmpty
                    ? "No store holds the entity \(object.layout.name), so its objects cannot be saved."
                    : "All stores that hold the entity \(object.layout.name) are open for reading only.",
                remedy: "Add a store to the coordinator that can be written and whose configuration has the entity."
            )
        }
        storeByLayout[object.layout.index] = store
        return store
    }

    /// Gives keys to those of the objects that have none. Called under the coordinator's lock.
    mutating func assign(_ objects: [NSManagedObject], inOwnTransaction: Bool) throws {
        var groups: [GroupKey: (store: any RowStore, tree: TreeLayout, objects: [NSManagedObject])] = [:]
        var order: [GroupKey] = []
        for object in objects where object.key.primaryKey <= 0 {
            let store = try store(for: object)
            let key = GroupKey(store: store.index, tree: object.layout.tree.index)
            if groups[key] == nil {
                groups[key] = (store, object.layout.tree, [])
                order.append(key)
            }
            groups[key]?.objects.append(object)
        }
        for key in order {
            guard let group = groups[key] else { continue }
            if inOwnTransaction { try group.store.beginSave() }
            do {
                let range = try group.store.reserveKeys(tree: group.tree, count: group.objects.count)
                give(range, to: group.objects, in: group.store)
                if inOwnTransaction { try group.store.commitSave() }
            } catch {
                if inOwnTransaction {
                    group.store.rollbackSave()
                    revert()
                }
                throw error
            }
        }
    }

    private mutating func give(_ range: ClosedRange<Int64>, to objects: [NSManagedObject], in store: any RowStore) {
        former.reserveCapacity(former.count + objects.count)
        for (key, object) in zip(range, objects) {
            former.append((object, object.key, object.cachedID))
            object.key = ObjectKey(entity: Int32(object.layout.index), store: store.index, primaryKey: key)
            object.cachedID = nil
        }
        guard let tree = objects.first?.layout.tree.index else { return }
        context.registry.withPages(store: store.index, tree: tree) { pages in
            for object in objects { pages.set(object.key.primaryKey, object) }
        }
    }

    /// Gives the objects their temporary keys back.
    mutating func revert() {
        for entry in former.reversed() {
            context.registry.remove(entry.object)
            entry.object.key = entry.key
            entry.object.cachedID = entry.identifier
        }
        former = []
    }

    private struct GroupKey: Hashable {
        var store: Int32
        var tree: Int
    }
}

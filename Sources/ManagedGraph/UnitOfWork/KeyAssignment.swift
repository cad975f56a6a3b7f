// Assigns permanent keys to new objects. Used by a save in its transaction, and by obtainPermanentIDs in its own.
import Foundation
import GraphEngine

/// Assigns permanent keys to new objects, and takes them back if the save fails.
struct KeyAssignment {
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    /// Objects that received keys here, and the former keys of those that had a temporary identifier.
    private var assignedObjects: [ContiguousArray<NSManagedObject>] = []
    private var former: [ObjectIdentifier: ObjectKey] = [:]
    private var groups: [Group] = []

    init(context: NSManagedObjectContext, coordinator: NSPersistentStoreCoordinator) {
        self.context = context
        self.coordinator = coordinator
    }

    /// The store for a new object: the assigned one, else the first writable one that holds its entity.
    func store(for object: NSManagedObject) throws -> any RowStore {
        if object.key.primaryKey > 0, let store = coordinator.rowStore(at: object.key.store) { return store }
        if !context.assignedStores.isEmpty, let assigned = context.assignedStores[ObjectIdentifier(object)]?.store {
            // After a move, another store is in its place.
            let successor = assigned.wasMade(for: coordinator) ? coordinator.store(at: assigned.index) : nil
            let current = successor ?? assigned
            if let store = coordinator.rowStores(for: object.layout).first(where: { $0 === current }) { return store }
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "\(object.describeForMessages) was assigned to a store that is not in the context's coordinator, or whose "
                    + "configuration does not have the entity.",
                remedy: "Assign it to one of the coordinator's persistentStores that holds the entity.",
                userInfo: [NSAffectedObjectsErrorKey: [object], NSAffectedStoresErrorKey: [assigned]]
            )
        }
        let stores = coordinator.storesForNewObjects(of: object.layout)
        guard let store = stores.first(where: { !$0.isReadOnly }) else {
            if !stores.isEmpty { throw CoreDataError.readOnly(stores) }
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "No store contains the entity \(object.layout.name), so its objects cannot be saved.",
                remedy: "Add a store to the coordinator that can be written and whose configuration has the entity."
            )
        }
        return store
    }

    /// Finds the store of each object that has no key yet; returns the stores of all objects.
    mutating func prepare(_ objects: ContiguousArray<NSManagedObject>) throws -> [any RowStore] {
        if let group = try groupOfAll(objects) {
            groups = [group]
            return [group.store]
        }
        var current = -1
        var layout: ObjectLayout?
        let hasAssigned = !context.assignedStores.isEmpty
        var stores: [any RowStore] = []
        for object in objects {
            if object.key.primaryKey > 0 {
                let store = try store(for: object)
                if !stores.contains(where: { $0 === store }) { stores.append(store) }
                continue
            }
            // New objects come in runs of one entity.
            if !hasAssigned, layout === object.layout {
                groups[current].objects.append(object)
                continue
            }
            layout = object.layout
            let store = try store(for: object)
            let tree = object.layout.tree
            if current < 0 || groups[current].tree !== tree || groups[current].store !== store {
                current = groups.firstIndex { $0.tree === tree && $0.store === store } ?? groups.count
                if current == groups.count { groups.append(Group(store: store, tree: tree)) }
            }
            groups[current].objects.append(object)
        }
        return groups.map(\.store) + stores
    }

    /// The group of all objects, if none of them has a key and they are of one entity, as most are; O(objects).
    private func groupOfAll(_ objects: ContiguousArray<NSManagedObject>) throws -> Group? {
        guard let first = objects.first, context.assignedStores.isEmpty else { return nil }
        let table = first.table
        guard objects.allSatisfyUncounted({ $0.primaryKey <= 0 && $0.table == table }) else { return nil }
        return Group(store: try store(for: first), tree: first.layout.tree, objects: objects)
    }

    /// Assigns keys to the prepared objects.
    ///
    /// Uses the transactions of a save or, without one, a separate transaction for each store.
    mutating func assign(in save: [SaveTransaction]?) throws {
        for transaction in save ?? [] {
            let counts = groups.filter { $0.store === transaction.store }.map { ($0.tree, $0.objects.count) }
            if counts.count > 1 { try transaction.run { try $0.prepareKeys(counts) } }
        }
        for group in groups {
            if let save {
                guard let transaction = save.first(where: { $0.store === group.store }) else { continue }
                try transaction.run { try assign(group, in: $0) }
                continue
            }
            do {
                try group.store.writing(for: context) { try assign(group, in: $0) }
            } catch {
                revert()
                throw error
            }
        }
    }

    private mutating func assign(_ group: Group, in session: any WriteSession) throws {
        if group.store.isObjectStore, let store = group.store as? any ObjectStore {
            give(try store.newKeys(for: group.objects), to: group.objects, in: store)
        } else {
            let keys = try session.reserveKeys(tree: group.tree, count: group.objects.count)
            if keys.count == 1 {
                give(keys[0], to: group.objects, in: group.store)
            } else {
                give(keys.joined(), to: group.objects, in: group.store)
            }
        }
    }

    /// Maps temporary identifiers to the new ones, and temporary keys for child contexts.
    func publish() {
        guard !former.isEmpty else { return }
        let hasChildren = context.hasChildren
        for object in assignedObjects.joined() {
            guard let key = former[ObjectIdentifier(object)], key.isTemporary else { continue }
            TemporaryIdentifiers.living(key.primaryKey)?.noteSuccessor(object.objectID)
            if hasChildren { coordinator.promotedKeys.note(temporary: key.primaryKey, permanent: object.key) }
        }
        if hasChildren { coordinator.promotedKeys.dropOld() }
    }

    private mutating func give(
        _ keys: some Sequence<Int64>,
        to objects: ContiguousArray<NSManagedObject>,
        in store: any RowStore
    ) {
        guard let first = objects.first else { return }
        assignedObjects.append(objects)
        let index = store.index
        var (formerTable, table) = (first.table, first.layout.table(store: index))
        var keys = keys.makeIterator()
        let ledger = context.registry.ledger.isOn ? context.registry.ledger : nil
        context.registry.withPages(store: index, tree: first.layout.tree.index) { pages in
            objects.forEachUncounted { object in
                guard let key = keys.next() else { return }
                if object.primaryKey != 0 { former[ObjectIdentifier(object)] = object.key }
                // New objects come in runs of one entity.
                if object.table != formerTable {
                    (formerTable, table) = (object.table, object.layout.table(store: index))
                }
                object.table = table
                object.primaryKey = key
                pages.set(key, object)
                ledger?.begin(object.key)
            }
        }
        guard !former.isEmpty else { return }
        for object in objects {
            guard let key = former[ObjectIdentifier(object)], key.isTemporary else { continue }
            context.registry.forget(temporaryKey: key.primaryKey)
        }
    }

    /// Restores the temporary keys of the objects, except those of some stores.
    mutating func revert(except stores: Set<Int32> = []) {
        let remaining = assignedObjects.map { ContiguousArray($0.filter { stores.contains($0.key.store) }) }
        for object in assignedObjects.joined() where !stores.contains(object.key.store) {
            context.registry.remove(object)
            object.key =
                former[ObjectIdentifier(object)]
                ?? ObjectKey(entity: Int32(truncatingIfNeeded: object.layout.index), store: -1, primaryKey: 0)
            if object.key.isTemporary { context.registry.register(object) }
        }
        assignedObjects = remaining.filter { !$0.isEmpty }
        if assignedObjects.isEmpty { former = [:] }
    }

    private struct Group {
        let store: any RowStore
        let tree: TreeLayout
        var objects: ContiguousArray<NSManagedObject> = []
    }
}

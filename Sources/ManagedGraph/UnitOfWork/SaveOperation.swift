// One save, from changed objects to rows: collect, open transactions, assign keys, write, check, commit. Made by
// NSManagedObjectContext.save; values go to the stores, never objects.
import Foundation

/// The objects of a save.
struct SaveChanges {
    var inserted: ContiguousArray<NSManagedObject>
    var updated: ContiguousArray<NSManagedObject>
    var deleted: ContiguousArray<NSManagedObject>

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    func forEach(_ body: (NSManagedObject) -> Void) {
        for object in inserted { body(object) }
        for object in updated { body(object) }
        for object in deleted { body(object) }
    }
}

/// A save in progress.
final class SaveOperation {
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    let inserted: ContiguousArray<NSManagedObject>
    let updated: ContiguousArray<NSManagedObject>
    let deleted: ContiguousArray<NSManagedObject>
    /// Updated objects whose row was really written.
    private var written: Set<ObjectIdentifier> = []
    private var keys: KeyAssignment

    init(_ changes: SaveChanges, context: NSManagedObjectContext, coordinator: NSPersistentStoreCoordinator) {
        inserted = changes.inserted
        updated = changes.updated
        deleted = changes.deleted
        self.context = context
        self.coordinator = coordinator
        keys = KeyAssignment(context: context, coordinator: coordinator)
    }

    /// The version of an updated object's row after the save.
    func newVersion(of object: NSManagedObject) -> Int64 {
        written.contains(ObjectIdentifier(object)) ? object.version + 1 : object.version
    }

    /// Writes everything or nothing.
    ///
    /// Throws where a store refuses; objects then have their former identifiers.
    func run() throws {
        try coordinator.withLock {
            let stores = try storesToWrite()
            do {
                for store in stores { try store.beginSave() }
                try keys.assign(inOwnTransaction: false)
                for store in stores { try write(to: store) }
                for store in stores { try store.commitSave() }
                keys.publish()
            } catch {
                for store in stores { store.rollbackSave() }
                keys.revert()
                throw error
            }
        }
    }

    // MARK: Steps

    private func storesToWrite() throws -> [any RowStore] {
        var indexes: Set<Int32> = []
        for store in try keys.prepare(inserted) { indexes.insert(store.index) }
        for object in updated { indexes.insert(object.key.store) }
        for object in deleted { indexes.insert(object.key.store) }
        return try indexes.sorted().map { index in
            guard let store = coordinator.rowStore(at: index) else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "The store of a changed object was removed from its coordinator.",
                    remedy: "Reset the context, or add the store again before saving."
                )
            }
            return store
        }
    }

    /// Rows in the order that lets a new object take a unique value from a deleted one; then what relates rows.
    private func write(to store: any RowStore) throws {
        var relations = StoreChanges()
        try write(try changedRows(for: store, &relations), to: store)
        try writeNewRows(to: store, &relations)
        try write(relations, to: store)
    }

    private func write(_ changes: StoreChanges, to store: any RowStore) throws {
        let outcome = try store.write(changes)
        if !outcome.conflicts.isEmpty { throw conflictError(outcome, store) }
    }

    /// Inserts a few hundred rows at a time, so that what is collected is still in the processor's cache when written.
    private func writeNewRows(to store: any RowStore, _ relations: inout StoreChanges) throws {
        var changes = StoreChanges()
        let chunk = 256
        changes.inserts.reserveCapacity(min(chunk, inserted.count))
        for object in inserted where object.key.store == store.index {
            guard let edits = object.edits else { continue }
            try checkDestinations(object, edits)
            changes.inserts.append(
                RowOperation(layout: object.layout, primaryKey: object.key.primaryKey, version: 0, values: edits.values)
            )
            collectRelationships(of: object, edits, store, &relations)
            if changes.inserts.count == chunk {
                try write(changes, to: store)
                changes.inserts.removeAll(keepingCapacity: true)
            }
        }
        if !changes.inserts.isEmpty { try write(changes, to: store) }
    }

    /// Updates and deletions.
    private func changedRows(for store: any RowStore, _ relations: inout StoreChanges) throws -> StoreChanges {
        var changes = StoreChanges()
        for object in updated where object.key.store == store.index {
            guard let edits = object.edits else { continue }
            try checkDestinations(object, edits)
            var slots = SlotSet()
            edits.changed.forEach { slot in
                let description = object.layout.slots[slot]
                if description.isStored, description.kind != .toMany, object.isReallyChanged(slot) {
                    slots.insert(slot)
                }
            }
            if !slots.isEmpty {
                written.insert(ObjectIdentifier(object))
                changes.updates.append(
                    RowOperation(
                        layout: object.layout,
                        primaryKey: object.key.primaryKey,
                        version: object.version,
                        values: edits.values,
                        slots: slots
                    )
                )
            }
            collectRelationships(of: object, edits, store, &relations)
        }
        for object in deleted where object.key.store == store.index && !object.state.contains(.inaccessible) {
            changes.deletes.append(
                RowOperation(
                    layout: object.layout,
                    primaryKey: object.key.primaryKey,
                    version: object.version,
                    values: []
                )
            )
        }
        return changes
    }

    /// A relationship cannot lead into another store, nor to an object that is not saved.
    private func checkDestinations(_ object: NSManagedObject, _ edits: Edits) throws {
        for slot in object.layout.toOneSlots {
            guard case .object(let destination) = edits.values[slot] else { continue }
            if destination.key.store == object.key.store, destination.key.primaryKey > 0 { continue }
            throw CoreDataError.make(
                NSManagedObjectExternalRelationshipError,
                "\(object.layout.name).\(object.layout.slots[slot].name) leads to an object of another store.",
                remedy: "Keep both objects in one store, or refer to the other by its URI.",
                userInfo: [NSAffectedObjectsErrorKey: [object, destination]]
            )
        }
    }

    /// Pairs of relationship tables, each once though both sides know of it, and the order of ordered relationships.
    private func collectRelationships(
        of object: NSManagedObject,
        _ edits: Edits,
        _ store: any RowStore,
        _ changes: inout StoreChanges
    ) {
        for slot in object.layout.toManySlots {
            guard case .toMany(let members) = edits.values[slot], members.hasChanges else { continue }
            let description = object.layout.slots[slot]
            if store.hasJoinTable(object.layout, slot) {
                for other in members.addedObjects {
                    add(object, slot, other, isInsert: true, &changes)
                }
                for other in members.removedObjects where !other.state.contains(.deleted) {
                    add(object, slot, other, isInsert: false, &changes)
                }
            }
            if store.hasOwnerColumn(object.layout, slot) {
                for member in members.removedObjects where !member.state.contains(.deleted) {
                    changes.owners.insert(
                        OwnerOperation(layout: object.layout, slot: slot, source: nil, member: member.key.primaryKey),
                        at: 0
                    )
                }
                for member in members.addedObjects {
                    changes.owners.append(
                        OwnerOperation(
                            layout: object.layout,
                            slot: slot,
                            source: object.key.primaryKey,
                            member: member.key.primaryKey
                        )
                    )
                }
            }
            if description.isOrdered {
                let all = object.toManyMembers(slot).filter { !$0.state.contains(.deleted) }
                changes.orders.append(
                    OrderOperation(
                        layout: object.layout,
                        slot: slot,
                        source: object.key.primaryKey,
                        members: all.map(\.key.primaryKey)
                    )
                )
            }
        }
    }

    private func add(
        _ object: NSManagedObject,
        _ slot: Int,
        _ other: NSManagedObject,
        isInsert: Bool,
        _ changes: inout StoreChanges
    ) {
        let inverse = object.layout.slots[slot].inverseSlot
        var source = (object, slot)
        var destination = other
        if inverse >= 0 {
            // Both sides noted the pair: the one named first writes it.
            let own = (object.layout.slots[slot].name, object.layout.tree.rootName)
            let theirs = (other.layout.slots[inverse].name, other.layout.tree.rootName)
            if theirs < own {
                source = (other, inverse)
                destination = object
            }
        }
        let pair = JoinPair(
            slot: source.0.layout.slots[source.1].name,
            source: source.0.key.primaryKey,
            destination: destination.key.primaryKey
        )
        guard joins.insert(pair).inserted else { return }
        changes.joins.append(
            JoinOperation(
                layout: source.0.layout,
                slot: source.1,
                source: pair.source,
                destination: pair.destination,
                isInsert: isInsert
            )
        )
    }

    private struct JoinPair: Hashable {
        var slot: String
        var source: Int64
        var destination: Int64
    }
    private var joins: Set<JoinPair> = []

    /// Another writer was there first: which objects, which versions.
    private func conflictError(_ outcome: StoreOutcome, _ store: any RowStore) -> NSError {
        var objects: [NSManagedObject] = []
        var texts: [String] = []
        for (operation, found) in outcome.conflicts {
            let key = ObjectKey(
                entity: Int32(operation.layout.index),
                store: store.index,
                primaryKey: operation.primaryKey
            )
            let name = "\(operation.layout.name)/p\(operation.primaryKey)"
            let what = found.map { "is at version \($0) in the store" } ?? "is no longer in the store"
            texts.append("\(name) was read at version \(operation.version) and \(what)")
            if let object = context.registry.object(for: key, tree: operation.layout.tree.index) {
                objects.append(object)
            }
        }
        return CoreDataError.make(
            NSManagedObjectMergeError,
            "Objects were changed by someone else since they were read: " + texts.joined(separator: "; ") + ".",
            remedy: "Refresh the objects with refresh(_:mergeChanges: true) and save again, or roll back.",
            userInfo: [NSAffectedObjectsErrorKey: objects]
        )
    }
}

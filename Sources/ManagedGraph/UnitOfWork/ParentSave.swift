// The save of a child context: its changes become unsaved changes of its parent. Created by a context's save; runs on
// the child's queue, inside the parent's. The parent itself updates the other sides of relationships.
import Foundation

/// A save to a parent context.
final class ParentSave {
    private let context: NSManagedObjectContext
    private let parent: NSManagedObjectContext
    let changes: SaveChanges
    /// The parent's objects for the changed ones, by identity of the child's.
    private var counterparts: [ObjectIdentifier: NSManagedObject] = [:]

    init(_ changes: SaveChanges, context: NSManagedObjectContext, parent: NSManagedObjectContext) {
        self.changes = changes
        self.context = context
        self.parent = parent
    }

    /// Transfers either all changes or none.
    ///
    /// Throws if the parent cannot read an object, and `SaveConflicts` if the parent has deleted one. Called on the
    /// parent's queue.
    func run() throws {
        for object in changes.inserted + changes.updated {
            if let edits = object.edits { try object.checkRefusals(edits) }
        }
        let saved = changes.updated + changes.deleted
        // Held until the parent has the changes: otherwise each object would be read by itself.
        let sources = try parent.objectsWithRows(for: saved.filter { $0.primaryKey > 0 }.map(\.key))
        defer { withExtendedLifetime(sources) {} }
        let conflicts = try saved.compactMap(conflict)
        if !conflicts.isEmpty { throw SaveConflicts(list: conflicts) }
        // Nothing may fail once the parent has changed, so read everything first.
        try parent.throwingFailedReads {
            for object in changes.inserted { try read(object, slots: object.layout.slots.indices) }
            for object in changes.updated { try read(object, slots: changedSlots(object)) }
        }
        try context.throwFailedRead()
        for object in changes.inserted { counterparts[ObjectIdentifier(object)] = insert(object) }
        for object in changes.inserted { try handOver(object, slots: object.layout.slots.indices) }
        for object in changes.updated { try handOver(object, slots: changedSlots(object)) }
        for object in changes.deleted {
            if let counterpart = try counterpart(of: object) { parent.delete(counterpart) }
        }
        parent.endEvent()
    }

    private func changedSlots(_ object: NSManagedObject) -> [Int] {
        guard let edits = object.edits else { return [] }
        return object.layout.slots.indices.filter { edits.changed.contains($0) }
    }

    // MARK: Steps

    /// Reads the parent's objects on both sides of the relationships to be transferred.
    private func read(_ object: NSManagedObject, slots: some Sequence<Int>) throws {
        let parentObject = object.state.contains(.inserted) ? nil : try counterpart(of: object)
        for slot in slots where object.isReallyChanged(slot) {
            let description = object.layout.slots[slot]
            switch description.kind {
            case .attribute, .fetched: continue
            case .toOne:
                if let destination = object.toOneObject(slot) { try read(destination: destination, description) }
                if let former = parentObject?.toOneObject(slot) { read(inverse: description, of: former) }
            case .toMany:
                guard case .toMany(let members)? = object.edits?.values[slot], members.hasChanges else { continue }
                for member in members.removedObjects + members.addedObjects {
                    try read(destination: member, description)
                }
                guard members.isArranged else { continue }
                for member in object.toManyMembers(slot) { try read(destination: member, description) }
                _ = parentObject?.toManyMembers(slot)
            }
        }
    }

    private func read(destination: NSManagedObject, _ slot: Slot) throws {
        guard destination.state.isDisjoint(with: [.inserted, .deleted]) else { return }
        if let counterpart = try counterpart(of: destination) { read(inverse: slot, of: counterpart) }
    }

    /// Reads the other side's value, which is replaced if it is a single object.
    private func read(inverse slot: Slot, of counterpart: NSManagedObject) {
        guard slot.inverseSlot >= 0, counterpart.layout.slots[slot.inverseSlot].kind == .toOne else { return }
        _ = counterpart.toOneObject(slot.inverseSlot)
    }

    /// The conflict for an object that the parent has deleted.
    ///
    /// Other changes of the parent do not conflict: changes made here override them, the rest stays the parent's.
    private func conflict(_ object: NSManagedObject) throws -> NSMergeConflict? {
        if !object.state.isDisjoint(with: .withoutRow) { return nil }
        guard try counterpart(of: object) == nil else { return nil }
        return NSMergeConflict(object, version: object.version, found: .gone, place: .parent)
    }

    /// The parent's object; nil if it is gone there.
    private func counterpart(of object: NSManagedObject) throws -> NSManagedObject? {
        if let existing = counterparts[ObjectIdentifier(object)] { return existing }
        guard let source = try parent.source(for: object.key) else { return nil }
        counterparts[ObjectIdentifier(object)] = source
        return source
    }

    /// Inserts an object into the parent under the child's key.
    private func insert(_ object: NSManagedObject) -> NSManagedObject {
        // An object that the parent has deleted but not saved still exists; undelete it.
        if let existing = parent.registered(object.identifyingKey, object.layout.tree),
            existing.state.contains(.deleted), existing.state.isDisjoint(with: [.gone, .inaccessible])
        {
            parent.restore(existing)
            return existing
        }
        let newObject = parent.makeFault(object.layout, key: object.identifyingKey)
        newObject.edits = Edits(defaultsOf: object.table)
        newObject.state.remove(.fault)
        parent.registry.register(newObject)
        parent.enterNew(newObject)
        if let store = context.assignedStores[ObjectIdentifier(object)]?.store { parent.assign(newObject, to: store) }
        return newObject
    }

    private func handOver(_ object: NSManagedObject, slots: some Sequence<Int>) throws {
        guard let counterpart = try counterpart(of: object), let edits = object.edits else { return }
        for slot in slots {
            let description = object.layout.slots[slot]
            // Elements of composite attributes have slots of their own. Transient values are transferred too.
            guard description.kind != .fetched, description.type != .composite, object.isReallyChanged(slot) else {
                continue
            }
            switch description.kind {
            case .attribute:
                counterpart.prepareToChange(slot).values[slot] = object.currentValue(slot)
            case .toOne:
                counterpart.setToOne(slot, to: try object.toOneObject(slot).flatMap(destination))
            case .toMany:
                guard case .toMany(let members) = edits.values[slot], members.hasChanges else { continue }
                for member in members.removedObjects {
                    guard let target = try destination(member) else { continue }
                    counterpart.removeMember(target, slot: slot)
                }
                let targets = try members.addedObjects.compactMap(destination)
                for target in targets { counterpart.addMember(target, slot: slot) }
                if !description.isOrdered { continue }
                if !members.isArranged {
                    // They follow the parent's members; their own sides may have added them in another order.
                    if !targets.isEmpty { counterpart.prepareToMany(slot).placeLast(targets) }
                } else {
                    let ordered = try object.toManyMembers(slot).compactMap(destination)
                    let members = counterpart.toManyMembers(slot)
                    counterpart.prepareToMany(slot).rearrange(Self.arranged(members, by: ordered))
                }
            case .fetched:
                continue
            }
        }
    }

    /// Members in the child's order, followed by those that are not in it; O(n).
    private static func arranged(_ members: [NSManagedObject], by order: [NSManagedObject]) -> [NSManagedObject] {
        let present = Set(members.map(ObjectIdentifier.init))
        let placed = Set(order.map(ObjectIdentifier.init))
        return order.filter { present.contains(ObjectIdentifier($0)) }
            + members.filter { !placed.contains(ObjectIdentifier($0)) }
    }

    /// The parent's object for a destination; nil if it is gone.
    private func destination(_ object: NSManagedObject) throws -> NSManagedObject? {
        if object.state.contains(.deleted) { return nil }
        return try counterpart(of: object)
    }
}

// Resolves a conflict of a uniqueness constraint. Created by NSMergePolicy.
import Foundation
import GraphEngine

/// Objects of which only one can keep the values.
struct ConstraintResolution {
    private let conflict: NSConstraintConflict
    private let type: NSMergePolicyType

    init(_ conflict: NSConstraintConflict, _ type: NSMergePolicyType) {
        self.conflict = conflict
        self.type = type
    }

    /// Resolves conflicts, in one event unless saved objects are deleted.
    static func resolve(_ conflicts: [NSConstraintConflict], _ type: NSMergePolicyType) {
        var context: NSManagedObjectContext?
        for conflict in conflicts { context = ConstraintResolution(conflict, type).run() ?? context }
        guard let context else { return }
        context.endEvent()
        // Programs recognize the new objects that were not saved as faults.
        for conflict in conflicts {
            for object in conflict.conflictingObjects where object.state.contains(.gone) { object.becomeShell() }
        }
    }

    private var objectCounts: Bool {
        type == .overwriteMergePolicyType || type == .mergeByPropertyObjectTrumpMergePolicyType
    }

    /// Resolves the conflict; the context's event is open afterwards.
    ///
    /// - Returns: The context; nil if there is nothing to resolve.
    private func run() -> NSManagedObjectContext? {
        var losers = conflict.conflictingObjects.filter { $0.state.isDisjoint(with: [.gone, .deleted]) }
        guard let context = losers.first?.registry?.context else { return nil }
        var row = conflict.databaseObject
        // Another conflict has deleted or replaced the row: the next attempt finds the rest of this one.
        if let row, !row.state.isDisjoint(with: [.gone, .deleted]) { return nil }
        var changedRow: NSManagedObject?
        if row == nil, let place = losers.firstIndex(where: ownsItsValues) {
            changedRow = losers.remove(at: place)
            row = changedRow
        }
        if objectCounts {
            guard let winner = losers.popLast() else { return nil }
            for loser in losers { drop(loser, context) }
            if let row, row !== winner { settle(winner, over: row, context) }
        } else {
            let winner = row ?? losers.removeFirst()
            if type == .rollbackMergePolicyType, let changedRow { drop(changedRow, context) }
            for loser in losers {
                if type == .mergeByPropertyStoreTrumpMergePolicyType, loser.state.contains(.inserted) {
                    winner.takeMembers(of: loser)
                }
                drop(loser, context)
            }
        }
        return context
    }

    /// Whether a saved object has the conflicting values in its row: the save changes other properties of it.
    private func ownsItsValues(_ object: NSManagedObject) -> Bool {
        guard !object.state.contains(.inserted) else { return false }
        return conflict.constraint.allSatisfy { name in
            object.layout.slot(named: name).map { !object.isReallyChanged($0) } ?? true
        }
    }

    /// Deletes a new object; reverts a changed one to its stored values.
    private func drop(_ object: NSManagedObject, _ context: NSManagedObjectContext) {
        guard !object.state.contains(.inserted) else { return context.dropNew(object) }
        var keptSlots = object.edits?.changed ?? SlotSet()
        if type == .rollbackMergePolicyType {
            keptSlots = SlotSet()
        } else {
            for name in conflict.constraint { object.layout.slot(named: name).map { keptSlots.remove($0) } }
        }
        object.noteReplacedValues()
        for slot in object.layout.slots.indices where !keptSlots.contains(slot) { object.takeBack(slot) }
        object.awake(fromSnapshotEvents: .mergePolicy)
        if object.edits?.changed.isEmpty ?? true { object.state.remove(.updated) }
    }

    private func settle(_ winner: NSManagedObject, over row: NSManagedObject, _ context: NSManagedObjectContext) {
        guard winner.state.contains(.inserted) else {
            context.delete(row)
            // Delete rules may delete the objects of further conflicts.
            return context.endEvent()
        }
        guard winner.layout === row.layout, winner.key.primaryKey <= 0, row.isReplaceable else {
            // The row's own object is in use, or has another entity: it adopts the new values.
            row.takeOver(winner, isWhole: type == .overwriteMergePolicyType)
            return context.dropNew(winner)
        }
        context.give(row, to: winner, isWhole: type == .overwriteMergePolicyType)
        winner.awake(fromSnapshotEvents: .mergePolicy)
    }
}

extension NSManagedObject {
    /// Whether only the conflict refers to this object, so that another can replace it.
    fileprivate var isReplaceable: Bool {
        !hasChanges && edits == nil && state.contains(.fault) && isKnownOnlyToConflict
    }

    /// Whether the object was created for the conflict, so nothing else refers to it.
    fileprivate var isKnownOnlyToConflict: Bool { state.contains(.madeForConflict) }

    /// Reverts one slot to its stored value, on both sides of a relationship.
    fileprivate func takeBack(_ slot: Int) {
        guard let edits, edits.changed.contains(slot) else { return }
        switch layout.slots[slot].kind {
        case .attribute:
            edits.values[slot] = edits.committed?[slot] ?? .absent
            edits.committed?[slot] = nil
        case .toOne:
            var destination: NSManagedObject?
            if case .reference(let key) = committedValue(slot) { destination = registry?.context?.object(for: key) }
            setToOne(slot, to: destination)
        case .toMany:
            guard case .toMany(let members) = edits.values[slot] else { return }
            for member in members.addedObjects { removeMember(member, slot: slot) }
            for member in members.removedObjects where !member.state.contains(.deleted) {
                addMember(member, slot: slot)
            }
        case .fetched: return
        }
        edits.changed.remove(slot)
    }

    /// Adopts the members of another object's to-many relationships, so that they do not lose their owner with it.
    fileprivate func takeMembers(of other: NSManagedObject) {
        for slot in layout.toManySlots where layout.slots[slot].inverseSlot >= 0 {
            guard let otherSlot = other.layout.slot(named: layout.slots[slot].name) else { continue }
            for member in other.toManyMembers(otherSlot) where member !== other && !member.state.contains(.deleted) {
                other.removeMember(member, slot: otherSlot)
                addMember(member, slot: slot)
            }
        }
    }

    /// Adopts the values set in a new object, or all of its values.
    fileprivate func takeOver(_ new: NSManagedObject, isWhole: Bool) {
        guard let theirs = new.edits else { return }
        for (slot, description) in layout.slots.enumerated() {
            guard let newSlot = new.layout.slot(named: description.name), isWhole || theirs.changed.contains(newSlot)
            else {
                continue
            }
            switch description.kind {
            case .attribute:
                let value = new.currentValue(newSlot)
                if !value.isSame(as: currentValue(slot)) { prepareToChange(slot).values[slot] = value }
            case .toOne:
                let destination = new.toOneObject(newSlot)
                if layout.slots[slot].inverseSlot >= 0 { new.setToOne(newSlot, to: nil) }
                setToOne(slot, to: destination)
            case .toMany:
                for member in new.toManyMembers(newSlot) {
                    new.removeMember(member, slot: newSlot)
                    addMember(member, slot: slot)
                }
            case .fetched: continue
            }
        }
    }
}

extension NSManagedObjectContext {
    /// Deletes a new object after emptying its relationships, so that no delete rule deletes others.
    final func dropNew(_ object: NSManagedObject) {
        for slot in object.layout.toOneSlots { object.setToOne(slot, to: nil) }
        for slot in object.layout.toManySlots { object.setToMany(slot, to: []) }
        delete(object)
    }

    /// Replaces an object that was only read for the conflict by a new one, which takes over its row.
    final func give(_ row: NSManagedObject, to winner: NSManagedObject, isWhole: Bool) {
        guard let edits = winner.edits, let batch = row.snapshot else { return }
        registry.remove(row)
        registry.remove(winner)
        assignedStores[ObjectIdentifier(winner)] = nil
        let former = winner.key
        winner.key = row.key
        winner.snapshot = batch
        winner.row = row.row
        row.state.insert(.gone)
        row.registry = nil
        stopKeeping(row)
        winner.state.subtract([.inserted, .pendingInsert])
        hasDeparted = true
        registry.register(winner)
        if former.isTemporary {
            // Programs and child contexts may have its temporary identifier, as with a save of a new object.
            TemporaryIdentifiers.living(former.primaryKey)?.noteSuccessor(winner.objectID)
            if hasChildren {
                registry.coordinator?.promotedKeys.note(temporary: former.primaryKey, permanent: winner.key)
            }
        }
        edits.isWholeRow = false
        edits.committed = nil
        var destinations: [(Int, NSManagedObject?)] = []
        for (slot, description) in winner.layout.slots.enumerated() {
            let isSet = isWhole || edits.changed.contains(slot)
            switch description.kind {
            case .attribute where description.isStored:
                if isSet { edits.changed.insert(slot) } else { edits.values[slot] = .absent }
            case .toOne:
                if isSet { destinations.append((slot, winner.toOneObject(slot))) }
                edits.changed.remove(slot)
                edits.values[slot] = .absent
            case .toMany:
                if case .toMany(let members) = edits.values[slot] { members.stored = nil }
            default: continue
            }
        }
        // Set the destinations again, now over the row's values, so that former destinations are updated.
        for (slot, destination) in destinations { winner.setToOne(slot, to: destination) }
        noteChange(of: winner)
    }
}

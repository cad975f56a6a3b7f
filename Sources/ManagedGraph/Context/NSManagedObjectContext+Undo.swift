// Undo and redo: each event registers its inverse with the context's undo manager; undoing one is an event too.
import Foundation
import GraphEngine

extension NSManagedObjectContext {
    /// Implements `undo()`.
    final func undoLatestGroup() {
        checkQueue("undo()")
        endEvent()
        undoManager?.undo()
    }

    /// Implements `redo()`.
    final func redoLatestGroup() {
        checkQueue("redo()")
        endEvent()
        undoManager?.redo()
    }

    /// Whether the event that ends now is recorded for undo; `isOfRereads` if it has nothing but changes of others.
    final func recordsEvent(isOfRereads: Bool) -> Bool {
        guard let undoManager, undoManager.isUndoRegistrationEnabled else { return false }
        // A program that opens the groups itself has opened none for the changes of others.
        let isOfOthers = isOfRereads || isMerging || isResolvingConflicts
        return !isOfOthers || undoManager.groupsByEvent || undoManager.groupingLevel > 0
    }

    /// Runs a step of a save that brings objects in line with the changes of others.
    final func resolvingConflicts(_ body: () throws -> Void) rethrows {
        isResolvingConflicts = true
        defer { isResolvingConflicts = false }
        try body()
    }

    /// Registers the inverse of an event; called before the event's marks are cleared.
    final func recordForUndo(
        inserted: [NSManagedObject],
        updated: ContiguousArray<NSManagedObject>,
        deleted: some Sequence<NSManagedObject>
    ) {
        let record = UndoRecord()
        // Keep the order of the event, so that redoing repeats it exactly.
        record.inserted = inserted
        record.changes.reserveCapacity(updated.count)
        for object in updated { object.recordChanges(of: eventNumber, in: record) }
        for object in deleted {
            object.recordChanges(of: eventNumber, in: record)
            record.deleted.append(object.deletionRecord())
        }
        guard !record.isEmpty else { return }
        undoManager?.registerUndo(withTarget: self) { context in context.apply(record) }
    }

    /// Reverts an event.
    private func apply(_ record: UndoRecord) {
        pendingIndex = nil
        endEvent()
        // Bring back all objects first: they may be related to each other.
        let again = record.deleted.filter { bringBack($0) }
        for deletion in again { relate(deletion) }
        for object in record.inserted { takeBack(object) }
        for change in record.changes { restore(change) }
        for deletion in record.deleted { deletion.object.awake(fromSnapshotEvents: .undoDeletion) }
        record.forEachChanged { object in
            if object.state.isDisjoint(with: [.gone, .deleted]) { object.awake(fromSnapshotEvents: .undoUpdate) }
        }
        for object in record.inserted { object.awake(fromSnapshotEvents: .undoInsertion) }
        endEvent()
        record.forEachChanged { $0.forgetEqualChanges() }
    }

    /// Brings back a deleted object: as it was or, if the deletion was saved, as a new one.
    ///
    /// Returns true if it is a new one, whose members must be added again.
    private func bringBack(_ deletion: UndoRecord.Deletion) -> Bool {
        let object = deletion.object
        // If it was deleted elsewhere as well, there is no row to restore.
        if object.state.contains(.deletedElsewhere) { forget(object) }
        if object.registry === registry {
            undelete(object)
            noteInsertion(of: object)
            return false
        }
        renew(object, deletion.values)
        return true
    }

    /// Inserts an object that has left its context, without awakening it a second time.
    final func reinsert(_ object: NSManagedObject) {
        if object.key.primaryKey <= 0, object.edits?.isWholeRow == true {
            dropDeparted()
            object.state.subtract([.deleted, .gone])
            object.registry = registry
            if object.key.isTemporary { registry.register(object) }
            return enterNew(object)
        }
        renew(object)
    }

    /// Brings back an object that has gone as a new one with the attributes that it has.
    final func renew(_ object: NSManagedObject) {
        let layout = object.layout
        // A shell left by a reset has only default values.
        var values = ContiguousArray<Value>(repeating: .absent, count: layout.slots.count)
        if object.state.isDisjoint(with: [.fault, .inaccessible]), object.edits != nil || object.snapshot != nil {
            for (slot, description) in layout.slots.enumerated() where description.kind == .attribute {
                values[slot] = object.currentValue(slot)
            }
        }
        renew(object, values)
    }

    /// Brings back an object that has gone as a new one with these values; absent ones become the defaults.
    private func renew(_ object: NSManagedObject, _ values: ContiguousArray<Value>) {
        dropDeparted()
        object.state = object.state.intersection(.observed).union(.unset)
        object.snapshot = nil
        object.page = nil
        object.key = ObjectKey(entity: Int32(truncatingIfNeeded: object.layout.index), store: -1, primaryKey: 0)
        let edits = Edits(defaultsOf: object.table)
        for (slot, value) in values.enumerated() where !value.isAbsent { edits.values[slot] = value }
        for slot in object.layout.slots.indices where object.layout.slots[slot].isStored { edits.changed.insert(slot) }
        object.edits = edits
        object.state.remove(.unset)
        object.registry = registry
        enterNew(object)
    }

    private func relate(_ deletion: UndoRecord.Deletion) {
        let object = deletion.object
        for (slot, objects) in deletion.members where !objects.isEmpty {
            let state = object.toManyState(slot)
            for member in objects where !member.state.contains(.gone) { state.add(member) }
            if object.layout.slots[slot].isOrdered { state.rearrange(objects) }
        }
    }

    /// Reverts an insertion; the relationships of other objects are restored by their own updates.
    private func takeBack(_ object: NSManagedObject) {
        guard object.registry === registry, object.state.isDisjoint(with: [.deleted, .gone]) else { return }
        if object.state.contains(.fault) { object.fire() }
        object.state.formUnion([.deleted, .pendingDelete])
        // A repeated deletion whose rules wait for the save: the event had no changes of other objects to restore.
        let hasRules = !propagatesDeletesAtEndOfEvent && !object.state.contains(.inserted)
        if !hasRules { object.state.insert(.takenBack) }
        pending.deleted.append(object)
        if !object.state.contains(.inserted) { listDeleted(object) }
        noteEvent()
    }

    private func restore(_ change: UndoRecord.Change) {
        let (object, slot) = (change.object, change.slot)
        guard object.registry === registry, !object.state.contains(.gone) else { return }
        switch change.former {
        case .value(let value) where object.layout.slots[slot].kind == .toOne && !object.state.contains(.deleted):
            // Set both sides: a merge may have changed the relationship or removed the destination since the event.
            var next: NSManagedObject?
            if case .object(let destination) = value, destination.state.isDisjoint(with: [.gone, .deleted]) {
                next = destination
            }
            object.setToOne(slot, to: next)
        case .value(let value):
            object.prepareToChange(slot).values[slot] = value
        case .members(let added, let removed, let order):
            let state = object.prepareToMany(slot)
            for member in added { state.remove(member) }
            for member in removed where !member.state.contains(.gone) { state.add(member) }
            if let order { state.rearrange(order.filter { !$0.state.contains(.gone) }) }
        }
    }
}

extension NSManagedObject {
    /// Unmarks an object as changed if its values equal the saved ones again.
    fileprivate func forgetEqualChanges() {
        guard let edits, state.contains(.updated), state.isDisjoint(with: [.inserted, .deleted, .gone]) else { return }
        var differs = edits.hasRefusedValues
        edits.changed.forEach { slot in
            if case .toMany(let members) = edits.values[slot] {
                members.forgetEqualChanges { isStoredMember($0, slot) }
                members.forgetEqualOrder()
            }
            if !layout.slots[slot].isStored || isReallyChanged(slot) { differs = true }
        }
        guard !differs else { return }
        edits.changed.forEach { slot in
            if case .toMany = edits.values[slot] { return }
            edits.values[slot] = edits.committed?[slot] ?? .absent
        }
        edits.changed.removeAll()
        if edits.committed != nil { edits.committed = nil }
        state.subtract([.updated])
    }
}

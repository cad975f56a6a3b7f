// The changes of one event of a context, kept to revert it. Created when the event is processed, if the context has an
// undo manager; applied by undo and redo. Applying it is an event of its own, whose record is the inverse.
import Foundation

/// The inverse of one event.
final class UndoRecord {
    /// The former value of a property, or the changes of its members.
    enum Former {
        case value(Value)
        case members(added: [NSManagedObject], removed: [NSManagedObject], order: [NSManagedObject]?)
    }

    /// A changed property of an object.
    struct Change {
        let object: NSManagedObject
        let slot: Int
        let former: Former
    }

    struct Deletion {
        let object: NSManagedObject
        /// All values, with destinations as objects, in case the deletion is saved before it is undone.
        let values: ContiguousArray<Value>
        let members: [(slot: Int, objects: [NSManagedObject])]
    }

    var inserted: [NSManagedObject] = []
    /// The changed properties; those of one object are adjacent.
    var changes: [Change] = []
    var deleted: [Deletion] = []

    var isEmpty: Bool { inserted.isEmpty && changes.isEmpty && deleted.isEmpty }

    /// Calls `body` with each object that has changed properties.
    func forEachChanged(_ body: (NSManagedObject) -> Void) {
        var previous: NSManagedObject?
        for change in changes where change.object !== previous {
            body(change.object)
            previous = change.object
        }
    }
}

extension NSManagedObject {
    /// Adds the properties of this object that the event has changed to a record.
    func recordChanges(of event: Int, in record: UndoRecord) {
        guard let edits, registry != nil, edits.event == event, edits.hasFormerValues else { return }
        edits.changedInEvent.forEach { slot in
            guard let value = edits.formerValue(slot), let former = former(value, slot, edits) else { return }
            record.changes.append(UndoRecord.Change(object: self, slot: slot, former: former))
        }
    }

    /// The former state of a property to restore, given its value at the beginning of the event; nil for a fetched one.
    private func former(_ value: Value, _ slot: Int, _ edits: Edits) -> UndoRecord.Former? {
        // Most are attributes, which the table names without a reference to the layout.
        if table.pointee.types[slot] != .undefined { return .value(value.isAbsent ? snapshotValue(slot) : value) }
        switch layout.slots[slot].kind {
        case .attribute: return .value(value.isAbsent ? snapshotValue(slot) : value)
        case .toOne: return .value(withObject(value.isAbsent ? snapshotValue(slot) : value))
        case .toMany:
            guard case .toMany(let now) = edits.values[slot] else { return nil }
            // Adding and removing members reads nothing, so the stored members are needed to find the actual changes.
            // If the inverse is to-one, it was already read.
            let inverse = inverse(slot).map { layout.slots[slot].destinationLayout(layout).slots[$0].kind }
            if inverse != .toOne, now.stored == nil, let context = registry?.context,
                let keys = state.contains(.inserted) ? [] : context.storedMembers(of: self, slot: slot)
            {
                now.read(keys)
            }
            let before: ToManyState? = if case .toMany(let state) = value { state } else { nil }
            return now.difference(from: before, isOrdered: layout.slots[slot].isOrdered)
        case .fetched: return nil
        }
    }

    /// All values and members of the object.
    func deletionRecord() -> UndoRecord.Deletion {
        var members: [(Int, [NSManagedObject])] = []
        var values = ContiguousArray<Value>(repeating: .absent, count: layout.slots.count)
        for (slot, description) in layout.slots.enumerated() {
            switch description.kind {
            case .attribute: values[slot] = currentValue(slot)
            case .toOne: values[slot] = withObject(currentValue(slot))
            case .toMany: members.append((slot, toManyMembers(slot)))
            case .fetched: continue
            }
        }
        return UndoRecord.Deletion(object: self, values: values, members: members)
    }

    /// A destination as its object, whose identity does not change with its key.
    private func withObject(_ value: Value) -> Value {
        guard case .reference(let key) = value, let context = registry?.context else { return value }
        return .object(context.object(for: key))
    }
}

extension ToManyState {
    /// The changes since `before`, which is nil if there were none before.
    func difference(from before: ToManyState?, isOrdered: Bool) -> UndoRecord.Former {
        let formerAdded = before?.added ?? [:]
        let formerRemoved = before?.removed ?? [:]
        var seen: Set<ObjectIdentifier> = []
        var gained: [NSManagedObject] = []
        var lost: [NSManagedObject] = []
        let candidates = addedObjects + removedObjects + (before?.addedObjects ?? []) + (before?.removedObjects ?? [])
        for object in candidates where seen.insert(ObjectIdentifier(object)).inserted {
            let id = ObjectIdentifier(object)
            // If the stored members are unread, the changes define them.
            let isStored = stored == nil ? removed[id] != nil || formerRemoved[id] != nil : storedContains(object)
            let was = formerAdded[id] != nil || (isStored && formerRemoved[id] == nil)
            let isMember = added[id] != nil || (isStored && removed[id] == nil)
            if isMember, !was { gained.append(object) }
            if was, !isMember { lost.append(object) }
        }
        return .members(added: gained, removed: lost, order: isOrdered ? before?.formerOrder : nil)
    }
}

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

    struct Update {
        let object: NSManagedObject
        var slots: [(slot: Int, former: Former)]
    }

    struct Deletion {
        let object: NSManagedObject
        /// All values, with destinations as objects, in case the deletion is saved before it is undone.
        let values: ContiguousArray<Value>
        let members: [(slot: Int, objects: [NSManagedObject])]
    }

    var inserted: [NSManagedObject] = []
    var updated: [Update] = []
    var deleted: [Deletion] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension NSManagedObject {
    /// The changes of the event in this object.
    func eventUpdate() -> UndoRecord.Update? {
        guard let edits, edits.event == registry?.context?.eventNumber, edits.hasFormerValues else { return nil }
        var update = UndoRecord.Update(object: self, slots: [])
        for slot in edits.changedInEvent.members {
            guard let value = edits.formerValue(slot) else { continue }
            switch layout.slots[slot].kind {
            case .attribute:
                update.slots.append((slot, .value(value.isAbsent ? snapshotValue(slot) : value)))
            case .toOne:
                update.slots.append((slot, .value(withObject(value.isAbsent ? snapshotValue(slot) : value))))
            case .toMany:
                guard case .toMany(let now) = edits.values[slot] else { continue }
                // Adding and removing members reads nothing, so the stored members are needed to find the actual
                // changes. If the inverse is to-one, it was already read.
                let inverse = inverse(slot).map { layout.slots[slot].destinationLayout(layout).slots[$0].kind }
                if inverse != .toOne, now.stored == nil, let context = registry?.context,
                    let keys = state.contains(.inserted) ? [] : context.storedMembers(of: self, slot: slot)
                {
                    now.read(keys)
                }
                let before: ToManyState? = if case .toMany(let state) = value { state } else { nil }
                update.slots.append((slot, now.difference(from: before, isOrdered: layout.slots[slot].isOrdered)))
            case .fetched: continue
            }
        }
        return update.slots.isEmpty ? nil : update
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

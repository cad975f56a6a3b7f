// To-many relationships: reading, adding, removing and rearranging members, with the inverse kept. Called by
// generated to-many accessors, key-value coding and delete propagation.
import Foundation

extension NSManagedObject {
    /// The relationship's state; made on first use.
    func toManyState(_ slot: Int) -> ToManyState {
        prepareToRead()
        let edits = ensureEdits()
        if case .toMany(let state) = edits.values[slot] { return state }
        // A new object has no members in any store.
        let isNew = self.state.contains(.inserted) || registry == nil
        let state = ToManyState(stored: isNew ? [] : nil)
        edits.values[slot] = .toMany(state)
        return state
    }

    /// Notes a change of the relationship and returns its state.
    func prepareToMany(_ slot: Int) -> ToManyState {
        prepareToRead(slot, isChange: true)
        let state = toManyState(slot)
        _ = prepareToChange(slot)
        return state
    }

    /// The members, loading their keys where needed.
    func toManyMembers(_ slot: Int) -> [NSManagedObject] {
        prepareToRead(slot)
        if state.contains(.inaccessible) { return [] }
        let state = toManyState(slot)
        guard let context = registry?.context else { return state.addedObjects }
        if !state.isKnown {
            state.read(context.storedMembers(of: self, slot: slot))
        }
        return context.faultingByThePage(state.stored ?? []) { state.members { context.object(for: $0) } }
    }

    /// The members as key-value coding shows them.
    func toManyCollection(_ slot: Int) -> Any {
        let members = toManyMembers(slot)
        return layout.slots[slot].isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
    }

    /// Makes the members exactly these.
    func setToMany(_ slot: Int, to members: [NSManagedObject]) {
        let wanted = Set(members.map(ObjectIdentifier.init))
        let old = toManyMembers(slot)
        for object in old where !wanted.contains(ObjectIdentifier(object)) { removeMember(object, slot: slot) }
        let present = Set(old.map(ObjectIdentifier.init))
        for object in members where !present.contains(ObjectIdentifier(object)) { addMember(object, slot: slot) }
        if layout.slots[slot].isOrdered { prepareToMany(slot).rearrange(members) }
    }

    /// Adds one member and keeps the inverse.
    func addMember(_ object: NSManagedObject, slot: Int) {
        let description = layout.slots[slot]
        checkDestination(object, description)
        if description.inverseSlot >= 0 {
            let other = object.layout.slots[description.inverseSlot]
            if other.kind == .toOne {
                object.setToOne(description.inverseSlot, to: self)
                return
            }
            // Both sides, whatever one of them says: they may have been read at different times.
            prepareToMany(slot).add(object)
            object.prepareToMany(description.inverseSlot).add(self)
        } else {
            prepareToMany(slot).add(object)
        }
    }

    /// Removes one member and keeps the inverse.
    func removeMember(_ object: NSManagedObject, slot: Int) {
        let description = layout.slots[slot]
        if description.inverseSlot >= 0 {
            let other = object.layout.slots[description.inverseSlot]
            if other.kind == .toOne {
                if object.toOneObject(description.inverseSlot) === self {
                    object.setToOne(description.inverseSlot, to: nil)
                }
                return
            }
            prepareToMany(slot).remove(object)
            object.prepareToMany(description.inverseSlot).remove(self)
        } else {
            prepareToMany(slot).remove(object)
        }
    }

    /// The objects of a collection given by key-value coding.
    func destinationObjects(_ value: Any?, _ slot: Slot) -> [NSManagedObject] {
        guard let value = flatten(value), !(value is NSNull) else { return [] }
        let members: [Any]
        switch value {
        case let set as NSSet: members = set.allObjects
        case let set as NSOrderedSet: members = set.array
        case let array as [Any]: members = array
        case let set as Set<NSManagedObject>: members = Array(set)
        case let set as Set<AnyHashable>: members = set.map(\.base)
        case let object as NSManagedObject: members = [object]
        default:
            preconditionFailure(
                "\(layout.name).\(slot.name) takes a set of managed objects, not \(type(of: value))."
            )
        }
        var seen: Set<ObjectIdentifier> = []
        return members.compactMap { destinationObject($0, slot) }.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}

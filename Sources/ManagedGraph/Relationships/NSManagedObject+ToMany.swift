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
        let members = toManyState(slot)
        _ = prepareToChange(slot)
        // An observer may have turned the object into a fault, whose members are new.
        return state.contains(.observed) ? toManyState(slot) : members
    }

    /// The relationship's state with the stored members' keys; nil if there is no row.
    func readState(_ slot: Int) -> ToManyState? {
        prepareToRead(slot)
        if state.contains(.inaccessible) { return nil }
        let state = toManyState(slot)
        if !state.isKnown, let context = registry?.context, let keys = context.storedMembers(of: self, slot: slot) {
            state.read(keys)
        }
        return state
    }

    /// The number of members, for which no object is made.
    func memberCount(_ slot: Int) -> Int {
        guard let state = readState(slot) else { return 0 }
        return state.count ?? toManyMembers(slot).count
    }

    /// Whether an object is a member, in O(1) once the members' keys are read.
    func hasMember(_ object: NSManagedObject, slot: Int) -> Bool {
        canBeMember(object, slot: slot) && readState(slot)?.holds(object) ?? false
    }

    /// Whether an object is of the relationship's destination and not of another context.
    ///
    /// The inverse's slot is a slot of the destination entity, so it means another property in an object of another
    /// entity.
    func canBeMember(_ object: NSManagedObject, slot: Int) -> Bool {
        guard let destination = layout.slots[slot].destination else { return true }
        if object.layout.index != destination || object.layout.model !== layout.model {
            let expected = layout.slots[slot].destinationLayout(layout)
            guard object.layout.isKind(of: expected) || object.layout.name == expected.name else { return false }
        }
        guard let registry, let other = object.registry else { return true }
        return registry === other
    }

    /// The members, loading their keys if needed.
    func toManyMembers(_ slot: Int) -> [NSManagedObject] {
        guard let state = readState(slot) else { return [] }
        guard let context = registry?.context else { return state.order ?? state.addedObjects }
        if context.readingAhead == nil, let members = state.heldNow(in: context.registry) { return members }
        let ahead = context.readingAhead == nil ? [] : context.takeMembersReadAhead(of: self, slot: slot)
        let origin = context.origin(of: self, slot: slot)
        let members = state.members { context.objects(for: $0, origin: origin) }
        hold(members, state, context.registry)
        withExtendedLifetime(ahead) {}
        return members
    }

    /// Keeps the members read for a relationship in memory while this object is registered and not a fault.
    @inline(__always)
    private func hold(_ members: [NSManagedObject], _ state: ToManyState, _ registry: ObjectRegistry) {
        guard !members.isEmpty, !self.state.contains(.gone) else { return }
        state.hold(members, in: registry)
        self.state.insert(.holding)
    }

    /// Releases the objects that relationships and fetched properties hold; they are read again on demand.
    func releaseHeldObjects() {
        guard state.contains(.holding), let edits else { return }
        state.remove(.holding)
        for (slot, description) in layout.slots.enumerated() {
            if case .toMany(let members) = edits.values[slot] {
                members.held.drop()
            } else if description.kind == .fetched {
                edits.values[slot] = .absent
            }
        }
    }

    /// The objects that relationships hold, which are held no longer.
    func takeHeldMembers() -> [[NSManagedObject]] {
        guard let edits else { return [] }
        return layout.toManySlots.compactMap { slot in
            guard case .toMany(let members) = edits.values[slot], !members.held.isEmpty else { return nil }
            defer { members.held.drop() }
            return members.held.members
        }
    }

    /// The members as key-value coding shows them.
    ///
    /// The same set as before if the members have not changed.
    func toManyCollection(_ slot: Int) -> AnyObject {
        let members = toManyMembers(slot)
        // Members that are not held may leave memory, and a set would keep them.
        let holder = members.isEmpty ? nil : readState(slot).flatMap { $0.isHolding(members) ? $0 : nil }
        if let shown = holder?.held.intact { return shown }
        let isOrdered = layout.slots[slot].isOrdered
        // Foundation looks up how to box each member of an array, but takes objects as they are. Mutable, so that later
        // members can be entered as long as no caller has the set; Swift bridges sets of Foundation's own classes only.
        let set: NSObject = members.withUnsafeBufferPointer { members in
            UnsafeRawBufferPointer(members).withMemoryRebound(to: AnyObject.self) {
                isOrdered
                    ? OrderedMemberSet(objects: $0.baseAddress, count: $0.count)
                    : NSMutableSet(objects: $0.baseAddress, count: $0.count)
            }
        }
        holder?.held.show(set)
        return set
    }

    /// Makes the members exactly these.
    func setToMany(_ slot: Int, to members: [NSManagedObject]) {
        changing(slot, to: members) { replaceMembers(slot, with: members) }
    }

    private func replaceMembers(_ slot: Int, with members: [NSManagedObject]) {
        let old = toManyMembers(slot)
        let isOrdered = layout.slots[slot].isOrdered
        if old.isEmpty {
            for object in members { addMember(object, slot: slot) }
        } else {
            let memberIDs = Set(members.map(ObjectIdentifier.init))
            for object in old where !memberIDs.contains(ObjectIdentifier(object)) { removeMember(object, slot: slot) }
            let present = Set(old.map(ObjectIdentifier.init))
            for object in members where !present.contains(ObjectIdentifier(object)) { addMember(object, slot: slot) }
        }
        guard isOrdered else { return }
        let state = prepareToMany(slot)
        // If members were only added at the end, there is no order to write.
        if !toManyMembers(slot).elementsEqual(members, by: ===) { state.rearrange(members) }
    }

    /// Enters a member into this side alone.
    func enter(_ object: NSManagedObject, slot: Int) {
        let state = prepareToMany(slot)
        let comesBack =
            layout.slots[slot].isOrdered && !state.isArranged && state.removed[ObjectIdentifier(object)] != nil
        guard state.add(object) else { return }
        // It was removed from its position and is now at the end.
        if comesBack { state.rearrange(toManyMembers(slot).filter { $0 !== object } + [object]) }
    }

    /// Adds a new member at an index of an ordered relationship; O(log n) once its order is fixed.
    func insertMember(_ object: NSManagedObject, at index: Int, slot: Int) {
        changing(slot, to: object) {
            addMember(object, slot: slot)
            if let count = prepareToMany(slot).count, index >= count - 1 { return }
            moveMember(object, to: index, slot: slot)
        }
    }

    /// Moves a member to another index, counted without it.
    func moveMember(_ object: NSManagedObject, to index: Int, slot: Int) {
        changing(slot, to: object) { prepareToMany(slot).move(object, to: index) { toManyMembers(slot) } }
    }

    /// Exchanges two members of an ordered relationship.
    func exchangeMembers(_ first: Int, _ second: Int, slot: Int) {
        changing(slot, to: nil) { prepareToMany(slot).exchange(first, second) { toManyMembers(slot) } }
    }

    /// Adds one member and keeps the inverse.
    func addMember(_ object: NSManagedObject, slot: Int) {
        changing(slot, to: object) { enterOnBothSides(object, slot: slot) }
    }

    private func enterOnBothSides(_ object: NSManagedObject, slot: Int) {
        guard acceptsDestination(object, at: slot) else { return }
        let inverse = layout.slots[slot].inverseSlot
        if inverse >= 0 {
            if object.layout.slots[inverse].kind == .toOne {
                object.setToOne(inverse, to: self)
                // An inverse that does not point back does not enter it here.
                if object.layout.slots[inverse].inverseSlot != slot { enter(object, slot: slot) }
                return
            }
            // Enter it on both sides in any case: they may have been read at different times.
            enter(object, slot: slot)
            object.enter(self, slot: inverse)
        } else {
            enter(object, slot: slot)
        }
    }

    /// Removes one member and keeps the inverse; does nothing for an object that cannot be a member.
    func removeMember(_ object: NSManagedObject, slot: Int) {
        guard canBeMember(object, slot: slot) else { return }
        changing(slot, to: object) { removeOnBothSides(object, slot: slot) }
    }

    private func removeOnBothSides(_ object: NSManagedObject, slot: Int) {
        let description = layout.slots[slot]
        if description.inverseSlot >= 0 {
            let inverse = object.layout.slots[description.inverseSlot]
            if inverse.kind == .toOne {
                if object.toOneObject(description.inverseSlot) === self {
                    object.setToOne(description.inverseSlot, to: nil)
                }
                if inverse.inverseSlot != slot { prepareToMany(slot).remove(object) }
                return
            }
            prepareToMany(slot).remove(object, isStored: isStoredMember(object, slot))
            object.prepareToMany(description.inverseSlot)
                .remove(self, isStored: object.isStoredMember(self, description.inverseSlot))
        } else {
            prepareToMany(slot).remove(object, isStored: isStoredMember(object, slot))
        }
    }

    /// Whether the store has a member that was added here; nil if the members' keys would have to be read.
    ///
    /// O(1): a new object has no row, and a to-one inverse has the destination of when it was read or saved.
    func isStoredMember(_ object: NSManagedObject, _ slot: Int) -> Bool? {
        if state.contains(.inserted) || object.state.contains(.inserted) { return false }
        let inverse = layout.slots[slot].inverseSlot
        guard inverse >= 0, object.layout.slots[inverse].kind == .toOne, !object.state.contains(.fault) else {
            return nil
        }
        switch object.committedValue(inverse) {
        case .reference(let former):
            // Either may be the key from before this object was saved further up.
            guard former != key, former.isTemporary || key.isTemporary, let keys = registry?.coordinator?.promotedKeys
            else { return former == key }
            return keys.current(former) == keys.current(key)
        case .object(let former): return former === self
        default: return false
        }
    }

    /// The objects of a collection given by key-value coding; nil if one of them, or the whole, is refused.
    func destinationObjects(_ value: Any?, _ slot: Slot) -> [NSManagedObject]? {
        guard let value = flatten(value), !(value is NSNull) else { return [] }
        if let collection = value as? any ManagedCollection, let members = collection.managedObjects {
            guard members.allSatisfy({ acceptsDestination($0, slot) }) else { return nil }
            guard collection.mayRepeat else { return members }
            var seen: Set<ObjectIdentifier> = []
            return members.filter { seen.insert(ObjectIdentifier($0)).inserted }
        }
        guard let members = Self.members(of: value) else {
            refuse(value, forKey: slot.name, .type(expected: Self.membersText))
            return nil
        }
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(members.count)
        // A set has each of its members once.
        let mayRepeat = !(value is NSSet)
        var seen: Set<ObjectIdentifier> = []
        for member in members {
            if let object = member as? NSManagedObject {
                guard acceptsDestination(object, slot) else { return nil }
                if !mayRepeat || seen.insert(ObjectIdentifier(object)).inserted { objects.append(object) }
                continue
            }
            let member = flatten(member)
            if member == nil || member is NSNull { continue }
            guard let object = destinationObject(member, slot) else { return nil }
            if seen.insert(ObjectIdentifier(object)).inserted { objects.append(object) }
        }
        return objects
    }
}

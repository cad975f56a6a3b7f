// The methods behind generated to-many accessors: add, remove, and for ordered relationships insert, replace and
// remove at.
import Foundation

extension NSManagedObject {
    /// Adds an object to a to-many relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The relationship.
    public final func addToManaged(_ object: NSManagedObject, for property: ManagedProperty) {
        let slot = property.slot(in: self)
        if acceptsDestination(object, at: slot) { addMember(object, slot: slot) }
    }

    /// Adds an object, or each object of a set, to a to-many relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - value: A managed object, or an `NSSet`, `NSOrderedSet`, `Set` or array of them.
    ///   - property: The relationship.
    public final func addToManaged(_ value: Any, for property: ManagedProperty) {
        let slot = property.slot(in: self)
        for object in destinationObjects(value, layout.slots[slot]) ?? [] { addMember(object, slot: slot) }
    }

    /// Removes an object from a to-many relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The relationship.
    public final func removeFromManaged(_ object: NSManagedObject, for property: ManagedProperty) {
        removeMember(object, slot: property.slot(in: self))
    }

    /// Removes an object, or each object of a set, from a to-many relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - value: A managed object, or an `NSSet`, `NSOrderedSet`, `Set` or array of them.
    ///   - property: The relationship.
    public final func removeFromManaged(_ value: Any, for property: ManagedProperty) {
        let slot = property.slot(in: self)
        guard let value = flatten(value), let members = Self.members(of: value) else {
            return refuse(value, forKey: layout.slots[slot].name, .type(expected: Self.membersText))
        }
        for case let object as NSManagedObject in members { removeMember(object, slot: slot) }
    }

    /// Inserts an object into an ordered relationship, for generated accessors.
    ///
    /// A member is moved. Stops with a message if the index is beyond the members.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - index: Its new position.
    ///   - property: The relationship.
    public final func insertIntoManaged(_ object: NSManagedObject, at index: Int, for property: ManagedProperty) {
        insertIntoManaged([object], at: NSIndexSet(index: index), for: property)
    }

    /// Inserts objects into an ordered relationship, for generated accessors.
    ///
    /// Members are moved. Stops with a message if an index is beyond the members, or if there are not as many
    /// indexes as objects.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - indexes: The new positions, ascending.
    ///   - property: The relationship.
    public final func insertIntoManaged(
        _ objects: [NSManagedObject],
        at indexes: NSIndexSet,
        for property: ManagedProperty
    ) {
        let slot = property.slot(in: self)
        requireOrdered(slot)
        requireSameCount(objects, indexes, slot)
        if objects.count == 1 {
            return OrderedRelationship.view(of: self, slot: slot).place(objects[0], at: indexes.firstIndex)
        }
        var members = toManyMembers(slot)
        let end = members.count
        let moved = Set(objects.map(ObjectIdentifier.init))
        members.removeAll { moved.contains(ObjectIdentifier($0)) }
        var seen: Set<ObjectIdentifier> = []
        for (place, (object, index)) in zip(objects, indexes).enumerated() {
            if index > end + place { stopForIndex(index, slot: slot) }
            guard acceptsDestination(object, at: slot) else { return }
            guard seen.insert(ObjectIdentifier(object)).inserted else { continue }
            members.insert(object, at: min(index, members.count))
        }
        setToMany(slot, to: members)
    }

    /// Removes the member at an index of an ordered relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - property: The relationship.
    public final func removeFromManaged(at index: Int, for property: ManagedProperty) {
        removeFromManaged(at: NSIndexSet(index: index), for: property)
    }

    /// Removes the members at some indexes of an ordered relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - indexes: The indexes.
    ///   - property: The relationship.
    public final func removeFromManaged(at indexes: NSIndexSet, for property: ManagedProperty) {
        let slot = property.slot(in: self)
        requireOrdered(slot)
        if indexes.count == 1 {
            return OrderedRelationship.view(of: self, slot: slot).removeObject(at: indexes.firstIndex)
        }
        let members = toManyMembers(slot)
        if indexes.count > 0, indexes.lastIndex >= members.count { stopForIndex(indexes.lastIndex, slot: slot) }
        setToMany(slot, to: members.enumerated().filter { !indexes.contains($0.offset) }.map(\.element))
    }

    /// Replaces the member at an index of an ordered relationship, for generated accessors.
    ///
    /// An object that is a member already leaves its former place.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - object: The object that takes its place.
    ///   - property: The relationship.
    public final func replaceManaged(at index: Int, with object: NSManagedObject, for property: ManagedProperty) {
        replaceManaged(at: NSIndexSet(index: index), with: [object], for: property)
    }

    /// Replaces the members at some indexes of an ordered relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - indexes: The indexes.
    ///   - objects: The objects that take their places, in order.
    ///   - property: The relationship.
    public final func replaceManaged(
        at indexes: NSIndexSet,
        with objects: [NSManagedObject],
        for property: ManagedProperty
    ) {
        let slot = property.slot(in: self)
        requireOrdered(slot)
        requireSameCount(objects, indexes, slot)
        var members: [NSManagedObject?] = toManyMembers(slot)
        var placed: Set<ObjectIdentifier> = []
        for (object, index) in zip(objects, indexes) {
            if index >= members.count { stopForIndex(index, slot: slot) }
            guard acceptsDestination(object, at: slot) else { return }
            members[index] = placed.insert(ObjectIdentifier(object)).inserted ? object : nil
        }
        // A member that takes another's place leaves its own.
        for (index, member) in members.enumerated() where !indexes.contains(index) {
            if let member, placed.contains(ObjectIdentifier(member)) { members[index] = nil }
        }
        setToMany(slot, to: members.compactMap(\.self))
    }

    private func requireOrdered(_ slot: Int) {
        let description = layout.slots[slot]
        precondition(
            description.kind == .toMany && description.isOrdered,
            "\(layout.name).\(description.name) is not an ordered to-many relationship: its members have no indexes."
        )
    }

    private func requireSameCount(_ objects: [NSManagedObject], _ indexes: NSIndexSet, _ slot: Int) {
        precondition(
            objects.count == indexes.count,
            "\(layout.name).\(layout.slots[slot].name) was given \(objects.count) objects and \(indexes.count) "
                + "indexes. Give one index for each object."
        )
    }

    func stopForIndex(_ index: Int, slot: Int) -> Never {
        preconditionFailure(
            "Index \(index) is beyond the \(memberCount(slot)) members of \(layout.name).\(layout.slots[slot].name)."
        )
    }

    /// A set that changes the unordered to-many relationship as it is changed.
    ///
    /// - Parameter key: The relationship's name.
    /// - Returns: The members; use the returned set's `add` and `remove`. For a key that is not an  to-many
    ///   relationship an empty set: objects added to it are not kept, and the save fails with 1550.
    public func mutableSetValue(forKey key: String) -> NSMutableSet {
        guard let slot = layout.slot(named: key) else {
            return RelationshipSet.make(owner: self, key: key, refusing: .unknownKey)
        }
        guard layout.slots[slot].kind == .toMany, !layout.slots[slot].isOrdered else {
            return RelationshipSet.make(owner: self, key: key, refusing: .noMembers(isOrdered: false))
        }
        return RelationshipSet.make(owner: self, slot: slot)
    }

    /// An ordered set that changes the ordered to-many relationship as it is changed.
    ///
    /// Every method shows the members as they are now, but for the ones that Foundation does not let be replaced off
    /// Apple (`array`, `set`, `firstObject`, `lastObject` and `for … in`): those show the members at the set's last
    /// call.
    ///
    /// - Parameter key: The relationship's name.
    /// - Returns: The members; insert, remove, replace and move them in the returned set. For a key that is not an ordered
    ///   to-many relationship an empty set: objects added to it are not kept, and the save fails with 1550.
    public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        guard let slot = layout.slot(named: key) else {
            return OrderedRelationship.make(owner: self, key: key, refusing: .unknownKey)
        }
        guard layout.slots[slot].kind == .toMany, layout.slots[slot].isOrdered else {
            return OrderedRelationship.make(owner: self, key: key, refusing: .noMembers(isOrdered: true))
        }
        return OrderedRelationship.view(of: self, slot: slot)
    }

    /// A set that changes the relationship at the end of a path of to-one relationships.
    ///
    /// - Parameter keyPath: Relationships' names joined by dots.
    /// - Returns: The members; an empty set if the path leads to no object.
    public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        guard let dot = keyPath.lastIndex(of: ".") else { return mutableSetValue(forKey: keyPath) }
        guard let owner = value(forKeyPath: String(keyPath[..<dot])) as? NSManagedObject else { return NSMutableSet() }
        return owner.mutableSetValue(forKey: String(keyPath[keyPath.index(after: dot)...]))
    }

    /// An ordered set that changes the ordered relationship at the end of a path of to-one relationships.
    ///
    /// - Parameter keyPath: Relationships' names joined by dots.
    /// - Returns: The members; an empty set if the path leads to no object.
    public func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
        guard let dot = keyPath.lastIndex(of: ".") else { return mutableOrderedSetValue(forKey: keyPath) }
        guard let owner = value(forKeyPath: String(keyPath[..<dot])) as? NSManagedObject else {
            return NSMutableOrderedSet()
        }
        return owner.mutableOrderedSetValue(forKey: String(keyPath[keyPath.index(after: dot)...]))
    }
}

// What generated to-many accessors call: add, remove, and for ordered relationships insert, replace and remove at.
import Foundation

extension NSManagedObject {
    /// Adds an object, or each object of a set, to a to-many relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - value: A managed object, or an `NSSet`, `NSOrderedSet`, `Set` or array of them.
    ///   - property: The relationship.
    public final func addToManaged(_ value: Any, for property: ManagedProperty) {
        let slot = property.slot(in: self)
        for object in destinationObjects(value, layout.slots[slot]) { addMember(object, slot: slot) }
    }

    /// Removes an object, or each object of a set, from a to-many relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - value: A managed object, or an `NSSet`, `NSOrderedSet`, `Set` or array of them.
    ///   - property: The relationship.
    public final func removeFromManaged(_ value: Any, for property: ManagedProperty) {
        let slot = property.slot(in: self)
        for object in destinationObjects(value, layout.slots[slot]) { removeMember(object, slot: slot) }
    }

    /// Inserts an object into an ordered relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - index: Where it is to stand.
    ///   - property: The relationship.
    public final func insertIntoManaged(_ object: NSManagedObject, at index: Int, for property: ManagedProperty) {
        insertIntoManaged([object], at: NSIndexSet(index: index), for: property)
    }

    /// Inserts objects into an ordered relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - indexes: Where each is to stand, ascending.
    ///   - property: The relationship.
    public final func insertIntoManaged(
        _ objects: [NSManagedObject],
        at indexes: NSIndexSet,
        for property: ManagedProperty
    ) {
        let slot = property.slot(in: self)
        rearrange(slot) { members in
            members.removeAll { member in objects.contains { $0 === member } }
            for (object, index) in zip(objects, indexes) { members.insert(object, at: min(index, members.count)) }
        }
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
        rearrange(property.slot(in: self)) { members in
            for index in indexes.reversed() { members.remove(at: index) }
        }
    }

    /// Replaces the member at an index of an ordered relationship, for generated accessors.
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
        rearrange(property.slot(in: self)) { members in
            for (index, object) in zip(indexes, objects) { members[index] = object }
        }
    }

    private func rearrange(_ slot: Int, _ change: (inout [NSManagedObject]) -> Void) {
        var members = toManyMembers(slot)
        change(&members)
        var seen: Set<ObjectIdentifier> = []
        setToMany(slot, to: members.filter { seen.insert(ObjectIdentifier($0)).inserted })
    }

    /// A set that changes the unordered to-many relationship as it is changed.
    ///
    /// - Parameter key: The relationship's name.
    /// - Returns: The members; use the returned set's `add` and `remove`.
    public func mutableSetValue(forKey key: String) -> NSMutableSet {
        RelationshipSet.make(owner: self, slot: requireSlot(key))
    }

    /// An ordered set that changes the ordered to-many relationship as it is changed.
    ///
    /// Off Apple, Foundation does not let `contains(_:)` and `array` of such a set be replaced: ask `index(of:)`, or the
    /// relationship itself.
    ///
    /// - Parameter key: The relationship's name.
    /// - Returns: The members; insert, remove, replace and move them in the returned set.
    public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        let slot = requireSlot(key)
        precondition(
            layout.slots[slot].kind == .toMany && layout.slots[slot].isOrdered,
            "\(layout.name).\(key) is no ordered to-many relationship. Use mutableSetValue(forKey:)."
        )
        return OrderedRelationship.make(owner: self, slot: slot)
    }

    /// A set that changes the relationship at the end of a path of to-one relationships.
    ///
    /// - Parameter keyPath: Relationships' names joined by dots.
    /// - Returns: The members; an empty set of its own where the path leads to no object.
    public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        guard let dot = keyPath.lastIndex(of: ".") else { return mutableSetValue(forKey: keyPath) }
        guard let owner = value(forKeyPath: String(keyPath[..<dot])) as? NSManagedObject else { return NSMutableSet() }
        return owner.mutableSetValue(forKey: String(keyPath[keyPath.index(after: dot)...]))
    }
}

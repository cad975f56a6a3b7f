// To-one relationships: reading the destination and setting it with its inverse. Called by accessors, key-value
// coding and delete propagation.
import Foundation
import GraphEngine

extension NSManagedObject {
    /// The destination of a to-one relationship.
    func toOneObject(_ slot: Int) -> NSManagedObject? {
        prepareToRead(slot)
        if let key = storedDestination(slot) { return destination(key, slot) }
        switch currentValue(slot) {
        case .object(let object): return object
        case .reference(let key): return destination(key, slot)
        default: return nil
        }
    }

    /// The destination of a to-one relationship, if both are in memory.
    func knownToOneObject(_ slot: Int) -> NSManagedObject? {
        if state.contains(.fault), snapshot == nil { return nil }
        switch edits?.values[slot].isAbsent == false ? edits?.values[slot] ?? .null : snapshotValue(slot) {
        case .object(let object): return object
        case .reference(let key): return registry?.object(for: key, tree: layout.tree(of: slot))
        default: return nil
        }
    }

    private func destination(_ key: ObjectKey, _ slot: Int) -> NSManagedObject? {
        guard let registry else { return nil }
        // Most destinations are in memory, so that the registry alone is enough.
        if registry.faultingPolicy == .allow, registry.hasContext, !key.isTemporary,
            let existing = registry.object(for: key, tree: layout.model.layouts[Int(key.entity)].tree.index)
        {
            return existing
        }
        guard let context = registry.context else { return nil }
        let object = context.object(for: key)
        if registry.faultingPolicy != .allow { context.noteDestination(object, of: self, slot: slot) }
        return object
    }

    /// The key of a destination that the object's row has.
    ///
    /// Nil if there is none, if own values count, or if the row names the entity, too. Fires no fault.
    @inline(__always)
    func storedDestination(_ slot: Int) -> ObjectKey? {
        let entity = table.pointee.destinations[slot]
        let column = Int(table.pointee.columns[slot])
        guard entity >= 0, column >= 0, let rows else { return nil }
        if let edits, !edits.values[slot].isAbsent { return nil }
        // Keys below 1 exist in damaged files only.
        let primaryKey = rows._withUnsafeGuaranteedRef {
            $0.isNull(column, Int(row)) ? 0 : $0.integer(column, Int(row))
        }
        return primaryKey > 0 ? ObjectKey(entity: entity, store: table.pointee.store, primaryKey: primaryKey) : nil
    }

    /// The key of a destination as a row gives it.
    func destinationKey(_ slot: Slot, primaryKey: Int64, entityNumber: Int64) -> ObjectKey {
        let entity =
            entityNumber == 0
            ? slot.destination ?? 0
            : registry?.coordinator?.entityIndex(number: entityNumber, store: key.store) ?? slot.destination ?? 0
        return ObjectKey(entity: Int32(truncatingIfNeeded: entity), store: key.store, primaryKey: primaryKey)
    }

    /// Sets a to-one relationship and both inverses.
    func setToOne(_ slot: Int, to destination: NSManagedObject?) {
        changing(slot, to: destination) { assignOnBothSides(slot, destination) }
    }

    /// The same for a caller outside the framework: as with attributes, the object counts as updated even if it has this
    /// destination already.
    func setPublicToOne(_ slot: Int, to destination: NSManagedObject?) {
        setToOne(slot, to: destination)
        if let destination, !state.contains(.inserted) { assignToOne(slot, destination) }
    }

    private func assignOnBothSides(_ slot: Int, _ destination: NSManagedObject?) {
        let old = toOneObject(slot)
        if old === destination, !state.contains(.fault) {
            if destination == nil, case .absent = edits?.values[slot] ?? .absent { return }
            if destination != nil { return }
        }
        let inverse = layout.slots[slot].inverseSlot
        assignToOne(slot, destination)
        guard inverse >= 0 else { return }
        if let old, !old.state.contains(.gone) { old.removeInverse(inverse, self) }
        if let destination { destination.addInverse(inverse, self, from: slot) }
    }

    /// Writes the value alone.
    func assignToOne(_ slot: Int, _ destination: NSManagedObject?) {
        prepareToChange(slot).values[slot] = destination.map(Value.object) ?? .null
    }

    /// The other side no longer refers to this object.
    func removeInverse(_ slot: Int, _ object: NSManagedObject) {
        switch layout.slots[slot].kind {
        case .toOne:
            if toOneObject(slot) === object { assignToOne(slot, nil) }
        case .toMany:
            prepareToMany(slot).remove(object, isStored: isStoredMember(object, slot))
        case .attribute, .fetched:
            break
        }
    }

    /// The other side took hold of this object.
    func addInverse(_ slot: Int, _ object: NSManagedObject, from otherSlot: Int) {
        switch layout.slots[slot].kind {
        case .toOne:
            let old = toOneObject(slot)
            if old === object { return }
            assignToOne(slot, object)
            // One-to-one: the former partner loses this object.
            if let old, old !== object { old.removeInverse(otherSlot, self) }
        case .toMany:
            enter(object, slot: slot)
        case .attribute, .fetched:
            break
        }
    }

    /// A destination given by key-value coding; nil if there is none, or if it is refused.
    func destinationObject(_ value: Any?, _ slot: Slot) -> NSManagedObject? {
        guard let value = flatten(value), !(value is NSNull) else { return nil }
        guard let object = value as? NSManagedObject else {
            refuse(value, forKey: slot.name, .type(expected: "a managed object"))
            return nil
        }
        return acceptsDestination(object, slot) ? object : nil
    }

    /// Whether a relationship can lead to an object; a refused object is kept for the save to report.
    ///
    /// An object without a context joins the context of the one it is related to.
    func acceptsDestination(_ object: NSManagedObject, at slot: Int) -> Bool {
        let registry = registry
        // Most are of this context and of the relationship's own entity.
        if registry != nil, registry === object.registry, object.layout.index == layout.slots[slot].destination,
            object.layout.model === layout.model, !object.state.contains(.gone)
        {
            return true
        }
        return acceptsDestination(object, layout.slots[slot])
    }

    func acceptsDestination(_ object: NSManagedObject, _ slot: Slot) -> Bool {
        if let refusal = refusal(of: object, as: slot) {
            refuse(object, forKey: slot.name, refusal)
            return false
        }
        precondition(
            registry == nil || object.registry == nil || registry === object.registry,
            "\(layout.name).\(slot.name) cannot refer to an object of another context. Look it up in this context with "
                + "object(with:) or existingObject(with:) first."
        )
        if object.registry == nil, let context = registry?.context, !object.state.contains(.gone) {
            context.insert(object)
        } else if registry == nil, let context = object.registry?.context, !state.contains(.gone) {
            context.insert(self)
        }
        return true
    }
}

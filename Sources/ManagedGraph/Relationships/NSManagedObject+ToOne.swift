// To-one relationships: reading the destination and setting it with its inverse. Called by accessors, key-value
// coding and delete propagation.
import Foundation

extension NSManagedObject {
    /// The destination of a to-one relationship.
    func toOneObject(_ slot: Int) -> NSManagedObject? {
        switch currentValue(slot) {
        case .object(let object): return object
        case .reference(let key): return registry?.context?.object(for: key)
        default: return nil
        }
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
        let old = toOneObject(slot)
        if old === destination {
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
    private func assignToOne(_ slot: Int, _ destination: NSManagedObject?) {
        prepareToChange(slot).values[slot] = destination.map(Value.object) ?? .null
    }

    /// The other side let go of this object.
    func removeInverse(_ slot: Int, _ object: NSManagedObject) {
        switch layout.slots[slot].kind {
        case .toOne:
            if toOneObject(slot) === object { assignToOne(slot, nil) }
        case .toMany:
            prepareToMany(slot).remove(object)
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

    /// Checks and casts a destination given by key-value coding.
    func destinationObject(_ value: Any?, _ slot: Slot) -> NSManagedObject? {
        guard let value = flatten(value), !(value is NSNull) else { return nil }
        guard let object = value as? NSManagedObject else {
            preconditionFailure(
                "\(layout.name).\(slot.name) takes a managed object, not \(type(of: value)): \(value)"
            )
        }
        checkDestination(object, slot)
        return object
    }

    func checkDestination(_ object: NSManagedObject, _ slot: Slot) {
        guard let destination = slot.destination, let model = layout.model else { return }
        let expected = model.layouts[destination]
        precondition(
            object.layout.isKind(of: expected) || object.layout.name == expected.name,
            "\(layout.name).\(slot.name) takes objects of \(expected.name), not of \(object.layout.name)."
        )
        precondition(
            registry == nil || object.registry == nil || registry === object.registry,
            "\(layout.name).\(slot.name) cannot refer to an object of another context. Look it up in this context with "
                + "object(with:) or existingObject(with:) first."
        )
        precondition(
            registry == nil || !object.state.contains(.gone),
            "\(layout.name).\(slot.name) cannot refer to a \(object.layout.name) that was deleted or taken back. Insert "
                + "it into the context again first."
        )
        // An object without a context joins the context of the one it is related to.
        if let context = registry?.context, object.registry == nil, !object.state.contains(.gone) {
            context.insert(object)
        } else if registry == nil, let context = object.registry?.context, !state.contains(.gone) {
            context.insert(self)
        }
    }
}

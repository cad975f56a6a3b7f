// The calls that hand-written accessors make around primitive setters. Between a `willChange…` and its `didChange…` a
// relationship may be set without its other side, which the second call brings in line.
import Foundation

/// The ways in which a set is changed; raw values are Apple's.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// Objects are added.
    case union = 1
    /// Objects are removed.
    case minus = 2
    /// Other objects are removed.
    case intersect = 3
    /// The objects replace all others.
    case set = 4
}

extension NSManagedObject {
    /// Records the destinations of a relationship before it is changed by primitive setters.
    func announceChange(_ slot: Int) {
        let edits = prepareToChange(slot)
        switch layout.slots[slot].kind {
        case .toOne: edits.announced.append((slot, toOneObject(slot).map { [$0] } ?? []))
        case .toMany: edits.announced.append((slot, toManyMembers(slot)))
        case .attribute, .fetched: break
        }
    }

    /// Brings the other side of a relationship in line with the changes since the announcement.
    func concludeChange(_ slot: Int) {
        guard let edits, let place = edits.announced.lastIndex(where: { $0.slot == slot }) else { return }
        let former = edits.announced.remove(at: place).members
        // Primitive setters leave no mark.
        edits.changed.insert(slot)
        guard let inverse = inverse(slot) else { return }
        let now = layout.slots[slot].kind == .toOne ? toOneObject(slot).map { [$0] } ?? [] : toManyMembers(slot)
        let formerIDs = Set(former.map { ObjectIdentifier($0) })
        let currentIDs = Set(now.map { ObjectIdentifier($0) })
        for object in former where !currentIDs.contains(ObjectIdentifier(object)) {
            object.removeInverse(inverse, self)
        }
        for object in now where !formerIDs.contains(ObjectIdentifier(object)) {
            leave(object, inverse, slot)
            object.addInverse(inverse, self, from: slot)
        }
    }

    /// A member that had another owner is taken from it.
    private func leave(_ object: NSManagedObject, _ inverse: Int, _ slot: Int) {
        guard object.layout.slots[inverse].kind == .toOne, layout.slots[slot].kind == .toMany,
            let owner = object.toOneObject(inverse), owner !== self
        else { return }
        owner.prepareToMany(slot).remove(object)
    }
}

// The mutable set that `mutableSetValue(forKey:)` returns: changes to it are changes to the relationship.
import Foundation

/// A live view of an unordered to-many relationship.
final class RelationshipSet: NSMutableSet {
    private var owner: NSManagedObject?
    private var slot = 0
    private var isPrimitive = false
    /// If there is no such relationship: the object that refuses additions, the requested key, and the reason.
    private var refuser: (object: NSManagedObject, key: String, reason: Refusal)?

    /// An empty set for a key that is not a relationship of this kind.
    static func make(owner: NSManagedObject, key: String, refusing reason: Refusal) -> RelationshipSet {
        let set = RelationshipSet(capacity: 0)
        set.refuser = (owner, key, reason)
        return set
    }

    static func make(owner: NSManagedObject, slot: Int, isPrimitive: Bool = false) -> RelationshipSet {
        let set = RelationshipSet(capacity: 0)
        set.owner = owner
        set.slot = slot
        set.isPrimitive = isPrimitive
        return set
    }

    private var members: [NSManagedObject] { owner?.toManyMembers(slot) ?? [] }

    override var count: Int { owner?.memberCount(slot) ?? 0 }

    override func member(_ object: Any) -> Any? {
        guard let owner, let object = object as? NSManagedObject else { return nil }
        return owner.hasMember(object, slot: slot) ? object : nil
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: members) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: members) }

    override func objectEnumerator() -> NSEnumerator {
        NSArray(array: members).objectEnumerator()
    }

    override func add(_ object: Any) {
        if let refuser { return refuser.object.refuse(object, forKey: refuser.key, refuser.reason) }
        guard let owner, let object = owner.destinationObject(object, owner.layout.slots[slot]) else { return }
        if isPrimitive { owner.toManyState(slot).add(object) } else { owner.addMember(object, slot: slot) }
    }

    override func remove(_ object: Any) {
        guard let owner, let object = object as? NSManagedObject, owner.canBeMember(object, slot: slot) else { return }
        if isPrimitive { owner.toManyState(slot).remove(object) } else { owner.removeMember(object, slot: slot) }
    }

    override func removeAllObjects() {
        if isPrimitive { owner?.setPrimitive(nil, slot: slot) } else { owner?.setToMany(slot, to: []) }
    }
}

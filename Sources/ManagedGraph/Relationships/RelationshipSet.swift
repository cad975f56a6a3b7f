// The mutable set that `mutableSetValue(forKey:)` returns: what is done to it is done to the relationship.
import Foundation

/// A live view of an unordered to-many relationship.
final class RelationshipSet: NSMutableSet {
    private var owner: NSManagedObject?
    private var slot = 0

    static func make(owner: NSManagedObject, slot: Int) -> RelationshipSet {
        let set = RelationshipSet(capacity: 0)
        set.owner = owner
        set.slot = slot
        return set
    }

    private var members: [NSManagedObject] { owner?.toManyMembers(slot) ?? [] }

    override var count: Int { members.count }

    override func member(_ object: Any) -> Any? {
        members.first { $0 === object as AnyObject }
    }

    override func objectEnumerator() -> NSEnumerator {
        NSArray(array: members).objectEnumerator()
    }

    override func add(_ object: Any) {
        guard let owner, let object = owner.destinationObject(object, owner.layout.slots[slot]) else { return }
        owner.addMember(object, slot: slot)
    }

    override func remove(_ object: Any) {
        guard let owner, let object = object as? NSManagedObject else { return }
        owner.removeMember(object, slot: slot)
    }

    override func removeAllObjects() {
        owner?.setToMany(slot, to: [])
    }
}

// The mutable ordered set that `mutableOrderedSetValue(forKey:)` returns: what is done to it is done to the relationship.
import Foundation

/// A live view of an ordered to-many relationship.
final class OrderedRelationship: NSMutableOrderedSet {
    private var owner: NSManagedObject?
    private var slot = 0
    private var isPrimitive = false

    static func make(owner: NSManagedObject, slot: Int, isPrimitive: Bool = false) -> OrderedRelationship {
        let set = OrderedRelationship(capacity: 0)
        set.owner = owner
        set.slot = slot
        set.isPrimitive = isPrimitive
        return set
    }

    override init(capacity numItems: Int) { super.init(capacity: numItems) }

    required convenience init(arrayLiteral elements: Any...) {
        self.init(capacity: elements.count)
    }

    // A view of an object cannot be archived: what comes back is an empty set.
    required init?(coder aDecoder: NSCoder) { super.init(capacity: 0) }

    private var members: [NSManagedObject] { owner?.toManyMembers(slot) ?? [] }

    override var count: Int { members.count }

    override func object(at index: Int) -> Any { members[index] }

    override func index(of object: Any) -> Int {
        members.firstIndex { $0 === object as AnyObject } ?? NSNotFound
    }

    override func insert(_ object: Any, at index: Int) {
        var members = members
        precondition(
            index <= members.count,
            "Index \(index) is beyond the \(members.count) members of the relationship."
        )
        guard let owner, let object = owner.destinationObject(object, owner.layout.slots[slot]),
            !members.contains(where: { $0 === object })
        else { return }
        members.insert(object, at: index)
        set(members)
    }

    override func removeObject(at index: Int) {
        var members = members
        precondition(
            index < members.count,
            "Index \(index) is beyond the \(members.count) members of the relationship."
        )
        members.remove(at: index)
        set(members)
    }

    override func replaceObject(at index: Int, with object: Any) {
        var members = members
        precondition(
            index < members.count,
            "Index \(index) is beyond the \(members.count) members of the relationship."
        )
        guard let owner, let object = owner.destinationObject(object, owner.layout.slots[slot]) else { return }
        if let place = members.firstIndex(where: { $0 === object }), place != index { return }
        members[index] = object
        set(members)
    }

    // Foundation's set does the following in its own storage, not through the methods above.

    override func add(_ object: Any) { insert(object, at: count) }

    override func addObjects(from array: [Any]) {
        for object in array { add(object) }
    }

    override func remove(_ object: Any) {
        let place = index(of: object)
        if place != NSNotFound { removeObject(at: place) }
    }

    override func removeObjects(in array: [Any]) {
        set(members.filter { member in !array.contains { $0 as AnyObject === member } })
    }

    override func removeObjects(at indexes: IndexSet) {
        set(members.enumerated().filter { !indexes.contains($0.offset) }.map(\.element))
    }

    override func removeAllObjects() { set([]) }

    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        var members = members
        members.swapAt(idx1, idx2)
        set(members)
    }

    override func moveObjects(at indexes: IndexSet, to idx: Int) {
        var members = members
        let moved = indexes.map { members[$0] }
        for index in indexes.reversed() { members.remove(at: index) }
        members.insert(contentsOf: moved, at: Swift.min(idx, members.count))
        set(members)
    }

    private func set(_ members: [NSManagedObject]) {
        if isPrimitive {
            owner?.setPrimitive(members, slot: slot)
        } else {
            owner?.setToMany(slot, to: members)
        }
    }
}

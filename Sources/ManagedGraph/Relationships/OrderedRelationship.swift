// The mutable ordered set that `mutableOrderedSetValue(forKey:)` returns: what is done to it is done to the relationship.
// Foundation's own storage shows the same members, for the few methods that cannot be replaced off Apple.
import Foundation

/// A live view of an ordered to-many relationship.
final class OrderedRelationship: NSMutableOrderedSet {
    private var owner: NSManagedObject?
    private var slot = 0
    private var isPrimitive = false
    /// Where there is no such relationship: the object that refuses what is added, the key that was asked for, and why.
    private var refuser: (object: NSManagedObject, key: String, reason: Refusal)?
    /// What the superclass's storage holds.
    private var shown: [NSManagedObject] = []
    private var isShowing = false

    static func make(owner: NSManagedObject, slot: Int, isPrimitive: Bool = false) -> OrderedRelationship {
        let set = OrderedRelationship(capacity: 0)
        set.owner = owner
        set.slot = slot
        set.isPrimitive = isPrimitive
        set.show()
        return set
    }

    /// An empty set for a key that is no relationship of this kind.
    static func make(owner: NSManagedObject, key: String, refusing reason: Refusal) -> OrderedRelationship {
        let set = OrderedRelationship(capacity: 0)
        set.refuser = (owner, key, reason)
        return set
    }

    override init(capacity numItems: Int) { super.init(capacity: numItems) }

    required convenience init(arrayLiteral elements: Any...) {
        self.init(capacity: elements.count)
    }

    // A view of an object cannot be archived: what comes back is an empty set.
    required init?(coder aDecoder: NSCoder) { super.init(capacity: 0) }

    // MARK: Reading

    /// The members now; the superclass's storage shows them too.
    @discardableResult
    private func show() -> [NSManagedObject] {
        let members = owner?.toManyMembers(slot) ?? []
        guard !members.elementsEqual(shown, by: ===) else { return members }
        isShowing = true
        super.removeAllObjects()
        super.addObjects(from: members)
        isShowing = false
        shown = members
        return members
    }

    override var count: Int { isShowing ? super.count : show().count }

    override func object(at idx: Int) -> Any {
        let members = show()
        check(idx, members.count)
        return members[idx]
    }

    override func index(of object: Any) -> Int {
        show().firstIndex { $0 === object as AnyObject } ?? NSNotFound
    }

    override func contains(_ object: Any) -> Bool {
        if isShowing { return super.contains(object) }
        guard let object = object as? NSManagedObject else { return false }
        return owner?.hasMember(object, slot: slot) ?? false
    }

    override func enumerateObjects(_ block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        show()
        super.enumerateObjects(block)
    }

    override func sortedArray(
        options opts: NSSortOptions = [],
        usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) -> [Any] {
        show()
        return super.sortedArray(options: opts, usingComparator: cmptr)
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: show()) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: show()) }

    override var description: String {
        show()
        return super.description
    }

    // MARK: Changing

    // Foundation does most of these in its own storage, not through one another.

    override func insert(_ object: Any, at idx: Int) {
        var members = show()
        check(idx, members.count + 1)
        guard let object = destination(object), !members.contains(where: { $0 === object }) else { return }
        members.insert(object, at: idx)
        set(members)
    }

    override func add(_ object: Any) { addObjects(from: [object]) }

    override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        addObjects(from: Array(UnsafeBufferPointer(start: objects, count: count)))
    }

    override func addObjects(from array: [Any]) {
        for object in array {
            guard let object = destination(object), let owner, !owner.hasMember(object, slot: slot) else { continue }
            if isPrimitive { owner.toManyState(slot).add(object) } else { owner.addMember(object, slot: slot) }
        }
        show()
    }

    override func replaceObject(at idx: Int, with obj: Any) {
        var members = show()
        check(idx, members.count)
        guard let object = destination(obj) else { return }
        // A member stands in one place only.
        if let place = members.firstIndex(where: { $0 === object }), place != idx { return }
        members[idx] = object
        set(members)
    }

    override func removeObject(at idx: Int) {
        var members = show()
        check(idx, members.count)
        members.remove(at: idx)
        set(members)
    }

    override func remove(_ val: Any) { removeObjects(in: [val]) }

    override func removeObjects(in array: [Any]) {
        let removed = Set(array.compactMap { ($0 as? NSManagedObject).map(ObjectIdentifier.init) })
        set(show().filter { !removed.contains(ObjectIdentifier($0)) })
    }

    override func removeObjects(at indexes: IndexSet) {
        let members = show()
        if let last = indexes.last { check(last, members.count) }
        set(members.enumerated().filter { !indexes.contains($0.offset) }.map(\.element))
    }

    override func removeAllObjects() { set([]) }

    override func intersect(_ other: NSOrderedSet) { set(show().filter { other.contains($0) }) }

    override func intersectSet(_ other: Set<AnyHashable>) { set(show().filter { other.contains($0) }) }

    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        var members = show()
        check(idx1, members.count)
        check(idx2, members.count)
        members.swapAt(idx1, idx2)
        set(members)
    }

    override func moveObjects(at indexes: IndexSet, to idx: Int) {
        let members = show()
        if let last = indexes.last { check(last, members.count) }
        let moved = indexes.map { members[$0] }
        var rest = members.enumerated().filter { !indexes.contains($0.offset) }.map(\.element)
        check(idx, rest.count + 1)
        rest.insert(contentsOf: moved, at: idx)
        set(rest)
    }

    override func sortRange(
        _ range: NSRange,
        options opts: NSSortOptions = [],
        usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) {
        var members = show()
        guard let range = Range(range), !range.isEmpty else { return }
        check(range.upperBound - 1, members.count)
        // Swift's sort keeps the order of equal elements.
        members[range].sort { cmptr($0, $1) == .orderedAscending }
        set(members)
    }

    override func sort(using sortDescriptors: [NSSortDescriptor]) {
        sort(comparator: { one, other in
            for descriptor in sortDescriptors {
                let result = descriptor.compare(one, to: other)
                if result != .orderedSame { return result }
            }
            return .orderedSame
        })
    }

    private func destination(_ object: Any) -> NSManagedObject? {
        if let refuser { refuser.object.refuse(object, forKey: refuser.key, refuser.reason) }
        return owner.flatMap { $0.destinationObject(object, $0.layout.slots[slot]) }
    }

    private func check(_ index: Int, _ end: Int) {
        guard !(0..<end).contains(index) else { return }
        guard let owner else {
            preconditionFailure("Index \(index) is beyond the \(end) objects of an ordered set that leads nowhere.")
        }
        owner.stopForIndex(index, slot: slot)
    }

    private func set(_ members: [NSManagedObject]) {
        if isPrimitive {
            owner?.setPrimitive(members, slot: slot)
        } else {
            owner?.setToMany(slot, to: members)
        }
        show()
    }
}

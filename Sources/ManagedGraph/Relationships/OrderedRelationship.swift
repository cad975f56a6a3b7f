// The mutable ordered set that `mutableOrderedSetValue(forKey:)` returns: changes to it are changes to the
// relationship. Foundation's own storage shows the same members, for the few methods that cannot be replaced outside
// Apple's platforms.
import Foundation

/// A live view of an ordered to-many relationship.
final class OrderedRelationship: NSMutableOrderedSet {
    private var owner: NSManagedObject?
    private var slot = 0
    private var isPrimitive = false
    /// If there is no such relationship: the object that refuses additions, the requested key, and the reason.
    private var refuser: (object: NSManagedObject, key: String, reason: Refusal)?
    /// The members as of `revision` of `state`; the superclass's storage holds the same.
    private var list = OrderedMembers([])
    private weak var state: ToManyState?
    private var revision: UInt = 0
    private var isShowing = false

    /// The view of a relationship, the one that the context holds if there is one.
    static func view(of owner: NSManagedObject, slot: Int) -> OrderedRelationship {
        let context = owner.registry?.context
        if let view = context?.orderedViews.view(of: owner, slot: slot) { return view }
        let view = resting(of: owner, slot: slot) ?? make(owner: owner, slot: slot)
        if let context, context.turnDepth > 0 { context.orderedViews.hold(view) }
        return view
    }

    /// The view that the relationship has kept, with the changes since; Foundation takes long to store all members again.
    private static func resting(of owner: NSManagedObject, slot: Int) -> OrderedRelationship? {
        guard case .toMany(let members)? = owner.edits?.values[slot], let view = members.held.view.take() else {
            return nil
        }
        view.owner = owner
        view.show()
        return view
    }

    /// Lets the relationship keep the view while no caller has it: it releases the owner, and goes with the members held.
    func rest() {
        guard let owner, let state else { return }
        owner.state.insert(.holding)
        state.held.view = self
        self.owner = nil
    }

    static func make(owner: NSManagedObject, slot: Int, isPrimitive: Bool = false) -> OrderedRelationship {
        let set = OrderedRelationship(capacity: 0)
        set.owner = owner
        set.slot = slot
        set.isPrimitive = isPrimitive
        set.show()
        return set
    }

    /// An empty set for a key that is not a relationship of this kind.
    static func make(owner: NSManagedObject, key: String, refusing reason: Refusal) -> OrderedRelationship {
        let set = OrderedRelationship(capacity: 0)
        set.refuser = (owner, key, reason)
        return set
    }

    /// Whether this is the view of a relationship, not of its primitive value.
    func isView(of owner: NSManagedObject, slot: Int) -> Bool {
        !isPrimitive && self.owner === owner && self.slot == slot
    }

    override init(capacity numItems: Int) { super.init(capacity: numItems) }

    required convenience init(arrayLiteral elements: Any...) {
        self.init(capacity: elements.count)
    }

    // A view of an object cannot be archived: it is decoded as an empty set.
    required init?(coder aDecoder: NSCoder) { super.init(capacity: 0) }

    // MARK: Reading

    /// Brings the view up to date; O(1) if nothing has changed except through the view.
    private func show() {
        let current = owner?.readState(slot)
        if let current, current === state, current.revision == revision { return }
        let members = owner?.toManyMembers(slot) ?? []
        // After a save the members are mostly the same: Foundation takes ten times longer to store a member than this
        // comparison takes.
        if !list.elementsEqual(members) {
            list = OrderedMembers(members)
            inStorage {
                super.removeAllObjects()
                super.addObjects(from: members)
            }
        }
        state = current
        revision = current?.revision ?? 0
    }

    /// Takes note of a change that was made to the relationship through the view.
    ///
    /// - Parameters:
    ///   - count: The number of members that there are if the relationship has taken the change.
    ///   - change: Makes the same change of the list and of the superclass's storage.
    private func follow(count: Int, _ change: () -> Void) {
        if let owner, let context = owner.registry?.context { context.orderedViews.hold(self) }
        guard let current = owner?.readState(slot), current === state, current.count == count else { return show() }
        inStorage(change)
        revision = current.revision
    }

    private func inStorage(_ change: () -> Void) {
        isShowing = true
        change()
        isShowing = false
    }

    /// All members now; O(n).
    private var members: [NSManagedObject] {
        show()
        return list.all
    }

    override var count: Int {
        if isShowing { return super.count }
        show()
        return list.count
    }

    override func object(at idx: Int) -> Any {
        if isShowing { return super.object(at: idx) }
        show()
        check(idx, list.count)
        return list[idx]
    }

    override func index(of object: Any) -> Int {
        if isShowing { return super.index(of: object) }
        show()
        return (object as? NSManagedObject).flatMap { list.index(of: $0) } ?? NSNotFound
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

    override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: members) }

    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: members) }

    override var description: String {
        show()
        return super.description
    }

    // MARK: Changing

    // Foundation does most of these in its own storage, not through one another.

    override func insert(_ object: Any, at idx: Int) {
        show()
        check(idx, list.count + 1)
        guard let object = destination(object), let owner, !list.contains(object) else { return }
        if isPrimitive {
            var members = members
            members.insert(object, at: idx)
            return set(members)
        }
        owner.insertMember(object, at: idx, slot: slot)
        follow(count: list.count + 1) {
            list.insert(object, at: idx)
            super.insert(object, at: idx)
        }
    }

    override func add(_ object: Any) { addObjects(from: [object]) }

    override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        addObjects(from: Array(UnsafeBufferPointer(start: objects, count: count)))
    }

    override func addObjects(from array: [Any]) {
        show()
        for object in array {
            guard let object = destination(object), let owner, !owner.hasMember(object, slot: slot) else { continue }
            if isPrimitive {
                owner.toManyState(slot).add(object)
                show()
                continue
            }
            owner.addMember(object, slot: slot)
            follow(count: list.count + 1) {
                list.append(object)
                super.add(object)
            }
        }
    }

    override func replaceObject(at idx: Int, with obj: Any) {
        show()
        check(idx, list.count)
        // A member has one position only.
        guard let object = destination(obj), let owner, !list.contains(object) else { return }
        if isPrimitive {
            var members = members
            members[idx] = object
            return set(members)
        }
        let old = list[idx]
        owner.removeMember(old, slot: slot)
        owner.insertMember(object, at: idx, slot: slot)
        follow(count: list.count) {
            list.remove(old)
            list.insert(object, at: idx)
            super.removeObject(at: idx)
            super.insert(object, at: idx)
        }
    }

    override func removeObject(at idx: Int) {
        show()
        check(idx, list.count)
        guard let owner else { return }
        if isPrimitive {
            var members = members
            members.remove(at: idx)
            return set(members)
        }
        let object = list[idx]
        owner.removeMember(object, slot: slot)
        follow(count: list.count - 1) {
            list.remove(object)
            super.removeObject(at: idx)
        }
    }

    override func remove(_ val: Any) { removeObjects(in: [val]) }

    override func removeObjects(in array: [Any]) {
        for object in array {
            let place = index(of: object)
            if place != NSNotFound { removeObject(at: place) }
        }
    }

    override func removeObjects(at indexes: IndexSet) {
        show()
        if let last = indexes.last { check(last, list.count) }
        for index in indexes.reversed() { removeObject(at: index) }
    }

    override func removeAllObjects() { set([]) }

    override func intersect(_ other: NSOrderedSet) { set(members.filter { other.contains($0) }) }

    override func intersectSet(_ other: Set<AnyHashable>) { set(members.filter { other.contains($0) }) }

    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        show()
        check(idx1, list.count)
        check(idx2, list.count)
        guard let owner, idx1 != idx2 else { return }
        if isPrimitive {
            var members = members
            members.swapAt(idx1, idx2)
            return set(members)
        }
        owner.exchangeMembers(idx1, idx2, slot: slot)
        follow(count: list.count) {
            list.exchange(idx1, idx2)
            super.exchangeObject(at: idx1, withObjectAt: idx2)
        }
    }

    override func moveObjects(at indexes: IndexSet, to idx: Int) {
        show()
        if let last = indexes.last { check(last, list.count) }
        check(idx, list.count - indexes.count + 1)
        if let only = indexes.first, indexes.count == 1, !isPrimitive { return move(list[only], to: idx) }
        let members = members
        let moved = indexes.map { members[$0] }
        var rest = members.enumerated().filter { !indexes.contains($0.offset) }.map(\.element)
        rest.insert(contentsOf: moved, at: idx)
        set(rest)
    }

    /// Moves a member to an index that is counted without it.
    private func move(_ object: NSManagedObject, to index: Int) {
        guard let owner, let place = list.index(of: object), place != index else { return }
        owner.moveMember(object, to: index, slot: slot)
        follow(count: list.count) {
            list.move(object, to: index)
            super.removeObject(at: place)
            super.insert(object, at: index)
        }
    }

    /// Inserts an object, or moves it if it is a member, as generated accessors do.
    func place(_ object: NSManagedObject, at index: Int) {
        show()
        guard let owner else { return }
        if index > list.count { owner.stopForIndex(index, slot: slot) }
        guard owner.acceptsDestination(object, at: slot) else { return }
        if list.contains(object) {
            move(object, to: Swift.min(index, list.count - 1))
        } else {
            insert(object, at: index)
        }
    }

    /// The steps that looking for members has taken, for tests of the costs.
    var steps: Int { list.steps }

    override func sortRange(
        _ range: NSRange,
        options opts: NSSortOptions = [],
        usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) {
        var members = members
        guard let range = Range(range), !range.isEmpty else { return }
        check(range.upperBound - 1, members.count)
        // Swift's sort keeps the order of equal elements.
        members[range].sort { cmptr($0, $1) == .orderedAscending }
        set(members)
    }

    override func sort(using sortDescriptors: [NSSortDescriptor]) {
        sort(comparator: { lhs, rhs in
            for descriptor in sortDescriptors {
                let result = descriptor.compare(lhs, to: rhs)
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

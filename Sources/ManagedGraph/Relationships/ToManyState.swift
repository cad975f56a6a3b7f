// One to-many relationship of one object: the keys in the store, loaded on demand, and the objects added and
// removed since. Adding and removing cost O(1) and load nothing. Owned by an object's edits or its relationship cache.
import Foundation
import GraphEngine

/// The members of a to-many relationship.
package final class ToManyState {
    /// The members in the store, in order; nil until they are read.
    var stored: [ObjectKey]? {
        get {
            if !departed.isEmpty { dropDeparted() }
            return loadedKeys
        }
        set {
            departed = []
            loadedKeys = newValue
        }
    }
    /// The same with members that have gone since, which are removed together at the next read.
    private var loadedKeys: [ObjectKey]? {
        didSet {
            storedKeys = nil
            if loadedKeys == nil { held.drop() }
            if arranged != nil { isOrderOld = true }
            revision &+= 1
        }
    }
    private var departed: Set<ObjectKey> = []

    private func dropDeparted() {
        let departedKeys = departed
        departed = []
        loadedKeys?.remove(departedKeys)
    }

    /// The members as they were last read, and the collection of Foundation's that shows them.
    @exclusivity(unchecked) var held = HeldMembers()

    /// The stored members' keys as a set, once membership was tested.
    private var storedKeys: Set<ObjectKey>?
    /// Objects added since, with their places in `addedOrder`.
    @exclusivity(unchecked) private(set) var added: [ObjectIdentifier: Int] = [:]
    /// The same in the order of adding; nil if one was removed again.
    @exclusivity(unchecked) private var addedOrder: ContiguousArray<NSManagedObject?> = []
    @exclusivity(unchecked) private(set) var removed: [ObjectIdentifier: NSManagedObject] = [:]
    /// The whole order, once an ordered relationship was rearranged.
    private var arranged: OrderedMembers? {
        didSet { if arranged == nil { isOrderOld = false } }
    }
    /// The same as an array; O(n).
    var order: [NSManagedObject]? { arranged?.all }
    var isArranged: Bool { arranged != nil }
    /// Grows with each change, so that views see when they are out of date.
    @exclusivity(unchecked) private(set) var revision: UInt = 0
    /// Whether the store's members were read again since the order was fixed: others may have joined or left.
    private(set) var isOrderOld = false
    /// Whether the members are known without reading the store.
    var isKnown: Bool { stored != nil || (arranged != nil && !isOrderOld) }

    /// All members in order as an event found them, for undo.
    var formerOrder: [NSManagedObject]?

    /// The changes as they are, for a later comparison.
    func copyOfChanges() -> ToManyState {
        let copy = ToManyState(stored: nil)
        copy.takeChanges(of: self)
        return copy
    }

    /// Copies the changes of another state, without its stored members.
    func takeChanges(of other: ToManyState) {
        added = other.added
        addedOrder = other.addedOrder
        removed = other.removed
        arranged = other.arranged?.copy()
        isOrderOld = arranged != nil
        revision &+= 1
    }

    init(stored: [ObjectKey]?) {
        loadedKeys = stored
    }

    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || arranged != nil }
    var addedObjects: [NSManagedObject] { addedOrder.compactMap(\.self) }
    var removedObjects: [NSManagedObject] { Array(removed.values) }

    /// Calls a closure with each object that was added, in the order of adding; it may drop objects.
    func forEachAdded(_ body: (NSManagedObject) -> Void) {
        for case let object? in addedOrder { body(object) }
    }

    /// Adds a member; returns false if it was already added.
    @discardableResult
    func add(_ object: NSManagedObject) -> Bool {
        let id = ObjectIdentifier(object)
        let wasRemoved = !removed.isEmpty && removed.removeValue(forKey: id) != nil
        if storedContains(object) {
            guard wasRemoved, added[id] == nil else { return false }
        } else {
            // Also an object removed from unread members, which may never have been one. A single look-up in most cases:
            // they are a quarter of the time that it takes to relate many objects.
            if let place = added.updateValue(addedOrder.count, forKey: id) {
                added[id] = place
                return false
            }
            addedOrder.append(object)
        }
        var isAtEnd = !wasRemoved
        if let arranged {
            isAtEnd = !arranged.contains(object)
            if isAtEnd { arranged.append(object) }
        }
        revision &+= 1
        if isAtEnd { held.note(.added(object), revision) }
        return true
    }

    /// Removes an object from the added ones, in O(1); returns whether it was among them.
    @discardableResult
    private func dropAdded(_ id: ObjectIdentifier) -> Bool {
        guard let place = added.removeValue(forKey: id) else { return false }
        addedOrder[place] = nil
        if addedOrder.count > 32, added.count < addedOrder.count / 2 {
            addedOrder.removeAll { $0 == nil }
            for (place, object) in addedOrder.enumerated() {
                if let object { added[ObjectIdentifier(object)] = place }
            }
        }
        return true
    }

    /// Removes a member; returns false if it was already removed.
    ///
    /// For unread members `isStored` is true if the store has it; nil if that is unknown.
    @discardableResult
    func remove(_ object: NSManagedObject, isStored: Bool? = nil) -> Bool {
        let id = ObjectIdentifier(object)
        arranged?.remove(object)
        revision &+= 1
        held.note(.removed(object), revision)
        let wasAdded = dropAdded(id)
        if removed[id] != nil { return wasAdded }
        if stored != nil, !storedContains(object) { return wasAdded }
        if stored == nil, wasAdded, isStored == false { return true }
        // Unread members may have it too.
        removed[id] = object
        return true
    }

    /// Removes a member that is gone, which does not count as a change of this context; O(1).
    func forget(_ object: NSManagedObject) {
        let id = ObjectIdentifier(object)
        arranged?.remove(object)
        revision &+= 1
        dropAdded(id)
        removed[id] = nil
        if loadedKeys != nil { departed.formUnion(Self.keys(of: object)) }
    }

    /// Whether an object is a member as far as is known without asking the store; O(1).
    func holds(_ object: NSManagedObject) -> Bool {
        if stored == nil, let arranged, !isOrderOld { return arranged.contains(object) }
        let id = ObjectIdentifier(object)
        return added[id] != nil || (removed[id] == nil && (stored == nil || storedContains(object)))
    }

    /// The keys under which a member may have been read: its own, and the one before it was saved further up.
    private static func keys(of object: NSManagedObject) -> [ObjectKey] {
        guard let former = object.registry?.coordinator?.formerKey(of: object.key) else { return [object.key] }
        return [object.key, former]
    }

    func storedContains(_ object: NSManagedObject) -> Bool {
        guard let stored, object.key.primaryKey != 0 else { return false }
        let keys = storedKeys ?? Set(stored)
        storedKeys = keys
        if keys.contains(object.key) { return true }
        // Read when the member was not yet saved further up.
        guard let former = object.registry?.coordinator?.formerKey(of: object.key) else { return false }
        return keys.contains(former)
    }

    /// The number of members; nil if they must be read to count them.
    var count: Int? {
        guard let arranged else { return stored.map { $0.count - removed.count + added.count } }
        return isOrderOld ? nil : arranged.count
    }

    /// The members now.
    ///
    /// `resolve` finds the objects of keys.
    func members(_ resolve: ([ObjectKey]) -> [NSManagedObject]) -> [NSManagedObject] {
        if let order, !isOrderOld { return order }
        var result = resolve(stored ?? [])
        if !removed.isEmpty || !added.isEmpty {
            result.removeAll { removed[ObjectIdentifier($0)] != nil || added[ObjectIdentifier($0)] != nil }
            result.append(contentsOf: addedObjects)
        }
        guard let order else { return result }
        // Members added in the meantime are at the end.
        let joined = Set(result.map(ObjectIdentifier.init))
        let placed = Set(order.map(ObjectIdentifier.init))
        result =
            order.filter { joined.contains(ObjectIdentifier($0)) }
            + result.filter { !placed.contains(ObjectIdentifier($0)) }
        arranged = OrderedMembers(result)
        isOrderOld = false
        revision &+= 1
        return result
    }

    /// Fixes the order of an ordered relationship; members are unchanged.
    func rearrange(_ members: [NSManagedObject]) {
        arranged = OrderedMembers(members)
        isOrderOld = false
        revision &+= 1
    }

    /// Moves a member to another index, counted without it; O(log n) once the order is fixed.
    ///
    /// - Parameters:
    ///   - object: A member.
    ///   - index: Its new index.
    ///   - members: All members in their order; called if no order is fixed.
    func move(_ object: NSManagedObject, to index: Int, among members: () -> [NSManagedObject]) {
        fixOrder(members).move(object, to: index)
        revision &+= 1
    }

    /// Exchanges two members; O(log n) once the order is fixed.
    func exchange(_ first: Int, _ second: Int, among members: () -> [NSManagedObject]) {
        fixOrder(members).exchange(first, second)
        revision &+= 1
    }

    /// Puts added members behind the others, in this order, without reading those; O(given members).
    func placeLast(_ objects: [NSManagedObject]) {
        if let arranged {
            let first = arranged.count - objects.count
            if first >= 0, objects.indices.allSatisfy({ arranged[first + $0] === objects[$0] }) { return }
            for object in objects { arranged.move(object, to: arranged.count) }
        } else {
            if addedOrder.suffix(objects.count).elementsEqual(objects, by: ===) { return }
            for object in objects where dropAdded(ObjectIdentifier(object)) {
                added[ObjectIdentifier(object)] = addedOrder.count
                addedOrder.append(object)
            }
        }
        revision &+= 1
    }

    private func fixOrder(_ members: () -> [NSManagedObject]) -> OrderedMembers {
        if let arranged, !isOrderOld { return arranged }
        let newOrder = OrderedMembers(members())
        arranged = newOrder
        isOrderOld = false
        return newOrder
    }

    /// Sets the members just read from the store; additions and removals without effect are dropped.
    func read(_ keys: [ObjectKey]) {
        stored = keys
        for (id, object) in removed where !storedContains(object) { removed[id] = nil }
        forEachAdded { object in
            if storedContains(object) { dropAdded(ObjectIdentifier(object)) }
        }
    }

    /// Puts stored members under other keys; the members are the same.
    func renameStored(_ current: (ObjectKey) -> ObjectKey) {
        guard let keys = stored, keys.contains(where: \.isTemporary) else { return }
        let isOld = isOrderOld
        stored = keys.map(current)
        isOrderOld = isOld
    }

    /// Forgets additions and removals that leave unread members as they are stored.
    ///
    /// - Parameter isStored: Whether the store has a member; nil if that is unknown.
    func forgetEqualChanges(_ isStored: (NSManagedObject) -> Bool?) {
        guard stored == nil, !isArranged, hasChanges else { return }
        for (id, object) in removed where isStored(object) == false { removed[id] = nil }
        forEachAdded { object in
            if isStored(object) == true { dropAdded(ObjectIdentifier(object)) }
        }
        revision &+= 1
    }

    /// Forgets an order that is the stored one.
    func forgetEqualOrder() {
        guard added.isEmpty, removed.isEmpty, let arranged, let stored, arranged.all.map(\.key) == stored else {
            return
        }
        self.arranged = nil
    }

    /// Discards the changes: the store's members are valid again.
    func discardChanges() {
        added = [:]
        addedOrder = []
        removed = [:]
        arranged = nil
        held.forgetChanges()
        revision &+= 1
    }

    /// After a save: the changes become the stored members.
    func commit() {
        let isHeld = held.catchUp(revision)
        defer { if isHeld { held.revision = revision } }
        if let order, !isOrderOld {
            stored = order.map(\.key)
        } else if stored != nil {
            let addedKeys = addedObjects.filter { !storedContains($0) }.map(\.key)
            // Kept, as a new one takes in all members.
            var keySet = storedKeys
            storedKeys = nil
            if !removed.isEmpty {
                let removedKeys = Set(removed.values.flatMap(Self.keys))
                loadedKeys?.remove(removedKeys)
                keySet?.subtract(removedKeys)
            }
            loadedKeys?.append(contentsOf: addedKeys)
            keySet?.formUnion(addedKeys)
            storedKeys = keySet
        }
        discardChanges()
    }

    /// Sets the members without touching inverses, for primitive setters.
    func replaceWithoutInverse(_ members: [NSManagedObject], owner: NSManagedObject, slot: Int) {
        let old = owner.toManyMembers(slot)
        let memberIDs = Set(members.map(ObjectIdentifier.init))
        for object in old where !memberIDs.contains(ObjectIdentifier(object)) { remove(object) }
        for object in members { add(object) }
        if owner.layout.slots[slot].isOrdered { rearrange(members) }
    }
}

extension [ObjectKey] {
    /// Removes some of the keys, each of which is there once at most.
    fileprivate mutating func remove(_ keys: Set<ObjectKey>) {
        guard keys.count <= HeldMembers.removedOneByOne else { return removeAll { keys.contains($0) } }
        for key in keys {
            if let place = firstIndex(of: key) { remove(at: place) }
        }
    }
}

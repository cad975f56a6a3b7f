// The hash table by which a list finds the leaf of an object. Used by SectionedList.
//
//     object ── hash ──▶ slots with this hash ── leaf ──▶ the object's index, found by scanning the leaf
//
// A slot holds half a hash and the number of a leaf: eight bytes. Building a table reads nothing of the objects, so its
// speed is that of memory. Two objects can share a hash; scanning the leaf resolves which one it is.

/// Finds the leaves of objects.
struct LeafTable {
    private struct Slot {
        var hash: UInt32
        /// The number of a leaf; -1 in an empty slot.
        var leaf: Int32

        static var free: Slot { Slot(hash: 0, leaf: -1) }
    }

    /// The slots, a power of two in number, probed linearly from a hash's home slot.
    private var slots: ContiguousArray<Slot>
    private(set) var count = 0
    private var leaves: ContiguousArray<ListLeaf?> = []
    private var freeNumbers: ContiguousArray<Int> = []

    /// Creates an empty table.
    ///
    /// - Parameter capacity: The number of objects to reserve room for.
    init(capacity: Int) {
        var size = 16
        while size * 3 < capacity * 4 { size *= 2 }
        slots = ContiguousArray(repeating: .free, count: size)
    }

    /// The leaf of an object and the index in it.
    ///
    /// O(size of a leaf).
    func place(of object: NSManagedObject) -> (leaf: ListLeaf, index: Int)? {
        let hash = Self.hash(object)
        var slot = home(hash)
        while slots[slot].leaf >= 0 {
            if slots[slot].hash == hash, let leaf = leaves[Int(slots[slot].leaf)], let index = leaf.index(of: object) {
                return (leaf, index)
            }
            slot = next(slot)
        }
        return nil
    }

    /// Adds all objects of a leaf.
    mutating func insert(_ leaf: ListLeaf) {
        let number = number(leaf)
        for object in leaf.objects { insert(Self.hash(object), number) }
    }

    /// Adds an object that was inserted into a leaf.
    mutating func insert(_ object: NSManagedObject, in leaf: ListLeaf) {
        insert(Self.hash(object), number(leaf))
    }

    /// Removes an object that was in a leaf.
    mutating func remove(_ object: NSManagedObject, from leaf: ListLeaf) {
        guard var free = slot(of: Self.hash(object), in: leaf) else { return }
        // Move up the entries that the empty slot would separate from their home slots.
        var slot = next(free)
        while slots[slot].leaf >= 0 {
            let mask = slots.count - 1
            if (slot - home(slots[slot].hash)) & mask >= (slot - free) & mask {
                slots[free] = slots[slot]
                free = slot
            }
            slot = next(slot)
        }
        slots[free] = .free
        count -= 1
    }

    /// Reassigns the objects of a new leaf that were in another.
    mutating func move(_ half: ListLeaf, from leaf: ListLeaf) {
        let number = number(half)
        for object in half.objects {
            if let slot = slot(of: Self.hash(object), in: leaf) { slots[slot].leaf = Int32(number) }
        }
    }

    /// Releases the number of an empty leaf.
    mutating func forget(_ leaf: ListLeaf) {
        guard leaf.tableNumber >= 0 else { return }
        leaves[leaf.tableNumber] = nil
        freeNumbers.append(leaf.tableNumber)
        leaf.tableNumber = -1
    }

    private mutating func number(_ leaf: ListLeaf) -> Int {
        if leaf.tableNumber >= 0 { return leaf.tableNumber }
        if let number = freeNumbers.popLast() {
            leaf.tableNumber = number
            leaves[number] = leaf
        } else {
            leaf.tableNumber = leaves.count
            leaves.append(leaf)
        }
        return leaf.tableNumber
    }

    private mutating func insert(_ hash: UInt32, _ leaf: Int) {
        if count * 4 >= slots.count * 3 { grow() }
        place(Slot(hash: hash, leaf: Int32(truncatingIfNeeded: leaf)))
        count += 1
    }

    private mutating func place(_ new: Slot) {
        var slot = home(new.hash)
        while slots[slot].leaf >= 0 { slot = next(slot) }
        slots[slot] = new
    }

    private mutating func grow() {
        let old = slots
        slots = ContiguousArray(repeating: .free, count: old.count * 2)
        for slot in old where slot.leaf >= 0 { place(slot) }
    }

    private func slot(of hash: UInt32, in leaf: ListLeaf) -> Int? {
        let leafNumber = Int32(truncatingIfNeeded: leaf.tableNumber)
        var slot = home(hash)
        while slots[slot].leaf >= 0 {
            if slots[slot].hash == hash, slots[slot].leaf == leafNumber { return slot }
            slot = next(slot)
        }
        return nil
    }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    private func home(_ hash: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(slots.count)) >> 32)
    }

    private static func hash(_ object: NSManagedObject) -> UInt32 {
        let word = UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
        return UInt32(truncatingIfNeeded: (word &* 0x9e37_79b9_7f4a_7c15) >> 32)
    }
}

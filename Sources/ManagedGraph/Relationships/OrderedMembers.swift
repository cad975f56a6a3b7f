// The members of an ordered relationship in an order that is changed one member at a time. Held by ToManyState once a
// relationship was rearranged, and by the views that mutableOrderedSetValue(forKey:) returns.
import Foundation

/// A list of different objects; finding, inserting and removing take O(log n) and the length of a leaf.
final class OrderedMembers {
    /// Neighbours in the list.
    private final class Leaf {
        var members: ArraySlice<NSManagedObject>
        /// The place in `leaves`.
        var place: Int

        init(_ members: ArraySlice<NSManagedObject>, place: Int) {
            self.members = members
            self.place = place
        }
    }

    /// The greatest length of a leaf.
    static let limit = 256
    private var leaves: [Leaf] = []
    /// A Fenwick tree over the lengths of the leaves; the first element is not used.
    private var sums: [Int] = [0]
    private var leafOf: [ObjectIdentifier: Leaf] = [:]
    private(set) var count = 0
    /// The number of elements examined so far, for tests of costs.
    private(set) var steps = 0

    init(_ objects: [NSManagedObject]) {
        leafOf.reserveCapacity(objects.count)
        for start in stride(from: 0, to: objects.count, by: Self.limit / 2) {
            let end = min(start + Self.limit / 2, objects.count)
            let leaf = Leaf(ArraySlice(objects[start..<end]), place: leaves.count)
            leaves.append(leaf)
            for object in leaf.members { leafOf[ObjectIdentifier(object)] = leaf }
        }
        count = objects.count
        rebuildSums()
    }

    /// A list of its own with the same members; O(n).
    func copy() -> OrderedMembers { OrderedMembers(all) }

    /// All members in order; O(n).
    var all: [NSManagedObject] {
        var result: [NSManagedObject] = []
        result.reserveCapacity(count)
        for leaf in leaves { result.append(contentsOf: leaf.members) }
        return result
    }

    /// Whether the list has exactly these members in this order; O(n).
    func elementsEqual(_ objects: [NSManagedObject]) -> Bool {
        guard count == objects.count else { return false }
        var rest = objects[...]
        return leaves.allSatisfy { leaf in
            defer { rest = rest.dropFirst(leaf.members.count) }
            return leaf.members.elementsEqual(rest.prefix(leaf.members.count), by: ===)
        }
    }

    func contains(_ object: NSManagedObject) -> Bool { leafOf[ObjectIdentifier(object)] != nil }

    subscript(index: Int) -> NSManagedObject {
        let (leaf, offset) = find(index)
        return leaf.members[leaf.members.startIndex + offset]
    }

    func index(of object: NSManagedObject) -> Int? {
        guard let leaf = leafOf[ObjectIdentifier(object)], let offset = offset(of: object, in: leaf) else { return nil }
        return before(leaf.place) + offset
    }

    /// Inserts an object that is not in the list.
    func insert(_ object: NSManagedObject, at index: Int) {
        let leaf: Leaf
        let offset: Int
        if index < count {
            (leaf, offset) = find(index)
        } else if let last = leaves.last {
            (leaf, offset) = (last, last.members.count)
        } else {
            (leaf, offset) = (Leaf([], place: 0), 0)
            leaves.append(leaf)
            rebuildSums()
        }
        leaf.members.insert(object, at: leaf.members.startIndex + offset)
        leafOf[ObjectIdentifier(object)] = leaf
        count += 1
        add(1, at: leaf.place)
        if leaf.members.count > Self.limit { split(leaf) }
    }

    func append(_ object: NSManagedObject) { insert(object, at: count) }

    /// Removes an object; nil if it is not in the list.
    @discardableResult
    func remove(_ object: NSManagedObject) -> Int? {
        guard let leaf = leafOf.removeValue(forKey: ObjectIdentifier(object)), let offset = offset(of: object, in: leaf)
        else { return nil }
        let index = before(leaf.place) + offset
        leaf.members.remove(at: leaf.members.startIndex + offset)
        count -= 1
        if leaf.members.isEmpty {
            leaves.remove(at: leaf.place)
            renumber(from: leaf.place)
            rebuildSums()
        } else {
            add(-1, at: leaf.place)
        }
        return index
    }

    /// Moves a member to another index, counted without it.
    func move(_ object: NSManagedObject, to index: Int) {
        guard remove(object) != nil else { return }
        insert(object, at: min(index, count))
    }

    /// Exchanges two members.
    func exchange(_ firstIndex: Int, _ secondIndex: Int) {
        let (first, place) = find(firstIndex)
        let (second, offset) = find(secondIndex)
        let (left, right) = (first.members.startIndex + place, second.members.startIndex + offset)
        let (a, b) = (first.members[left], second.members[right])
        first.members[left] = b
        second.members[right] = a
        leafOf[ObjectIdentifier(a)] = second
        leafOf[ObjectIdentifier(b)] = first
    }

    // MARK: Leaves

    private func offset(of object: NSManagedObject, in leaf: Leaf) -> Int? {
        guard let place = leaf.members.firstIndex(where: { $0 === object }) else { return nil }
        steps += place - leaf.members.startIndex + 1
        return place - leaf.members.startIndex
    }

    private func split(_ leaf: Leaf) {
        let middle = leaf.members.startIndex + leaf.members.count / 2
        // A copy: a slice would keep the whole leaf.
        let new = Leaf(ArraySlice(Array(leaf.members[middle...])), place: leaf.place + 1)
        leaf.members = ArraySlice(Array(leaf.members[..<middle]))
        for object in new.members { leafOf[ObjectIdentifier(object)] = new }
        leaves.insert(new, at: new.place)
        steps += new.members.count
        renumber(from: new.place)
        rebuildSums()
    }

    private func renumber(from place: Int) {
        for place in place..<leaves.count { leaves[place].place = place }
        steps += leaves.count - place
    }

    // MARK: Sums

    private func rebuildSums() {
        sums = [0] + leaves.map(\.members.count)
        for place in sums.indices.dropFirst() {
            let parent = place + (place & -place)
            if parent < sums.count { sums[parent] += sums[place] }
        }
        steps += sums.count
    }

    private func add(_ difference: Int, at place: Int) {
        var place = place + 1
        while place < sums.count {
            sums[place] += difference
            place += place & -place
            steps += 1
        }
    }

    /// The number of members in the leaves before one.
    private func before(_ place: Int) -> Int {
        var place = place
        var sum = 0
        while place > 0 {
            sum += sums[place]
            place -= place & -place
            steps += 1
        }
        return sum
    }

    /// The leaf of an index, and the place in it.
    private func find(_ index: Int) -> (Leaf, offset: Int) {
        var rest = index
        var place = 0
        var width = 1
        while width * 2 < sums.count { width *= 2 }
        while width > 0 {
            let next = place + width
            if next < sums.count, sums[next] <= rest {
                place = next
                rest -= sums[next]
            }
            width /= 2
            steps += 1
        }
        return (leaves[place], rest)
    }
}

// A section of a list as a sequence of leaves. Used by SectionedList; read by FrozenList and ResultsSectionInfo.
import GraphPredicates

/// One section of a list: a name and ordered objects.
final class ListSection {
    let name: String
    /// The index in the list; maintained by the list.
    var position = 0
    private(set) var count = 0
    private(set) var leaves: [ListLeaf] = []
    /// The number of objects in each leaf, stored contiguously for fast summation.
    private var sizes: ContiguousArray<Int> = []
    /// The number of objects before each leaf; empty if it must be recomputed.
    private var offsets: ContiguousArray<Int> = []

    init(name: String) {
        self.name = name
    }

    /// Appends an object while the list is built.
    func appendWhileLoading(_ object: NSManagedObject) {
        if let last = leaves.last, last.objects.count < ListLeaf.fillOnLoading {
            last.objects.append(object)
            sizes[sizes.count - 1] += 1
        } else {
            let leaf = ListLeaf(section: self)
            leaf.number = leaves.count
            leaf.objects.append(object)
            leaves.append(leaf)
            sizes.append(1)
        }
        count += 1
    }

    /// The object at an index; nil if the index is outside the section.
    ///
    /// O(log leaves), except for the first call after a change, which is O(leaves).
    func object(at index: Int) -> NSManagedObject? {
        guard index >= 0, index < count else { return nil }
        countOffsets()
        var low = 0
        var high = leaves.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if offsets[middle] <= index { low = middle } else { high = middle }
        }
        return leaves[low].objects[index - offsets[low]]
    }

    /// The number of objects before a leaf.
    ///
    /// O(leaves), a fraction of a nanosecond for each.
    func offset(of leaf: ListLeaf) -> Int {
        offsets.isEmpty ? sizes[..<leaf.number].reduce(0, +) : offsets[leaf.number]
    }

    func appendObjects(to result: inout [NSManagedObject]) {
        for leaf in leaves { result.append(contentsOf: leaf.objects) }
    }

    /// The sort keys of the first object.
    func firstKeys(_ rules: ListRules) -> [EvaluatedValue]? {
        leaves.first?.keys(at: 0, rules)
    }

    /// The leaf for an object with these keys: the last one whose first object does not follow it.
    func leaf(for keys: [EvaluatedValue], rules: ListRules) -> ListLeaf {
        if leaves.isEmpty {
            leaves.append(ListLeaf(section: self))
            sizes.append(0)
        }
        var low = 0
        var high = leaves.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if rules.areInOrder(leaves[middle].keys(at: 0, rules), keys) { low = middle } else { high = middle }
        }
        return leaves[low]
    }

    /// Updates the counts after an insertion into a leaf.
    func didInsert(into leaf: ListLeaf) {
        count += 1
        sizes[leaf.number] += 1
        offsets.removeAll(keepingCapacity: true)
    }

    /// Splits a full leaf, and returns the new second half.
    func splitIfFull(_ leaf: ListLeaf) -> ListLeaf? {
        guard leaf.objects.count > ListLeaf.capacity else { return nil }
        let half = leaf.split()
        leaves.insert(half, at: leaf.number + 1)
        sizes[leaf.number] = leaf.objects.count
        sizes.insert(half.objects.count, at: leaf.number + 1)
        renumber()
        return half
    }

    /// Updates the counts after a removal from a leaf.
    func didRemove(from leaf: ListLeaf) {
        count -= 1
        sizes[leaf.number] -= 1
        offsets.removeAll(keepingCapacity: true)
        if leaf.objects.isEmpty {
            leaves.remove(at: leaf.number)
            sizes.remove(at: leaf.number)
            renumber()
        }
    }

    func checkInvariants() {
        precondition(leaves.reduce(0) { $0 + $1.objects.count } == count, "section \(name) has a wrong count")
        precondition(leaves.map(\.objects.count) == Array(sizes), "section \(name) has a wrong count for a leaf")
        for (number, leaf) in leaves.enumerated() {
            precondition(leaf.number == number && leaf.section === self, "a leaf of \(name) is misplaced")
            precondition(!leaf.objects.isEmpty, "section \(name) has an empty leaf")
            precondition(leaf.keys.isEmpty || leaf.keys.count == leaf.objects.count, "a leaf has lost keys")
        }
    }

    private func renumber() {
        for (number, leaf) in leaves.enumerated() { leaf.number = number }
        offsets.removeAll(keepingCapacity: true)
    }

    private func countOffsets() {
        guard offsets.count != sizes.count else { return }
        offsets.removeAll(keepingCapacity: true)
        var sum = 0
        for size in sizes {
            offsets.append(sum)
            sum += size
        }
    }
}

// A section of a list as a row of leaves. Used by SectionedList, and read by FrozenList and ResultsSectionInfo.
import GraphPredicates

/// One section of a list: a name and its objects in order.
final class ListSection<Object: AnyObject> {
    let name: String
    /// Index in the list; kept by the list.
    var position = 0
    private(set) var count = 0
    private(set) var leaves: [ListLeaf<Object>] = []
    /// The number of objects in each leaf: side by side, they are added up quickly.
    private var sizes: ContiguousArray<Int> = []
    /// The number of objects before each leaf; empty where it must be counted again.
    private var offsets: ContiguousArray<Int> = []

    init(name: String) {
        self.name = name
    }

    /// Adds an object at the end, while the list is being made.
    func appendWhileLoading(_ object: Object) {
        if let last = leaves.last, last.objects.count < ListLeaf<Object>.fillOnLoading {
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

    /// The object at an index; nil outside the section.
    ///
    /// O(log of the number of leaves) but for the first call after a change, which is O(leaves).
    func object(at index: Int) -> Object? {
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
    func offset(of leaf: ListLeaf<Object>) -> Int {
        offsets.isEmpty ? sizes[..<leaf.number].reduce(0, +) : offsets[leaf.number]
    }

    func appendObjects(to result: inout [Object]) {
        for leaf in leaves { result.append(contentsOf: leaf.objects) }
    }

    /// The sort keys of the first object.
    func firstKeys(_ rules: ListRules<Object>) -> [EvaluatedValue]? {
        leaves.first?.keys(at: 0, rules)
    }

    /// The leaf that an object with these keys goes into: the last whose first object is not after it.
    func leaf(for keys: [EvaluatedValue], rules: ListRules<Object>) -> ListLeaf<Object> {
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

    /// Accounts for an object that was put into a leaf.
    func didInsert(into leaf: ListLeaf<Object>) {
        count += 1
        sizes[leaf.number] += 1
        offsets.removeAll(keepingCapacity: true)
    }

    /// Divides a leaf that is full, and returns the new second half.
    func splitIfFull(_ leaf: ListLeaf<Object>) -> ListLeaf<Object>? {
        guard leaf.objects.count > ListLeaf<Object>.capacity else { return nil }
        let half = leaf.split()
        leaves.insert(half, at: leaf.number + 1)
        sizes[leaf.number] = leaf.objects.count
        sizes.insert(half.objects.count, at: leaf.number + 1)
        renumber()
        return half
    }

    /// Accounts for an object that was taken out of a leaf.
    func didRemove(from leaf: ListLeaf<Object>) {
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
        precondition(leaves.reduce(0) { $0 + $1.objects.count } == count, "section \(name) has counted wrongly")
        precondition(leaves.map(\.objects.count) == Array(sizes), "section \(name) has counted its leaves wrongly")
        for (number, leaf) in leaves.enumerated() {
            precondition(leaf.number == number && leaf.section === self, "a leaf of \(name) does not know its place")
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

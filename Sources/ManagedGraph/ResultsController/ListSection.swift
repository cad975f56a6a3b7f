/// One section of a list: a name and its objects in order.
final class ListSection<Object: AnyObject> {
    let name: String
    /// Index in the list; kept by the list.
    var position = 0
    private(set) var count = 0
    private(set) var leaves: [ListLeaf<Object>] = []
    /// The number of objects before each leaf; empty where it must be counted again.
    private var offsets: [Int] = []

    init(name: String) {
        self.name = name
    }

    /// Adds an object at the end, while the list is being made.
    func appendWhileLoading(_ object: Object) {
        if let last = leaves.last, last.objects.count < ListLeaf<Object>.fillOnLoading {
            last.objects.append(object)
        } else {
            let leaf = ListLeaf(section: self)
            leaf.number = leaves.count
            leaf.objects.append(object)
            leaves.append(leaf)
        }
        count += 1
    }

    /// A section that stays as this one is now.
    func frozenCopy() -> ListSection {
        let copy = ListSection(name: name)
        copy.position = position
        copy.count = count
        copy.leaves = leaves.map { $0.frozenCopy(in: copy) }
        return copy
    }

    /// The object at an index; nil outside the section.
    ///
    /// O(log of the number of leaves).
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
    func offset(of leaf: ListLeaf<Object>) -> Int {
        countOffsets()
        return offsets[leaf.number]
    }

    func appendObjects(to result: inout [Object]) {
        for leaf in leaves { result.append(contentsOf: leaf.objects) }
    }

    /// The sort keys of the first object.
    func firstKeys(_ rules: ListRules<Object>) -> [Any?]? {
        leaves.first?.keys(at: 0, rules)
    }

    /// Puts an object behind all that are not after it, and returns the leaf that it is in.
    func insert(_ object: Object, keys: [Any?], rules: ListRules<Object>) -> ListLeaf<Object> {
        if leaves.isEmpty { leaves.append(ListLeaf(section: self)) }
        // The last leaf whose first object is not after the new one.
        var low = 0
        var high = leaves.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if rules.areInOrder(leaves[middle].keys(at: 0, rules), keys) { low = middle } else { high = middle }
        }
        leaves[low].insert(object, keys: keys, rules)
        count += 1
        offsets.removeAll(keepingCapacity: true)
        return leaves[low]
    }

    /// Divides a leaf that is full, and returns the new second half.
    func splitIfFull(_ leaf: ListLeaf<Object>) -> ListLeaf<Object>? {
        guard leaf.objects.count > ListLeaf<Object>.capacity else { return nil }
        let half = leaf.split()
        leaves.insert(half, at: leaf.number + 1)
        renumber()
        return half
    }

    /// Accounts for an object that was taken out of a leaf.
    func didRemove(from leaf: ListLeaf<Object>) {
        count -= 1
        offsets.removeAll(keepingCapacity: true)
        if leaf.objects.isEmpty {
            leaves.remove(at: leaf.number)
            renumber()
        }
    }

    func checkInvariants() {
        precondition(leaves.reduce(0) { $0 + $1.objects.count } == count, "section \(name) has counted wrongly")
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
        guard offsets.count != leaves.count else { return }
        offsets.removeAll(keepingCapacity: true)
        var sum = 0
        for leaf in leaves {
            offsets.append(sum)
            sum += leaf.objects.count
        }
    }
}

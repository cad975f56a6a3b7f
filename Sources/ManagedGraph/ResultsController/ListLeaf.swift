// A part of a section of a list. Used by ListSection, which maintains its number, and by LeafTable.
import GraphPredicates

/// A run of ordered objects, with the sort keys of those that a search has examined.
final class ListLeaf {
    static var capacity: Int { 512 }
    static var fillOnLoading: Int { 384 }

    unowned let section: ListSection
    /// The index in the section; maintained by the section.
    var number = 0
    /// The number in the table of objects; maintained by the table, -1 outside of it.
    var tableNumber = -1
    var objects: ContiguousArray<NSManagedObject> = []
    /// The sort keys of the objects, nil for objects no search has examined; empty if no search has examined any.
    private(set) var keys: ContiguousArray<[EvaluatedValue]?> = []

    init(section: ListSection) {
        self.section = section
    }

    /// The index of an object, by identity.
    func index(of object: NSManagedObject) -> Int? {
        // Compares pointers as words, without reference counting.
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        return objects.withUnsafeBufferPointer { buffer in
            UnsafeRawBufferPointer(buffer).withMemoryRebound(to: UInt.self) { $0.firstIndex(of: address) }
        }
    }

    /// The sort keys of an object, read on first use.
    func keys(at index: Int, _ rules: ListRules) -> [EvaluatedValue] {
        if keys.isEmpty { keys = ContiguousArray(repeating: nil, count: objects.count) }
        if let cached = keys[index] { return cached }
        let sortKeys = rules.sortKeys(objects[index])
        keys[index] = sortKeys
        return sortKeys
    }

    /// The sort keys that a search last read, or nil.
    func knownKeys(at index: Int) -> [EvaluatedValue]? {
        keys.isEmpty ? nil : keys[index]
    }

    /// Discards the sort keys of an object.
    func forgetKeys(at index: Int) {
        if !keys.isEmpty { keys[index] = nil }
    }

    /// Inserts an object after all objects that do not follow it in the order.
    func insert(_ object: NSManagedObject, keys newKeys: [EvaluatedValue], _ rules: ListRules) {
        let place = place(for: newKeys, rules)
        if keys.isEmpty { keys = ContiguousArray(repeating: nil, count: objects.count) }
        objects.insert(object, at: place)
        keys.insert(newKeys, at: place)
    }

    /// The index after all objects that do not follow the keys in the order.
    private func place(for newKeys: [EvaluatedValue], _ rules: ListRules) -> Int {
        guard !objects.isEmpty else { return 0 }
        // In lists by date an object usually comes last or first.
        if rules.areInOrder(keys(at: objects.count - 1, rules), newKeys) { return objects.count }
        if !rules.areInOrder(keys(at: 0, rules), newKeys) { return 0 }
        var low = 1
        var high = objects.count - 1
        while low < high {
            let middle = (low + high) / 2
            if rules.areInOrder(keys(at: middle, rules), newKeys) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func remove(at index: Int) {
        objects.remove(at: index)
        if !keys.isEmpty { keys.remove(at: index) }
    }

    /// Moves the second half of the objects to a new leaf.
    func split() -> ListLeaf {
        let half = ListLeaf(section: section)
        let middle = objects.count / 2
        half.objects = ContiguousArray(objects[middle...])
        objects.removeSubrange(middle...)
        if !keys.isEmpty {
            half.keys = ContiguousArray(keys[middle...])
            keys.removeSubrange(middle...)
        }
        return half
    }
}

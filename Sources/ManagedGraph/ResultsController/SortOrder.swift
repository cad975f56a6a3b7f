import Foundation
import GraphPredicates

/// The order that sort descriptors make.
struct SortOrder {
    private let descriptors: [NSSortDescriptor]
    private let keys: [String?]

    init(_ descriptors: [NSSortDescriptor]) {
        self.descriptors = descriptors
        keys = descriptors.map(\.sortKey)
    }

    /// The key paths that the order reads.
    var keyPaths: [String] { keys.compactMap { $0 } }

    /// The values that an object is sorted by; the object itself for a descriptor without a key path.
    func keys(of object: NSManagedObject) -> [Any?] {
        keys.map { key in
            guard let key else { return object }
            return object.value(forKeyPath: key)
        }
    }

    /// The objects in this order; those with equal values stay in the order they come in.
    ///
    /// O(n log n).
    func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        let entries = objects.map { (object: $0, keys: keys(of: $0)) }
        let order = entries.indices.sorted { first, second in
            let isNotAfter = areInOrder(entries[first].keys, entries[second].keys)
            guard isNotAfter else { return false }
            return first < second || !areInOrder(entries[second].keys, entries[first].keys)
        }
        return order.map { entries[$0].object }
    }

    /// Whether the first object does not come after the second.
    func areInOrder(_ first: [Any?], _ second: [Any?]) -> Bool {
        for (index, descriptor) in descriptors.enumerated() {
            let order: ComparisonResult
            if keys[index] == nil, let one = first[index], let other = second[index] {
                order = descriptor.compare(one, to: other)
            } else {
                order = descriptor.compareValues(first[index], second[index])
            }
            if order != .orderedSame { return order == .orderedAscending }
        }
        return true
    }
}

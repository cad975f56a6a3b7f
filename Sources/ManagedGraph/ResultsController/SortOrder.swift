import Foundation
import GraphPredicates

/// The order defined by sort descriptors.
struct SortOrder {
    private let descriptors: [NSSortDescriptor]
    private let orders: [ValueOrder]
    private let keys: [String?]
    private let paths: [ValuePath?]

    init(_ descriptors: [NSSortDescriptor]) {
        self.descriptors = descriptors
        orders = descriptors.map(ValueOrder.init)
        keys = descriptors.map(\.sortKey)
        paths = keys.map { $0.map(ValuePath.init) }
    }

    /// The key paths that the order reads.
    var keyPaths: [String] { keys.compactMap { $0 } }

    /// The values that an object is sorted by; the object itself for a descriptor without a key path.
    func keys(of object: NSManagedObject) -> [EvaluatedValue] {
        paths.map { $0?.evaluated(of: object) ?? .readable(object) }
    }

    /// The objects in this order; the sort is stable.
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
    func areInOrder(_ first: [EvaluatedValue], _ second: [EvaluatedValue]) -> Bool {
        for index in orders.indices {
            let order: ComparisonResult
            if paths[index] == nil, let lhs = first[index].anyValue, let rhs = second[index].anyValue {
                order = descriptors[index].compare(lhs, to: rhs)
            } else {
                order = orders[index].compare(first[index], second[index])
            }
            if order != .orderedSame { return order == .orderedAscending }
        }
        return true
    }
}

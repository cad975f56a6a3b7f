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

// Protocols for the collections that values hold, Swift's and Foundation's. With them the evaluator distinguishes
// collections from single values by one cast, and counts elements without reading them.

import Foundation

/// A collection under evaluation.
package protocol EvaluableCollection {
    var evaluatedCount: Int { get }
    /// Whether the order of the elements is meaningless.
    var isUnordered: Bool { get }
    func evaluatedElements() -> [EvaluatedValue]
}

extension Array: EvaluableCollection {
    package var evaluatedCount: Int { count }
    package var isUnordered: Bool { false }
    package func evaluatedElements() -> [EvaluatedValue] { map { EvaluatedValue($0) } }
}

extension ArraySlice: EvaluableCollection {
    package var evaluatedCount: Int { count }
    package var isUnordered: Bool { false }
    package func evaluatedElements() -> [EvaluatedValue] { map { EvaluatedValue($0) } }
}

extension ContiguousArray: EvaluableCollection {
    package var evaluatedCount: Int { count }
    package var isUnordered: Bool { false }
    package func evaluatedElements() -> [EvaluatedValue] { map { EvaluatedValue($0) } }
}

extension Set: EvaluableCollection {
    package var evaluatedCount: Int { count }
    package var isUnordered: Bool { true }
    package func evaluatedElements() -> [EvaluatedValue] { map { EvaluatedValue($0) } }
}

extension NSArray: EvaluableCollection {
    package var evaluatedCount: Int { count }
    package var isUnordered: Bool { false }
    package func evaluatedElements() -> [EvaluatedValue] { map { EvaluatedValue($0) } }
}

extension NSSet: EvaluableCollection {
    package var evaluatedCount: Int { count }
    package var isUnordered: Bool { true }
    package func evaluatedElements() -> [EvaluatedValue] { map { EvaluatedValue($0) } }
}

extension NSOrderedSet: EvaluableCollection {
    package var evaluatedCount: Int { count }
    package var isUnordered: Bool { false }
    package func evaluatedElements() -> [EvaluatedValue] { map { EvaluatedValue($0) } }
}

extension Dictionary: EvaluableDictionary {
    package var evaluatedCount: Int { count }
    package var evaluatedKeys: [String] { keys.compactMap { EvaluatedValue($0).text } }
    package func evaluatedValue(forKey key: String) -> EvaluatedValue {
        guard let key = key as? Key, let value = self[key] else { return .null }
        return EvaluatedValue(value)
    }
    package func evaluatedValues() -> [EvaluatedValue] { values.map { EvaluatedValue($0) } }
}

extension NSDictionary: EvaluableDictionary {
    package var evaluatedCount: Int { count }
    package var evaluatedKeys: [String] { allKeys.compactMap { EvaluatedValue($0).text } }
    package func evaluatedValue(forKey key: String) -> EvaluatedValue {
        EvaluatedValue(object(forKey: key as NSString))
    }
    package func evaluatedValues() -> [EvaluatedValue] { allValues.map { EvaluatedValue($0) } }
}

// Protocols for the collections that values hold, Swift's and Foundation's. With them the evaluator distinguishes
// collections from single values by one cast, and counts elements without reading them.

import Foundation

/// A collection under evaluation.
package protocol EvaluableCollection {
    var evaluatedCount: Int { get }
    /// Whether the order of the elements is meaningless.
    var isUnordered: Bool { get }
    func evaluatedElements() -> [EvaluatedValue]
    /// The collection as the result of an expression.
    var shownValue: Any { get }
}

extension EvaluableCollection {
    package var isUnordered: Bool { false }
    package var shownValue: Any { self }
}

extension EvaluableCollection where Self: Sequence {
    package func evaluatedElements() -> [EvaluatedValue] { map { EvaluatedValue($0) } }
}

extension EvaluableCollection where Self: Collection {
    package var evaluatedCount: Int { count }
}

extension Array: EvaluableCollection {}
extension ArraySlice: EvaluableCollection {}
extension ContiguousArray: EvaluableCollection {}
extension Set: EvaluableCollection {
    package var isUnordered: Bool { true }
}

extension NSArray: EvaluableCollection {
    package var evaluatedCount: Int { count }
}

extension NSSet: EvaluableCollection {
    package var evaluatedCount: Int { count }
    package var isUnordered: Bool { true }
}

extension NSOrderedSet: EvaluableCollection {
    package var evaluatedCount: Int { count }
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

// The protocol of dictionaries under evaluation.
import Foundation

/// A dictionary under evaluation.
package protocol EvaluableDictionary {
    var evaluatedCount: Int { get }
    var evaluatedKeys: [String] { get }
    func evaluatedValue(forKey key: String) -> EvaluatedValue
    func evaluatedValues() -> [EvaluatedValue]
}

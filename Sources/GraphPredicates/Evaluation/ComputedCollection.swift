// A collection of elements that the evaluator has computed.
import Foundation

/// Elements that the evaluator computed.
struct ComputedCollection: EvaluableCollection {
    let elements: [EvaluatedValue]
    var isUnordered = false
    var evaluatedCount: Int { elements.count }
    func evaluatedElements() -> [EvaluatedValue] { elements }
    var shownValue: Any { elements.map { $0.anyValue ?? NSNull() } }
}

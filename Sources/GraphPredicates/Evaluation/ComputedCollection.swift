// Protocols for the collections that values hold, Swift's and Foundation's. Beside `EvaluableCollection`.
import Foundation

/// Elements that the evaluator computed.
struct ComputedCollection: EvaluableCollection {
    let elements: [EvaluatedValue]
    var isUnordered = false
    var evaluatedCount: Int { elements.count }
    func evaluatedElements() -> [EvaluatedValue] { elements }
}

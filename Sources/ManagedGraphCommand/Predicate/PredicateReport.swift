import Foundation
import GraphPredicates

/// The result of checking a format.
struct PredicateReport {
    let format: String
    var printed: String?
    var error: String?
    /// The number of characters before the error.
    var position: Int?
    var value: Bool?
    /// Whether a value was requested.
    var isEvaluated = false
    /// The error as text: several lines, with a mark under the position.
    var explanation: String?
}

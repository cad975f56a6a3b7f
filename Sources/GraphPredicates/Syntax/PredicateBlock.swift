// A closure as a part of a predicate's tree.
import Foundation

/// A closure that evaluates an object.
package final class PredicateBlock {
    package let evaluate: (Any?, [String: Any]?) -> Bool
    /// Why a Swift predicate became a closure: a fetch must not read every row for it unless asked to.
    package let refusal: UnconvertiblePredicate?
    /// Foundation's predicate object that the closure belongs to, if any.
    private let source: NSPredicate?

    package init(
        refusal: UnconvertiblePredicate? = nil,
        source: NSPredicate? = nil,
        _ evaluate: @escaping (Any?, [String: Any]?) -> Bool
    ) {
        self.refusal = refusal
        self.source = source
        self.evaluate = evaluate
    }

    /// Whether another block has the same closure.
    func isSame(as other: PredicateBlock) -> Bool {
        self === other || (source != nil && source === other.source)
    }
}

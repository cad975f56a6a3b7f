// The predicate language as a tree of values, with one definition and several outputs. Created by the parser,
// #Predicate's converter and the predicate objects; read by the printer, the evaluator and GraphSQL's translator.

import Foundation

/// A predicate.
package indirect enum PredicateNode {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    case comparison(ComparisonNode)
    case and([PredicateNode])
    case or([PredicateNode])
    case not(PredicateNode)
    /// A Swift closure; cannot be printed or translated to SQL.
    case block(PredicateBlock)
}

/// A comparison of two expressions.
package struct ComparisonNode: Hashable {
    package var left: ExpressionNode
    package var right: ExpressionNode
    package var modifier: ComparisonModifier
    package var op: ComparisonOperator
    package var options: ComparisonOptions
    /// The method of a `customSelector` comparison, or `UTI-EQUALS` or `UTI-CONFORMS-TO`.
    package var selector: String?

    package init(
        left: ExpressionNode,
        right: ExpressionNode,
        modifier: ComparisonModifier = .direct,
        op: ComparisonOperator,
        options: ComparisonOptions = [],
        selector: String? = nil
    ) {
        self.left = left
        self.right = right
        self.modifier = modifier
        self.op = op
        self.options = options
        self.selector = selector
    }
}

/// The qualifier of a comparison, `ANY`, `ALL` or neither; raw values are Apple's.
///
/// `NONE` is the negation of `ANY`, `SOME` is `ANY`.
package enum ComparisonModifier: UInt, Sendable {
    case direct = 0
    case all = 1
    case any = 2
}

/// A comparison's operator; raw values are Apple's.
package enum ComparisonOperator: UInt, Sendable, CaseIterable {
    case lessThan = 0
    case lessThanOrEqual = 1
    case greaterThan = 2
    case greaterThanOrEqual = 3
    case equal = 4
    case notEqual = 5
    case matches = 6
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    case `in` = 10
    case customSelector = 11
    case contains = 99
    case between = 100
}

/// The letters in brackets after an operator; raw values are Apple's, except for locale sensitivity.
package struct ComparisonOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let caseInsensitive = ComparisonOptions(rawValue: 1)
    package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    package static let normalized = ComparisonOptions(rawValue: 4)
    package static let localeSensitive = ComparisonOptions(rawValue: 8)
}

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

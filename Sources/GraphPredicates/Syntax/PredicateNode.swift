// The predicate language as a tree of values, with one definition and several outputs. Created by the parser,
// #Predicate's converter and the predicate objects; read by the printer, the evaluator and GraphSQL's translator.

import Foundation

/// A condition of the predicate language: a constant, a comparison, a compound or a closure.
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

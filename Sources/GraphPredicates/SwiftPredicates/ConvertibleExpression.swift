// The protocol of the parts of Swift predicates that have a counterpart in the predicate language.
import Foundation

/// An expression of Foundation's that can be converted to a part of a predicate tree.
package protocol ConvertibleExpression {
    /// Converts the expression and its operands.
    ///
    /// - Throws: `UnconvertiblePredicate`.
    func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression
}

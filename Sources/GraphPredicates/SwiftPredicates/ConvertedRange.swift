// A range in a Swift predicate with its converted bounds.

/// The bounds of a converted range.
package struct ConvertedRange {
    var lower: ConvertedExpression?
    var upper: ConvertedExpression?
    var includesUpper: Bool
}

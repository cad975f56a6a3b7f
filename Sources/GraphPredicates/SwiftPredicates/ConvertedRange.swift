// The result of converting a part of a Swift predicate. Beside `ConvertedExpression`.

/// The bounds of a converted range.
package struct ConvertedRange {
    var lower: ConvertedExpression?
    var upper: ConvertedExpression?
    var includesUpper: Bool
}

// Conversions of Swift's tests for a part of a text, which hold for the empty text. Used by Conversions+Texts.

/// Tests whether a text contains another or begins with it.
enum TextTest {
    static func convert(
        _ text: ConvertedExpression,
        _ op: ComparisonOperator,
        _ part: ConvertedExpression
    ) throws -> ConvertedExpression {
        // In Swift every text begins with and contains the empty text; in the predicate language none does.
        if let constant = part.constant, EvaluatedValue(constant).text == "" {
            return ConvertedExpression(.constant(true))
        }
        let test = try Comparing.compare(text, op, part)
        guard part.constant == nil else { return .predicate(test) }
        return .predicate(.either(test, try Comparing.compare(part, .equal, constant: "", [])))
    }
}

// Texts in Swift predicates.

import Foundation

extension PredicateExpressions.CollectionContainsCollection: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        guard Base.Output.Element.self == Character.self else { throw PredicateConversion.refusal(of: Self.self) }
        return try TextTest.convert(try conversion.convert(base), .contains, try conversion.convert(other))
    }
}

extension PredicateExpressions.SequenceStartsWith: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        guard Base.Output.Element.self == Character.self else { throw PredicateConversion.refusal(of: Self.self) }
        return try TextTest.convert(try conversion.convert(base), .beginsWith, try conversion.convert(prefix))
    }
}

extension PredicateExpressions.StringContainsRegex: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let value = try conversion.convert(subject)
        guard let constant = try conversion.convert(regex).constant,
            let regex = constant as? PredicateExpressions.PredicateRegex
        else { throw PredicateConversion.refusal(of: Self.self) }
        // MATCHES must match the whole text.
        let pattern = "(?s:.*)(?:\(regex.stringRepresentation))(?s:.*)"
        return .predicate(try Comparing.compare(value, .matches, constant: pattern, []))
    }
}

extension PredicateExpressions.TextPair: ConvertibleExpression where Operation: ConvertibleTextOperation {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        try Operation.converted(try conversion.convert(root), try conversion.convert(other))
    }
}

/// An operation on two texts that the predicate language has too.
package protocol ConvertibleTextOperation {
    static func converted(_ a: ConvertedExpression, _ b: ConvertedExpression) throws -> ConvertedExpression
}

extension PredicateExpressions.LocalizedStandardContains: ConvertibleTextOperation {
    package static func converted(_ a: ConvertedExpression, _ b: ConvertedExpression) throws -> ConvertedExpression {
        let options: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        return .predicate(try Comparing.compare(a, .contains, b, options))
    }
}

extension PredicateExpressions.CaseInsensitiveCompare: ConvertibleTextOperation {
    package static func converted(_ a: ConvertedExpression, _ b: ConvertedExpression) throws -> ConvertedExpression {
        ConvertedExpression(.order(try a.node(), try b.node(), .caseInsensitive))
    }
}

extension PredicateExpressions.LocalizedCompare: ConvertibleTextOperation {
    package static func converted(_ a: ConvertedExpression, _ b: ConvertedExpression) throws -> ConvertedExpression {
        ConvertedExpression(.order(try a.node(), try b.node(), .localeSensitive))
    }
}

private enum TextTest {
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

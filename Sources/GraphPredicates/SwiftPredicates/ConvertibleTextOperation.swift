// Operations on two texts in Swift predicates: those of PredicateExpressions.TextPair.
import Foundation

/// An operation on two texts that the predicate language has too.
package protocol ConvertibleTextOperation {
    static func converted(_ a: ConvertedExpression, _ b: ConvertedExpression) throws -> ConvertedExpression
}

extension PredicateExpressions.TextPair: ConvertibleExpression where Operation: ConvertibleTextOperation {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        try Operation.converted(try conversion.convert(root), try conversion.convert(other))
    }
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

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

// Conditions and comparisons in Swift predicates.

import Foundation

extension PredicateExpressions.Conjunction: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .predicate(.both(try conversion.convert(lhs).predicate(), try conversion.convert(rhs).predicate()))
    }
}

extension PredicateExpressions.Disjunction: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .predicate(.either(try conversion.convert(lhs).predicate(), try conversion.convert(rhs).predicate()))
    }
}

extension PredicateExpressions.Negation: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .predicate(try conversion.convert(wrapped).predicate().negated)
    }
}

extension PredicateExpressions.Equal: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .predicate(try Comparing.compare(try conversion.convert(lhs), .equal, try conversion.convert(rhs)))
    }
}

extension PredicateExpressions.NotEqual: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .predicate(try Comparing.compare(try conversion.convert(lhs), .notEqual, try conversion.convert(rhs)))
    }
}

extension PredicateExpressions.Comparison: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let name: ComparisonOperator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqual
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqual
            @unknown default: throw PredicateConversion.refusal(of: Self.self)
            }
        return .predicate(try Comparing.compare(try conversion.convert(lhs), name, try conversion.convert(rhs)))
    }
}

extension PredicateExpressions.Conditional: ConvertibleExpression {
    package func converted(in conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let test = try conversion.convert(test).predicate()
        let (yes, no) = (try conversion.convert(trueBranch), try conversion.convert(falseBranch))
        if Output.self == Bool.self {
            let (first, second) = (try yes.predicate(), try no.predicate())
            return .predicate(.either(.both(test, first), .both(test.negated, second)))
        }
        return .nullable(.conditional(test, try yes.node(), try no.node()))
    }
}

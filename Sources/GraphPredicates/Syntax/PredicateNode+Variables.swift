// Replaces `$` variables by values. Used by withSubstitutionVariables(_:) and by fetch request templates; the result is
// a tree of constants that SQL can bind.

import Foundation

extension PredicateNode {
    /// Replaces variables by values; those without a value, and the ones that SUBQUERY binds, remain.
    package func substituting(_ values: [String: Any]) -> PredicateNode {
        if values.isEmpty { return self }
        if case .block(let block) = self {
            let bound = PredicateBlock(refusal: block.refusal) { object, variables in
                block.evaluate(object, (variables ?? [:]).merging(values) { supplied, _ in supplied })
            }
            return .block(bound)
        }
        return replacingParts(predicates: { $0.substituting(values) }, expressions: { $0.substituting(values) })
    }
}

extension ExpressionNode {
    /// Replaces variables by values.
    package func substituting(_ values: [String: Any]) -> ExpressionNode {
        switch self {
        case .constant, .keyPath, .evaluatedObject: return self
        case .variable(let name):
            guard let value = values[name] else { return self }
            if PlainValue.isPlain(value) { return .constant(value) }
            if let expression = value as? NSExpression { return expression.node }
            return .constant(FormatArguments.plain(value))
        case .subquery(let collection, let variable, let predicate):
            let inner = values.filter { $0.key != variable }
            return .subquery(
                collection: collection.substituting(values),
                variable: variable,
                predicate: predicate.substituting(inner)
            )
        default:
            return replacingParts(predicates: { $0.substituting(values) }, expressions: { $0.substituting(values) })
        }
    }
}

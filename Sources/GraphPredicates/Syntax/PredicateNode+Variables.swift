// Replaces `$` variables by values. Used by withSubstitutionVariables(_:) and by fetch request templates; the result is
// a tree of constants that SQL can bind.

import Foundation

extension PredicateNode {
    /// Replaces variables by values; those without a value, and the ones that SUBQUERY binds, remain.
    package func substituting(_ values: [String: Any]) -> PredicateNode {
        if values.isEmpty { return self }
        switch self {
        case .constant: return self
        case .comparison(var node):
            node.left = node.left.substituting(values)
            node.right = node.right.substituting(values)
            return .comparison(node)
        case .and(let nodes): return .and(nodes.map { $0.substituting(values) })
        case .or(let nodes): return .or(nodes.map { $0.substituting(values) })
        case .not(let node): return .not(node.substituting(values))
        case .block(let block):
            let bound = PredicateBlock { object, variables in
                block.evaluate(object, (variables ?? [:]).merging(values) { given, _ in given })
            }
            return .block(bound)
        }
    }
}

extension ExpressionNode {
    /// Replaces variables by values.
    package func substituting(_ values: [String: Any]) -> ExpressionNode {
        switch self {
        case .variable(let name):
            guard let value = values[name] else { return self }
            if let expression = value as? NSExpression { return expression.node }
            return .constant(FormatArguments.plain(value))
        case .constant, .evaluatedObject, .keyPath, .anyKey, .symbolicIndex: return self
        case .keyPathOf(let base, let keys):
            return base.substituting(values).appending(keys: keys)
        case .function(let name, let target?, let arguments):
            return .call(
                target: target.substituting(values),
                selector: name,
                arguments: arguments.map { $0.substituting(values) }
            )
        case .function(let name, nil, let arguments):
            return .function(name: name, target: nil, arguments: arguments.map { $0.substituting(values) })
        case .aggregate(let nodes): return .aggregate(nodes.map { $0.substituting(values) })
        case .subquery(let collection, let variable, let predicate):
            let inner = values.filter { $0.key != variable }
            return .subquery(
                collection: collection.substituting(values),
                variable: variable,
                predicate: predicate.substituting(inner)
            )
        case .union(let a, let b): return .union(a.substituting(values), b.substituting(values))
        case .intersect(let a, let b): return .intersect(a.substituting(values), b.substituting(values))
        case .minus(let a, let b): return .minus(a.substituting(values), b.substituting(values))
        case .conditional(let predicate, let yes, let no):
            return .conditional(
                predicate.substituting(values),
                yes.substituting(values),
                no.substituting(values)
            )
        case .assignment(let name, let value): return .assignment(name, value.substituting(values))
        case .block(let block, let arguments):
            return .block(block, arguments: arguments.map { $0.substituting(values) })
        case .fetch(let request, let context, let countOnly):
            return .fetch(
                request: request.substituting(values),
                context: context.substituting(values),
                countOnly: countOnly
            )
        }
    }
}

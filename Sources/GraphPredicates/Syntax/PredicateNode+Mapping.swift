// Replaces leaves of a tree. A history request replaces constant objects that rows reference by numbers; a subquery
// replaces key paths that begin with its variable.

/// The replacements for the leaves of a predicate.
package struct PredicateMapping {
    /// The replacement of a constant.
    package var constant: (Any?) -> Any?
    /// The object that a closure evaluates instead.
    package var judged: (Any?) -> Any?
    /// The replacement of a key path that is read from the object under evaluation.
    package var keyPath: ([String]) -> ExpressionNode

    package init(
        constant: @escaping (Any?) -> Any? = { $0 },
        judged: @escaping (Any?) -> Any? = { $0 },
        keyPath: @escaping ([String]) -> ExpressionNode = { .keyPath($0) }
    ) {
        self.constant = constant
        self.judged = judged
        self.keyPath = keyPath
    }
}

extension PredicateNode {
    /// Replaces the leaves of the predicate.
    ///
    /// O(size of the tree).
    package func mapped(_ mapping: PredicateMapping) -> PredicateNode {
        if case .block(let block) = self {
            return .block(PredicateBlock(refusal: block.refusal) { block.evaluate(mapping.judged($0), $1) })
        }
        return replacingParts(predicates: { $0.mapped(mapping) }, expressions: { $0.mapped(mapping) })
    }

    /// The predicate with other parts: the predicates and expressions directly below it.
    package func replacingParts(
        predicates: (PredicateNode) -> PredicateNode,
        expressions: (ExpressionNode) -> ExpressionNode
    ) -> PredicateNode {
        switch self {
        case .constant, .block: return self
        case .comparison(var node):
            node.left = expressions(node.left)
            node.right = expressions(node.right)
            return .comparison(node)
        case .and(let nodes): return .and(nodes.map(predicates))
        case .or(let nodes): return .or(nodes.map(predicates))
        case .not(let node): return .not(predicates(node))
        }
    }
}

extension ExpressionNode {
    /// Replaces the leaves of the expression.
    package func mapped(_ mapping: PredicateMapping) -> ExpressionNode {
        switch self {
        case .constant(let value): .constant(mapping.constant(value))
        case .keyPath(let keys): mapping.keyPath(keys)
        case .block(let block, let arguments):
            .block(
                ExpressionBlock { block.evaluate(mapping.judged($0), $1, $2) },
                arguments: arguments.map { $0.mapped(mapping) }
            )
        default: replacingParts(predicates: { $0.mapped(mapping) }, expressions: { $0.mapped(mapping) })
        }
    }

    /// The expression with other parts: the predicates and expressions directly below it.
    package func replacingParts(
        predicates: (PredicateNode) -> PredicateNode,
        expressions: (ExpressionNode) -> ExpressionNode
    ) -> ExpressionNode {
        switch self {
        case .constant, .keyPath, .evaluatedObject, .variable, .anyKey, .symbolicIndex: self
        case .keyPathOf(let base, let keys): expressions(base).appending(keys: keys)
        case .function(let name, let target?, let arguments):
            .call(target: expressions(target), selector: name, arguments: arguments.map(expressions))
        case .function(let name, nil, let arguments): .calling(name, arguments.map(expressions))
        case .aggregate(let nodes): .aggregate(nodes.map(expressions))
        case .subquery(let collection, let variable, let predicate):
            .subquery(collection: expressions(collection), variable: variable, predicate: predicates(predicate))
        case .union(let a, let b): .union(expressions(a), expressions(b))
        case .intersect(let a, let b): .intersect(expressions(a), expressions(b))
        case .minus(let a, let b): .minus(expressions(a), expressions(b))
        case .conditional(let predicate, let yes, let no):
            .conditional(predicates(predicate), expressions(yes), expressions(no))
        case .assignment(let name, let value): .assignment(name, expressions(value))
        case .block(let block, let arguments): .block(block, arguments: arguments.map(expressions))
        case .fetch(let request, let context, let countOnly):
            .fetch(request: expressions(request), context: expressions(context), countOnly: countOnly)
        }
    }
}

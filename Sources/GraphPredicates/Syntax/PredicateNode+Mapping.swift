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
        switch self {
        case .constant: return self
        case .comparison(var node):
            node.left = node.left.mapped(mapping)
            node.right = node.right.mapped(mapping)
            return .comparison(node)
        case .and(let nodes): return .and(nodes.map { $0.mapped(mapping) })
        case .or(let nodes): return .or(nodes.map { $0.mapped(mapping) })
        case .not(let node): return .not(node.mapped(mapping))
        case .block(let block):
            return .block(
                PredicateBlock(refusal: block.refusal) { block.evaluate(mapping.judged($0), $1) }
            )
        }
    }
}

extension ExpressionNode {
    /// Replaces the leaves of the expression.
    package func mapped(_ mapping: PredicateMapping) -> ExpressionNode {
        func map(_ nodes: [ExpressionNode]) -> [ExpressionNode] { nodes.map { $0.mapped(mapping) } }
        switch self {
        case .constant(let value): return .constant(mapping.constant(value))
        case .keyPath(let keys): return mapping.keyPath(keys)
        case .evaluatedObject, .variable, .anyKey, .symbolicIndex: return self
        case .keyPathOf(let base, let keys): return .keyPathOf(base.mapped(mapping), keys)
        case .function(let name, let target, let arguments):
            return .function(name: name, target: target?.mapped(mapping), arguments: map(arguments))
        case .aggregate(let nodes): return .aggregate(map(nodes))
        case .subquery(let collection, let variable, let predicate):
            return .subquery(
                collection: collection.mapped(mapping),
                variable: variable,
                predicate: predicate.mapped(mapping)
            )
        case .union(let a, let b): return .union(a.mapped(mapping), b.mapped(mapping))
        case .intersect(let a, let b): return .intersect(a.mapped(mapping), b.mapped(mapping))
        case .minus(let a, let b): return .minus(a.mapped(mapping), b.mapped(mapping))
        case .conditional(let predicate, let yes, let no):
            return .conditional(predicate.mapped(mapping), yes.mapped(mapping), no.mapped(mapping))
        case .assignment(let name, let value): return .assignment(name, value.mapped(mapping))
        case .block(let block, let arguments):
            return .block(
                ExpressionBlock { block.evaluate(mapping.judged($0), $1, $2) },
                arguments: map(arguments)
            )
        case .fetch(let request, let context, let countOnly):
            return .fetch(
                request: request.mapped(mapping),
                context: context.mapped(mapping),
                countOnly: countOnly
            )
        }
    }
}

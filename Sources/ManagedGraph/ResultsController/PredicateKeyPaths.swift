import GraphPredicates

/// The key paths that a predicate reads from the object it judges.
enum PredicateKeyPaths {
    /// All of them, in the order of the predicate; those inside of a subquery belong to other objects and are left out.
    static func keyPaths(in node: PredicateNode) -> [String] {
        switch node {
        case .constant, .block: []
        case .comparison(let comparison): keyPaths(in: comparison.left) + keyPaths(in: comparison.right)
        case .and(let parts), .or(let parts): parts.flatMap(keyPaths)
        case .not(let part): keyPaths(in: part)
        }
    }

    private static func keyPaths(in node: ExpressionNode) -> [String] {
        switch node {
        case .keyPath(let keys): [keys.joined(separator: ".")]
        case .function(_, let target, let arguments): (target.map(keyPaths) ?? []) + arguments.flatMap(keyPaths)
        case .aggregate(let parts): parts.flatMap(keyPaths)
        case .subquery(let collection, _, _): keyPaths(in: collection)
        case .keyPathOf(let base, _): keyPaths(in: base)
        case .union(let one, let other), .intersect(let one, let other), .minus(let one, let other):
            keyPaths(in: one) + keyPaths(in: other)
        case .conditional(let condition, let one, let other):
            keyPaths(in: condition) + keyPaths(in: one) + keyPaths(in: other)
        case .assignment(_, let value): keyPaths(in: value)
        case .constant, .evaluatedObject, .variable, .anyKey, .symbolicIndex, .block, .fetch: []
        }
    }
}

// A predicate without its values, as a list: comparing another predicate with it copies no part of a tree. Made and read
// by KnownFetch.
import GraphPredicates

/// One node of a predicate; the nodes of a list come from the root down, and from left to right.
enum PredicateStep {
    case truth(Bool)
    case comparison(ComparisonOperator, ComparisonModifier, ComparisonOptions)
    /// A conjunction of so many parts.
    case and(Int)
    case or(Int)
    case not
    case constant
    case evaluatedObject
    case keyPath([String])

    /// The steps of a predicate; nil if the text of its statement depends on more than them and the forms of its values.
    static func steps(of node: PredicateNode) -> [PredicateStep]? {
        var steps: [PredicateStep] = []
        return append(node, to: &steps) ? steps : nil
    }

    private static func append(_ node: PredicateNode, to steps: inout [PredicateStep]) -> Bool {
        switch node {
        case .constant(let value):
            steps.append(.truth(value))
            return true
        case .comparison(let comparison):
            // The answer of a comparison of constants, and whether a pattern can be read, depend on the values.
            if case .constant = comparison.left, case .constant = comparison.right { return false }
            guard comparison.op != .matches, comparison.selector == nil else { return false }
            steps.append(.comparison(comparison.op, comparison.modifier, comparison.options))
            return append(comparison.left, to: &steps) && append(comparison.right, to: &steps)
        case .and(let parts):
            steps.append(.and(parts.count))
            return parts.allSatisfy { append($0, to: &steps) }
        case .or(let parts):
            steps.append(.or(parts.count))
            return parts.allSatisfy { append($0, to: &steps) }
        case .not(let part):
            steps.append(.not)
            return append(part, to: &steps)
        case .block: return false
        }
    }

    private static func append(_ node: ExpressionNode, to steps: inout [PredicateStep]) -> Bool {
        switch node {
        case .constant: steps.append(.constant)
        case .evaluatedObject: steps.append(.evaluatedObject)
        case .keyPath(let path): steps.append(.keyPath(path))
        default: return false
        }
        return true
    }
}

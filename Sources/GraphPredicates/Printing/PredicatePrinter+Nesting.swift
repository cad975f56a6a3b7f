// Computes how deep the printed form of a tree nests, by the parser's rules. The parser calls this, as printing may add
// levels (`--a` becomes `0 - (0 - a)`), and every format that it accepts must parse again after printing.

import Foundation

extension PredicatePrinter {
    /// The levels of nesting in the printed form of a predicate's expressions, or a few more; parentheses around
    /// predicates are parsed without recursion and do not count.
    static func nesting(of node: PredicateNode) -> Int {
        switch node {
        case .constant, .block: return 0
        case .comparison(let node): return max(nesting(of: node.left), nesting(of: node.right))
        case .and(let nodes), .or(let nodes): return nodes.reduce(0) { max($0, nesting(of: $1)) }
        case .not(let node): return nesting(of: node)
        }
    }

    /// The levels of nesting in the printed form of an expression, or a few more.
    static func nesting(of node: ExpressionNode) -> Int {
        switch node {
        case .constant: return 2
        case .evaluatedObject, .variable, .anyKey, .symbolicIndex: return 0
        case .keyPath(let keys): return nesting(of: keys)
        case .keyPathOf(let base, let keys): return tight(base) + nesting(of: keys)
        case .function(let name, let target?, let arguments):
            if name == ExpressionNode.valueForKeyPath, arguments.count == 1, case .variable = arguments[0] {
                return tight(target)
            }
            return 2 + max(nesting(of: target), deepest(arguments))
        case .function(let name, nil, let arguments):
            let function = FunctionName(rawValue: name)
            if arguments.count == 2, let infix = function?.infix {
                return max(operand(arguments[0], infix.precedence), 1 + operand(arguments[1], infix.precedence + 1))
            }
            if arguments.count == 2, function == .objectAtIndex {
                return max(tight(arguments[0]), 1 + nesting(of: arguments[1]))
            }
            return (function == .cast ? 2 : 1) + deepest(arguments) + (function == .onesComplement ? 1 : 0)
        case .aggregate(let nodes), .block(_, let nodes): return 1 + deepest(nodes)
        case .subquery(let collection, _, let predicate):
            return 2 + max(nesting(of: collection), nesting(of: predicate))
        case .union(let a, let b), .intersect(let a, let b), .minus(let a, let b):
            return max(operand(a, InfixOperator.setPrecedence), 1 + operand(b, InfixOperator.setPrecedence + 1))
        case .conditional(let predicate, let yes, let no):
            return 2 + max(nesting(of: predicate), nesting(of: yes), nesting(of: no))
        case .assignment(_, let value): return 1 + nesting(of: value)
        case .fetch(let request, let context, _): return 2 + max(nesting(of: request), nesting(of: context))
        }
    }

    private static func deepest(_ nodes: [ExpressionNode]) -> Int {
        nodes.reduce(0) { max($0, nesting(of: $1)) }
    }

    /// The nesting of an expression before a dot or an index.
    private static func tight(_ node: ExpressionNode) -> Int { operand(node, InfixOperator.unaryPrecedence + 1) }

    /// A path has no levels, unless a key must be read by a method call.
    private static func nesting(of keys: [String]) -> Int {
        2 * keys.count { !isPlain($0) }
    }

    /// An operand gets parentheses if it binds less tightly than required; for `**` this counts one level too many.
    private static func operand(_ node: ExpressionNode, _ precedence: Int) -> Int {
        nesting(of: node) + (self.precedence(of: node) >= precedence ? 0 : 1)
    }
}

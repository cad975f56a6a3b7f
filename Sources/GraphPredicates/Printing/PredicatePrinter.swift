// Prints trees as formats in Apple's style that parse back to an equal tree. Values without a written form (blocks,
// objects) print as a description in angle brackets. Called by `predicateFormat` and descriptions.

import Foundation

/// Prints predicates and expressions.
package enum PredicatePrinter {
    /// The format of a predicate.
    package static func print(_ node: PredicateNode) -> String {
        switch node {
        case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): return print(comparison)
        case .and(let nodes): return join(nodes, "AND", empty: "TRUEPREDICATE")
        case .or(let nodes): return join(nodes, "OR", empty: "FALSEPREDICATE")
        case .not(let node): return "NOT " + part(node)
        case .block: return "BLOCKPREDICATE(<closure>)"
        }
    }

    private static func join(_ nodes: [PredicateNode], _ word: String, empty: String) -> String {
        switch nodes.count {
        case 0: return empty
        case 1: return print(nodes[0])
        default: return nodes.map { part($0) }.joined(separator: " \(word) ")
        }
    }

    /// A predicate inside another; compounds get parentheses, those of one predicate too.
    private static func part(_ node: PredicateNode) -> String {
        switch node {
        case .and(let nodes) where nodes.isEmpty: return print(node)
        case .or(let nodes) where nodes.isEmpty: return print(node)
        case .and, .or, .not: return "(" + print(node) + ")"
        case .constant, .comparison, .block: return print(node)
        }
    }

    private static func print(_ node: ComparisonNode) -> String {
        let qualifier: String
        switch node.modifier {
        case .direct: qualifier = ""
        case .any: qualifier = "ANY "
        case .all: qualifier = "ALL "
        }
        let op = node.op == .customSelector ? node.selector ?? "" : spelling(of: node.op)
        return "\(qualifier)\(print(node.left)) \(op)\(spelling(of: node.options)) \(print(node.right))"
    }

    private static func spelling(of op: ComparisonOperator) -> String {
        switch op {
        case .lessThan: return "<"
        case .lessThanOrEqual: return "<="
        case .greaterThan: return ">"
        case .greaterThanOrEqual: return ">="
        case .equal: return "=="
        case .notEqual: return "!="
        case .matches: return "MATCHES"
        case .like: return "LIKE"
        case .beginsWith: return "BEGINSWITH"
        case .endsWith: return "ENDSWITH"
        case .in: return "IN"
        case .contains: return "CONTAINS"
        case .between: return "BETWEEN"
        case .customSelector: return ""
        }
    }

    private static func spelling(of options: ComparisonOptions) -> String {
        var letters = ""
        if options.contains(.caseInsensitive) { letters += "c" }
        if options.contains(.diacriticInsensitive) { letters += "d" }
        if options.contains(.normalized) { letters += "n" }
        if options.contains(.localeSensitive) { letters += "l" }
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}

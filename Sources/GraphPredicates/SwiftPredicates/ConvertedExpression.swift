// The result of converting a part of a Swift predicate. Optionals keep Swift's semantics for nil: each layer has an
// expression that may be missing and its fallback. Created by the conversions; independent of models.

/// A converted part of a Swift predicate.
package struct ConvertedExpression {
    /// An expression that may be missing, and the fallback for the whole in that case.
    package struct Layer {
        /// The layer applies if this is nil.
        var subject: ExpressionNode
        /// The value if it applies; nil for Swift's nil.
        var fallback: Any?
    }

    package indirect enum Form {
        case constant(Any?)
        case expression(ExpressionNode)
        /// A condition; its layers give its value if it has none.
        case predicate(PredicateNode)
        /// The comparison of two texts as a number: -1, 0 or 1.
        case order(ExpressionNode, ExpressionNode, ComparisonOptions)
        case range(ConvertedRange)
    }

    package var form: Form
    /// From the inside out.
    package var layers: [Layer] = []
    /// Whether it is a to-many relationship or a part of one.
    package var isToMany = false

    init(_ form: Form, layers: [Layer] = [], isToMany: Bool = false) {
        self.form = form
        self.layers = layers
        self.isToMany = isToMany
    }

    /// A value that may be nil.
    static func nullable(_ node: ExpressionNode, fallback: Any? = nil) -> ConvertedExpression {
        ConvertedExpression(.expression(node), layers: [Layer(subject: node, fallback: fallback)])
    }

    static func predicate(_ node: PredicateNode) -> ConvertedExpression {
        if case .constant(let value) = node { return ConvertedExpression(.constant(value)) }
        return ConvertedExpression(.predicate(node))
    }

    /// The value as one expression.
    func node() throws -> ExpressionNode {
        var node: ExpressionNode
        switch form {
        case .constant(let value): return .constant(value)
        case .expression(let expression): node = expression
        case .predicate(let predicate): node = .conditional(predicate, .constant(true), .constant(false))
        case .order:
            throw UnconvertiblePredicate(
                form: "The result of comparing two texts",
                alternative: "Compare it with a ComparisonResult at once, as in "
                    + "`$0.name.caseInsensitiveCompare(other) == same`."
            )
        case .range:
            throw UnconvertiblePredicate(
                form: "A range as a value",
                alternative: "Use it in `range.contains(…)` only."
            )
        }
        for layer in layers {
            // A key path through nil is nil anyway.
            if layer.fallback == nil, case .expression(let expression) = form, expression.extends(layer.subject) {
                continue
            }
            node = .conditional(.isPresent(layer.subject), node, .constant(layer.fallback))
        }
        return node
    }

    /// The value as a condition.
    func predicate() throws -> PredicateNode {
        if case .constant(let value) = form { return .constant(EvaluatedValue(value).truth ?? false) }
        if case .predicate(let node) = form, layers.isEmpty { return node }
        return try Comparing.compare(self, .equal, constant: true, [])
    }

    /// The value if the form is a constant, regardless of layers; otherwise nil.
    var constant: Any?? {
        if case .constant(let value) = form { return .some(value) }
        return nil
    }
}

extension ExpressionNode {
    /// Whether this is a key path through, or to, another expression, and so is nil if that one is nil.
    func extends(_ other: ExpressionNode) -> Bool {
        switch (self, other) {
        case (.keyPath(let path), .keyPath(let start)):
            return path.starts(with: start) && !path.contains { $0.hasPrefix("@") }
        case (.keyPathOf(let base, let path), .keyPathOf(let other, let start)):
            return base == other && path.starts(with: start) && !path.contains { $0.hasPrefix("@") }
        case (.keyPathOf(let base, let path), _):
            return base == other && !path.contains { $0.hasPrefix("@") }
        default: return self == other
        }
    }
}

extension PredicateNode {
    static func isPresent(_ node: ExpressionNode) -> PredicateNode {
        .comparison(ComparisonNode(left: node, right: .constant(nil), op: .notEqual))
    }

    static func isMissing(_ node: ExpressionNode) -> PredicateNode {
        .comparison(ComparisonNode(left: node, right: .constant(nil), op: .equal))
    }

    /// Joins conditions with AND, without redundant layers.
    static func both(_ a: PredicateNode, _ b: PredicateNode) -> PredicateNode { joined(a, b, isAll: true) }

    /// Joins conditions with OR, without redundant layers.
    static func either(_ a: PredicateNode, _ b: PredicateNode) -> PredicateNode { joined(a, b, isAll: false) }

    private static func joined(_ a: PredicateNode, _ b: PredicateNode, isAll: Bool) -> PredicateNode {
        func parts(_ node: PredicateNode) -> [PredicateNode] {
            switch node {
            case .and(let nodes) where isAll: nodes
            case .or(let nodes) where !isAll: nodes
            default: [node]
            }
        }
        if case .constant(let value) = a { return value == isAll ? b : a }
        if case .constant(let value) = b { return value == isAll ? a : b }
        return isAll ? .and(parts(a) + parts(b)) : .or(parts(a) + parts(b))
    }

    var negated: PredicateNode {
        switch self {
        case .constant(let value): return .constant(!value)
        case .not(let node): return node
        case .comparison(var comparison) where comparison.modifier == .direct && comparison.op == .equal:
            comparison.op = .notEqual
            return .comparison(comparison)
        case .comparison(var comparison) where comparison.modifier == .direct && comparison.op == .notEqual:
            comparison.op = .equal
            return .comparison(comparison)
        default: return .not(self)
        }
    }

    /// The answer if an expression is nil, provided that this alone decides it.
    func answer(whereMissing subject: ExpressionNode) -> Bool? {
        switch self {
        case .constant(let value): return value
        case .comparison(let comparison):
            guard case .constant = comparison.right, comparison.left.extends(subject) else { return nil }
            switch comparison.modifier {
            case .any: return false
            case .all: return true
            case .direct:
                var test = comparison
                test.left = .constant(nil)
                return try? Evaluator(.comparison(test)).evaluate(nil)
            }
        case .and(let nodes):
            let answers = nodes.map { $0.answer(whereMissing: subject) }
            if answers.contains(false) { return false }
            return answers.contains(nil) ? nil : true
        case .or(let nodes):
            let answers = nodes.map { $0.answer(whereMissing: subject) }
            if answers.contains(true) { return true }
            return answers.contains(nil) ? nil : false
        case .not(let node): return node.answer(whereMissing: subject).map { !$0 }
        case .block: return nil
        }
    }
}

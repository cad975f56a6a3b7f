// Comparisons of converted values with Swift's semantics for nil and texts. If the meaning is the same, the nodes keep
// the form that an index can serve.

import Foundation

enum Comparing {
    static func compare(
        _ left: ConvertedExpression,
        _ op: ComparisonOperator,
        _ right: ConvertedExpression,
        _ options: ComparisonOptions = []
    ) throws -> PredicateNode {
        if let value = right.constant { return try compare(left, op, constant: value, options) }
        if let value = left.constant, let mirrored = op.swapped {
            return try compare(right, mirrored, constant: value, options)
        }
        if case .predicate = left.form { return try compareConditions(left, op, right) }
        if case .predicate = right.form { return try compareConditions(left, op, right) }
        return .comparison(
            ComparisonNode(left: try left.node(), right: try right.node(), op: op, options: options)
        )
    }

    /// Compares two conditions, neither of which is constant.
    private static func compareConditions(
        _ left: ConvertedExpression,
        _ op: ComparisonOperator,
        _ right: ConvertedExpression
    ) throws -> PredicateNode {
        guard left.layers.isEmpty, right.layers.isEmpty else {
            return .comparison(ComparisonNode(left: try left.node(), right: try right.node(), op: op))
        }
        let (a, b) = (try left.predicate(), try right.predicate())
        let same = PredicateNode.either(.both(a, b), .both(a.negated, b.negated))
        return op == .notEqual ? same.negated : same
    }

    static func compare(
        _ left: ConvertedExpression,
        _ op: ComparisonOperator,
        constant: Any?,
        _ options: ComparisonOptions
    ) throws -> PredicateNode {
        var result: PredicateNode
        let value = EvaluatedValue(constant)
        switch left.form {
        case .constant(let own): return .constant(try answer(own, op, constant, options))
        case .expression(let node):
            if value.isNull {
                // The value is nil only if a layer's fallback is used.
                result = .constant(op == .notEqual)
            } else {
                result = plain(node, op, constant, options)
            }
        case .predicate(let node):
            guard let wanted = value.truth else {
                result = .constant(op == .notEqual)
                break
            }
            result = wanted == (op == .equal) ? node : node.negated
        case .order(let a, let b, let folding):
            result = try order(a, b, folding, op, value)
        case .range: _ = try left.node(); return .constant(false)
        }
        return try layered(result, left.layers) { try answer($0, op, constant, options) }
    }

    /// Whether a value is in a range.
    static func contains(_ range: ConvertedRange, _ value: ConvertedExpression) throws -> PredicateNode {
        if range.includesUpper, let low = range.lower?.constant, let high = range.upper?.constant, let low, let high {
            return try compare(value, .between, constant: [low, high], [])
        }
        let op: ComparisonOperator = range.includesUpper ? .lessThanOrEqual : .lessThan
        func test(_ value: ConvertedExpression) throws -> PredicateNode {
            let low = try range.lower.map { try compare(value, .greaterThanOrEqual, $0) } ?? .constant(true)
            return .both(low, try range.upper.map { try compare(value, op, $0) } ?? .constant(true))
        }
        let bounds = [range.lower, range.upper].compactMap { $0 }
        guard bounds.allSatisfy({ $0.constant != nil }) else { return try test(value) }
        // Compare both bounds with the value if it is present; otherwise with the fallback, once.
        var present = value
        present.layers = []
        return try layered(try test(present), value.layers) { fallback in
            guard case .constant(let answer) = try test(ConvertedExpression(.constant(fallback))) else { return false }
            return answer
        }
    }

    /// Extends a condition on a present value to a value that may be missing.
    private static func layered(
        _ node: PredicateNode,
        _ layers: [ConvertedExpression.Layer],
        _ answer: (Any?) throws -> Bool
    ) throws -> PredicateNode {
        var result = node
        for layer in layers {
            let wanted = try answer(layer.fallback)
            if result.answer(whereMissing: layer.subject) == wanted { continue }
            result =
                wanted
                ? .either(result, .isMissing(layer.subject)) : .both(.isPresent(layer.subject), result)
        }
        return result
    }

    /// The result of comparing two constants in Swift.
    private static func answer(
        _ left: Any?,
        _ op: ComparisonOperator,
        _ right: Any?,
        _ options: ComparisonOptions
    ) throws -> Bool {
        let node = ComparisonNode(left: .constant(left), right: .constant(right), op: op, options: options)
        return try Evaluator(.comparison(node)).evaluate(nil)
    }

    private static func plain(
        _ node: ExpressionNode,
        _ op: ComparisonOperator,
        _ constant: Any?,
        _ options: ComparisonOptions
    ) -> PredicateNode {
        // In Swift, canonically equivalent texts are equal; the predicate language compares scalar values.
        if op == .equal || op == .notEqual, options.isEmpty, let text = EvaluatedValue(constant).text,
            !text.utf8.allSatisfy({ $0 < 0x80 })
        {
            var forms = [text]
            for form in [text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping]
            where !forms.contains(where: { TextOrder.areEqual($0, form) }) {
                forms.append(form)
            }
            if forms.count > 1 {
                let test = PredicateNode.comparison(
                    ComparisonNode(left: node, right: .aggregate(forms.map { .constant($0) }), op: .in)
                )
                return op == .equal ? test : .not(test)
            }
        }
        return .comparison(ComparisonNode(left: node, right: .constant(constant), op: op, options: options))
    }

    /// Compares the order of two texts with -1, 0 or 1.
    private static func order(
        _ left: ExpressionNode,
        _ right: ExpressionNode,
        _ options: ComparisonOptions,
        _ op: ComparisonOperator,
        _ value: EvaluatedValue
    ) throws -> PredicateNode {
        func test(_ op: ComparisonOperator) -> PredicateNode {
            .comparison(ComparisonNode(left: left, right: right, op: op, options: options))
        }
        guard op == .equal || op == .notEqual, let wanted = value.integerValue else {
            throw UnconvertiblePredicate(
                form: "An order of comparison results",
                alternative: "Compare the result with == or !=."
            )
        }
        let result: PredicateNode
        switch wanted {
        case -1: result = test(.lessThan)
        case 1: result = test(.greaterThan)
        default:
            // Different texts may still have the same order.
            result =
                options.contains(.localeSensitive)
                ? .and([test(.lessThanOrEqual), test(.greaterThanOrEqual)]) : test(.equal)
        }
        return op == .equal ? result : .not(result)
    }
}

extension ComparisonOperator {
    /// The operator with the same meaning when its sides are swapped; nil if there is none.
    var swapped: ComparisonOperator? {
        switch self {
        case .lessThan: .greaterThan
        case .lessThanOrEqual: .greaterThanOrEqual
        case .greaterThan: .lessThan
        case .greaterThanOrEqual: .lessThanOrEqual
        case .equal, .notEqual: self
        default: nil
        }
    }
}

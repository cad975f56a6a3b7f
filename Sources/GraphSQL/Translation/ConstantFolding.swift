// Parts of a predicate that concern no row are computed before translation, by the in-memory evaluator itself.
// Also the printing of expressions for messages. Used by ShapeBuilder and Translator.
import GraphEngine
import GraphPredicates

enum ConstantFolding {
    /// A computed constant; its value may be nil.
    struct Folded {
        var value: Any?
    }

    /// The value of an expression that needs no row, unless it is a constant already or is better kept in parts.
    static func constant(of node: ExpressionNode, entity: String) throws -> Folded? {
        switch node {
        case .constant, .evaluatedObject, .keyPath, .variable, .symbolicIndex: return nil
        case .aggregate(let elements):
            // Short lists stay lists, so that each element is bound for itself.
            guard elements.count > 64, elements.allSatisfy({ isConstant($0) }) else { return nil }
        default:
            guard isConstant(node) else { return nil }
        }
        return try translatingErrors(of: text(of: node), entity) {
            Folded(value: try ExpressionEvaluator(node).evaluate(nil))
        }
    }

    /// Runs an evaluation, and turns its errors into those of the translation.
    private static func translatingErrors<Result>(
        of expression: @autoclosure () -> String,
        _ entity: String,
        _ evaluate: () throws -> Result
    ) throws -> Result {
        do {
            return try evaluate()
        } catch {
            throw TranslationError(kind: .unsupported, entity: entity, expression: expression(), reason: "\(error)")
        }
    }

    /// The answer of a comparison between constants.
    static func answer(of node: PredicateNode, entity: String) throws -> Bool? {
        guard case .comparison(let comparison) = node, isConstant(comparison.left), isConstant(comparison.right) else {
            return nil
        }
        return try translatingErrors(of: text(of: node), entity) { try Evaluator(node).evaluate(nil) }
    }

    private static func isConstant(_ node: ExpressionNode) -> Bool {
        switch node {
        case .constant: true
        case .evaluatedObject, .variable, .keyPath, .subquery, .assignment, .anyKey, .block, .fetch: false
        case .symbolicIndex: true
        case .keyPathOf(let base, _): isConstant(base)
        case .function(let name, let target, let arguments):
            !isRandom(name) && target.map { isConstant($0) } ?? true && arguments.allSatisfy { isConstant($0) }
        case .aggregate(let elements): elements.allSatisfy { isConstant($0) }
        case .union(let left, let right), .intersect(let left, let right), .minus(let left, let right):
            isConstant(left) && isConstant(right)
        case .conditional(let condition, let left, let right):
            isConstant(condition) && isConstant(left) && isConstant(right)
        }
    }

    private static func isConstant(_ node: PredicateNode) -> Bool {
        switch node {
        case .constant: true
        case .comparison(let comparison): isConstant(comparison.left) && isConstant(comparison.right)
        case .and(let parts), .or(let parts): parts.allSatisfy { isConstant($0) }
        case .not(let part): isConstant(part)
        case .block: false
        }
    }

    /// Random numbers differ from row to row.
    private static func isRandom(_ name: String) -> Bool {
        switch FunctionName(rawValue: name) {
        case .random, .randomBelow, .randomN: true
        default: false
        }
    }

    // MARK: - Messages

    static func text(of node: PredicateNode) -> String {
        PredicatePrinter.print(restored(node))
    }

    static func text(of node: ExpressionNode) -> String {
        PredicatePrinter.print(restored(node))
    }

    /// The predicate with its constants back in their places.
    private static func restored(_ node: PredicateNode) -> PredicateNode {
        switch node {
        case .constant, .block: return node
        case .comparison(var comparison):
            comparison.left = restored(comparison.left)
            comparison.right = restored(comparison.right)
            return .comparison(comparison)
        case .and(let parts): return .and(parts.map { restored($0) })
        case .or(let parts): return .or(parts.map { restored($0) })
        case .not(let part): return .not(restored(part))
        }
    }

    private static func restored(_ node: ExpressionNode) -> ExpressionNode {
        switch node {
        case .constant(let value):
            if let hole = value as? Hole { .constant(hole.original) } else { node }
        case .block, .fetch: node
        default: node.replacingParts(predicates: { restored($0) }, expressions: { restored($0) })
        }
    }
}

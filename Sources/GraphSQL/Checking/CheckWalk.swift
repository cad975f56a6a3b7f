// One walk over a fetch. Predicates and comparisons here, expressions and key paths in the files beside.
import GraphEngine
import GraphModel
import GraphPredicates

/// The check of one fetch of one entity.
struct CheckWalk {
    let checker: FetchChecker
    let root: String
    /// SELF, and the start of key paths.
    let element: CheckedValue
    /// The variables that are bound at the current place.
    var variables: [String: CheckedValue] = [:]
    /// The names of selected expressions, which a condition on groups may use.
    var names: Set<String> = []

    init(_ checker: FetchChecker, entity: String) throws {
        self.checker = checker
        root = entity
        guard let checkedEntity = checker.model.entities[entity] else {
            throw TranslationError.unknownEntity(entity, in: "model", among: checker.model.entities.keys.sorted())
        }
        element = .value(.object(table: checkedEntity.tree, entity: entity))
    }

    func object(of entity: String) throws -> CheckedValue {
        guard let checkedEntity = checker.model.entities[entity] else {
            throw TranslationError.unknownEntity(entity, in: "model", among: checker.model.entities.keys.sorted())
        }
        return .value(.object(table: checkedEntity.tree, entity: entity))
    }

    func failure(
        _ kind: TranslationError.Kind,
        _ printed: String,
        _ reason: String,
        _ remedy: String? = nil
    ) -> TranslationError {
        TranslationError(kind: kind, entity: root, expression: printed, reason: reason, remedy: remedy)
    }

    // MARK: - Parts of a fetch

    func check(_ column: PlanColumn) throws {
        switch column {
        case .entityNumber, .primaryKey, .version, .stored, .large, .absent: return
        case .keyPath(let path):
            let node = ExpressionNode.keyPath(path)
            if path.first?.hasPrefix("@") == true { return }
            _ = try single(try value(of: node), ConstantFolding.text(of: node))
        case .expression(_, let node): _ = try value(of: node)
        }
    }

    func checkSort(_ keyPath: [String]) throws {
        let node = ExpressionNode.keyPath(keyPath)
        let printed = keyPath.joined(separator: ".")
        switch try value(of: node) {
        case .many, .list:
            throw failure(
                .unsupported,
                printed,
                "a to-many key path has no single value to sort by",
                "Sort by a value of a to-one relationship, or by an operator such as @count"
            )
        case .value, .null, .any: return
        }
    }

    // MARK: - Predicates

    func check(_ node: PredicateNode) throws {
        switch node {
        case .constant: return
        case .comparison(let comparison): try check(comparison)
        case .and(let parts), .or(let parts): for part in parts { try check(part) }
        case .not(let part): try check(part)
        case .block(let block):
            guard let refusal = block.refusal else { return }
            throw failure(.unsupported, refusal.subject, "\(refusal.form) has no form in SQL", refusal.alternative)
        }
    }

    private func check(_ node: ComparisonNode) throws {
        let left = try value(of: node.left)
        let right = try value(of: node.right)
        guard node.modifier != .direct else { return try check(left, right, node) }
        switch left {
        case .many(let element): try check(element, right, node)
        case .list(let elements): for element in elements { try check(element, right, node) }
        case .value, .null, .any: try check(left, right, node)
        }
    }

    private func check(_ left: CheckedValue, _ right: CheckedValue, _ node: ComparisonNode) throws {
        switch node.op {
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            try relation(left, right, ordering: node.op.isOrdering, node)
        case .between: try between(left, right, node)
        case .in: try membership(left, in: right, node)
        case .contains:
            switch left {
            case .many, .list: try membership(right, in: left, node)
            case .value, .null, .any: try texts(left, right, node)
            }
        case .beginsWith, .endsWith, .like, .matches: try texts(left, right, node)
        case .customSelector: return
        }
    }

    private func relation(
        _ left: CheckedValue,
        _ right: CheckedValue,
        ordering: Bool,
        _ node: ComparisonNode
    ) throws {
        switch (left, right) {
        case (.any, .list), (.list, .any): return
        // Whole collections are compared with the texts that sets were joined to.
        case (.any, .many) where node.left.isSet, (.many, .any) where node.right.isSet: return
        default: break
        }
        guard let leftKind = try single(left, node), let rightKind = try single(right, node) else {
            if ordering, let kind = try single(left, node) ?? single(right, node), !kind.canBeOrdered {
                throw failure(.incomparable, text(node), "\(kind.name) has no order", "Use == or IN")
            }
            return
        }
        guard leftKind.canMeet(rightKind) || (node.hasConstant && leftKind.readsAs(rightKind)) else {
            throw incomparable(leftKind, rightKind, node)
        }
        guard !ordering || (leftKind.canBeOrdered && rightKind.canBeOrdered) else {
            throw failure(.incomparable, text(node), "\(leftKind.name) has no order", "Use == or IN")
        }
    }

    private func between(_ left: CheckedValue, _ right: CheckedValue, _ node: ComparisonNode) throws {
        switch right {
        case .list(let bounds):
            guard bounds.count == 2 else { break }
            for bound in bounds { try relation(left, bound, ordering: true, node) }
            return
        case .any:
            _ = try single(left, node)
            return
        case .value, .many, .null: break
        }
        throw failure(
            .unsupported,
            text(node),
            "BETWEEN takes a list of two values on its right",
            "Write BETWEEN {low, high}"
        )
    }

    private func membership(_ element: CheckedValue, in collection: CheckedValue, _ node: ComparisonNode) throws {
        switch collection {
        case .any, .null: _ = try single(element, node)
        case .many(let member): try relation(member, element, ordering: false, node)
        case .list(let members):
            // A list may hold values of several kinds: those of other kinds equal nothing.
            guard let value = try single(element, node) else { return }
            for case .value(let member) in members
            where members.count == 1 && !value.canMeet(member) && !value.readsAs(member) {
                throw incomparable(value, member, node)
            }
        case .value(let kind):
            guard kind != .transformable, kind != .unknown else { return }
            guard kind == .text || kind == .entity else {
                throw failure(.incomparable, text(node), "\(kind.name) contains nothing", "IN needs a collection")
            }
            try texts(collection, element, node)
        }
    }

    private func texts(_ left: CheckedValue, _ right: CheckedValue, _ node: ComparisonNode) throws {
        for value in [left, right] {
            guard let kind = try single(value, node), kind != .transformable, kind != .unknown else { continue }
            guard kind == .text || kind == .entity else {
                throw failure(
                    .incomparable,
                    text(node),
                    "\(kind.name) is not a string",
                    "Text operators compare strings; use ==, < or BETWEEN"
                )
            }
        }
    }

    // MARK: - One value

    /// The kind of a single value; nil if the model does not define it.
    private func single(_ value: CheckedValue, _ node: ComparisonNode) throws -> ValueKind? {
        try single(value, text(node))
    }

    /// The kind of a single value; its text is made for an error only, as a list of many objects is slow to print.
    func single(_ value: CheckedValue, _ printed: @autoclosure () -> String) throws -> ValueKind? {
        switch value {
        case .value(let kind): return kind
        case .null, .any: return nil
        case .many:
            throw failure(
                .unsupported,
                printed(),
                "a to-many key path is not one value",
                "Put ANY, ALL or NONE before the comparison, or use an operator such as @count or SUBQUERY"
            )
        case .list: throw failure(.unsupported, printed(), "a list is not one value", "Use IN or BETWEEN")
        }
    }

    private func incomparable(_ left: ValueKind, _ right: ValueKind, _ node: ComparisonNode) -> TranslationError {
        failure(
            .incomparable,
            text(node),
            "\(left.name) cannot be compared with \(right.name)",
            "Compare with \(left.name), or use CAST"
        )
    }

    private func text(_ node: ComparisonNode) -> String { ConstantFolding.text(of: .comparison(node)) }
}

extension ExpressionNode {
    /// Whether it is `UNION`, `INTERSECT` or `MINUS`.
    fileprivate var isSet: Bool {
        switch self {
        case .union, .intersect, .minus: true
        default: false
        }
    }
}

extension ValueKind {
    /// Whether two values may be equal.
    fileprivate func canMeet(_ other: ValueKind) -> Bool {
        if self == .transformable || other == .transformable { return true }
        if self == .entity || other == .entity { return self == other || self == .text || other == .text }
        return merged(with: other) != nil
    }

    /// Whether one is a text and the other a number, a UUID or a URL: a constant is then read as the other side is.
    fileprivate func readsAs(_ other: ValueKind) -> Bool {
        (self == .text && other.canBeSpelled) || (canBeSpelled && other == .text)
    }

    private var canBeSpelled: Bool { isNumber || self == .uuid || self == .url }

    /// Whether it has an order, or may have one that only objects can provide.
    fileprivate var canBeOrdered: Bool { self == .transformable || isOrdered }
}

extension ComparisonNode {
    /// Whether a side is a constant, or a list that may hold some.
    fileprivate var hasConstant: Bool {
        func isConstant(_ side: ExpressionNode) -> Bool {
            switch side {
            case .constant: true
            case .aggregate(let elements): elements.contains(where: isConstant)
            default: false
            }
        }
        return isConstant(left) || isConstant(right)
    }
}

// Comparisons of two values: equality with nil, order, BETWEEN. NULL equals NULL if both sides can be it,
// and differs from all else, so nil equals nil and differs from everything else, as in memory.
import GraphEngine
import GraphPredicates

extension Translator {
    /// One comparison without its quantifier.
    func compare(_ left: Operand, _ right: Operand, _ node: ComparisonNode) throws -> SQLCondition {
        switch node.op {
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            return try relation(left, right, node.op, node)
        case .between: return try between(left, right, node)
        case .in: return try membership(left, right, node)
        case .contains:
            switch left {
            case .collection, .list: return try membership(right, left, node)
            case .hole(let hole):
                if case .list = hole.shape { return try membership(right, left, node) }
            case .value, .row: break
            }
            return try textTest(.contains, left, right, node)
        case .beginsWith: return try beginsWith(left, right, node)
        case .endsWith: return try textTest(.endsWith, left, right, node)
        case .like: return try textTest(.like, left, right, node)
        case .matches: return try textTest(.matches, left, right, node)
        case .customSelector:
            if node.selector == "UTI-EQUALS" {
                var plain = node
                plain.options = .caseInsensitive
                return try relation(left, right, .equal, plain)
            }
            throw failure(
                .needsMemory,
                node,
                "a method cannot be called inside the database",
                "Filter the fetched objects in memory"
            )
        }
    }

    func relation(
        _ left: Operand,
        _ right: Operand,
        _ op: ComparisonOperator,
        _ node: ComparisonNode
    ) throws -> SQLCondition {
        if case .hole(let hole) = right { return try relation(try single(left, node), hole, op, node) }
        if case .hole(let hole) = left {
            return try relation(try single(right, node), hole, op.mirrored, node)
        }
        let (left, right) = (try single(left, node), try single(right, node))
        if left.kind == .transformable || right.kind == .transformable { throw isTransformable(node) }
        guard left.kind.merged(with: right.kind) != nil, !op.isOrdering || left.kind.isOrdered else {
            throw failure(.incomparable, node, "\(left.kind.name) cannot be compared with \(right.kind.name)")
        }
        return try relation(left, right, op, node)
    }

    /// A value beside a constant.
    private func relation(
        _ left: SQLOperand,
        _ hole: Hole,
        _ op: ComparisonOperator,
        _ node: ComparisonNode
    ) throws -> SQLCondition {
        if hole.shape == .null {
            switch op {
            case .equal:
                return left.isNullable ? SQLCondition("\(left.atom) IS NULL", isNullable: false) : .never
            case .notEqual:
                return left.isNullable ? SQLCondition("\(left.atom) IS NOT NULL", isNullable: false) : .always
            default: return .never
            }
        }
        if left.kind == .entity, node.options.folds, hole.shape == .plain(.text) {
            return try relation(entityName(left), hole, op, node)
        }
        guard !op.isOrdering || left.kind.isOrdered else {
            if left.kind == .transformable { throw isTransformable(node) }
            throw failure(.incomparable, node, "\(left.kind.name) has no order", "Use == or IN")
        }
        if op == .equal, left.kind == .boolean, hole.shape == .plain(.integer), dialect.hasStaticTypes {
            // An index serves a Boolean column only as such. A number that is not a truth value is bound as NULL.
            let truth = SQLFragment.bind(.hole(hole.index, .value(.boolean)))
            return SQLCondition("\(left.atom) = \(truth)", isNullable: true)
        }
        guard let right = try constant(hole, beside: left.kind, node) else {
            if op.isOrdering, case .unstored(let value) = hole.shape, value.isOrdered {
                throw requiresMemory(value, in: ConstantFolding.text(of: .comparison(node)))
            }
            // No stored value equals it, none comes before or after it.
            return op == .notEqual ? .always : .never
        }
        return try relation(left, right, op, node)
    }

    /// A constant bound as the other side stores it; nil if no stored value can equal it.
    func constant(_ hole: Hole, beside kind: ValueKind, _ node: ComparisonNode) throws -> SQLOperand? {
        if let holeKind = hole.shape.kind, let storage = kind.storage(for: holeKind, in: dialect) {
            if case .object(let table) = hole.shape, case .object(let kindTable, _) = kind, table != kindTable {
                return nil
            }
            return SQLOperand(
                sql: .bind(.hole(hole.index, .value(storage))),
                kind: storage.numberKind ?? kind,
                isNullable: false
            )
        }
        if case .object = hole.shape, case .object = kind { return nil }
        if case .unstored(let value) = hole.shape, kind.storage(for: value.kind, in: dialect) != nil { return nil }
        if kind == .transformable { throw isTransformable(node) }
        throw failure(
            .incomparable,
            node,
            "\(kind.name) cannot be compared with \(hole.shape.name)",
            "Compare with \(kind.name), or use CAST"
        )
    }

    /// Only their transformers can compare transformable values.
    private func isTransformable(_ node: ComparisonNode) -> TranslationError {
        failure(
            .needsMemory,
            node,
            "its value is stored in a file, or as its transformer's bytes",
            "Filter the fetched objects in memory"
        )
    }

    private func relation(
        _ left: SQLOperand,
        _ right: SQLOperand,
        _ op: ComparisonOperator,
        _ node: ComparisonNode
    ) throws -> SQLCondition {
        let canBeNull = left.isNullable || right.isNullable
        if left.kind == .text || right.kind == .text, op.isOrdering ? node.options.ordersTexts : node.options.folds {
            return try folded(left, right, op, node)
        }
        let (left, right) = dialect.comparable(left, right, isOrdering: op.isOrdering)
        switch op {
        case .equal:
            return left.isNullable && right.isNullable
                ? SQLCondition(dialect.equals(left.atom, right.atom), isNullable: false)
                : SQLCondition("\(left.atom) = \(right.atom)", isNullable: canBeNull)
        case .notEqual:
            return canBeNull
                ? SQLCondition(dialect.differs(left.atom, right.atom), isNullable: false)
                : SQLCondition("\(left.atom) <> \(right.atom)", isNullable: false)
        default:
            return SQLCondition("\(left.atom)\(literal: op.sign)\(right.atom)", isNullable: canBeNull)
        }
    }

    /// A comparison of texts that overlooks case or accents, or follows a language's order.
    private func folded(
        _ left: SQLOperand,
        _ right: SQLOperand,
        _ op: ComparisonOperator,
        _ node: ComparisonNode
    ) throws -> SQLCondition {
        if node.options.folds, let foldedLeft = folded(left, node.options),
            let foldedRight = folded(right, node.options)
        {
            var plain = node
            plain.options.subtract(.folding)
            return try relation(foldedLeft, foldedRight, op, plain)
        }
        switch op {
        case .equal: return SQLCondition(try compare(.equal, left.sql, right.sql, node), isNullable: false)
        case .notEqual:
            return SQLCondition("NOT \(try compare(.equal, left.sql, right.sql, node))", isNullable: false)
        default:
            return SQLCondition(
                "\(try compare(.order, left.sql, right.sql, node))\(literal: op.sign)0",
                isNullable: left.isNullable || right.isNullable
            )
        }
    }

    private func between(_ left: Operand, _ right: Operand, _ node: ComparisonNode) throws -> SQLCondition {
        let wrong = failure(
            .unsupported,
            node,
            "BETWEEN takes a list of two values on its right",
            "Write BETWEEN {low, high}"
        )
        switch right {
        case .list(let bounds):
            guard bounds.count == 2 else { throw wrong }
            let plain = !node.options.ordersTexts
            if plain, case .value(let value) = left, let low = try bound(bounds[0], of: value, node),
                let high = try bound(bounds[1], of: value, node), isBetween(value, low, high)
            {
                return SQLCondition(
                    "\(value.atom) BETWEEN \(low.atom) AND \(high.atom)",
                    isNullable: value.isNullable || low.isNullable || high.isNullable
                )
            }
            return .all([
                try relation(left, bounds[0], .greaterThanOrEqual, node),
                try relation(left, bounds[1], .lessThanOrEqual, node),
            ])
        case .hole(let hole):
            let value = try single(left, node)
            guard case .list(let shapes, .marks(2), false) = hole.shape else { throw wrong }
            for case .unstored(let value) in shapes {
                throw requiresMemory(value, in: ConstantFolding.text(of: .comparison(node)))
            }
            var storage: StorageClass?
            for shape in shapes {
                guard let next = shape.kind.flatMap({ value.kind.storage(for: $0, in: dialect) }) else {
                    throw failure(.incomparable, node, "\(value.kind.name) cannot be compared with \(shape.name)")
                }
                storage = next.joined(with: storage)
            }
            guard let storage else { throw wrong }
            let ends = (0...1).map { place in
                SQLOperand(
                    sql: .bind(.hole(hole.index, .element(place, storage))),
                    kind: storage.numberKind ?? value.kind,
                    isNullable: false
                )
            }
            if node.options.ordersTexts && value.kind == .text || !isBetween(value, ends[0], ends[1]) {
                return .all([
                    try relation(value, ends[0], .greaterThanOrEqual, node),
                    try relation(value, ends[1], .lessThanOrEqual, node),
                ])
            }
            return SQLCondition(
                "\(value.atom) BETWEEN \(ends[0].sql) AND \(ends[1].sql)",
                isNullable: value.isNullable
            )
        case .value, .row, .collection: throw wrong
        }
    }

    /// Whether a value can precede BETWEEN unchanged: its comparison with neither end needs another form.
    private func isBetween(_ value: SQLOperand, _ low: SQLOperand, _ high: SQLOperand) -> Bool {
        [low, high].allSatisfy { end in
            let (left, right) = dialect.comparable(value, end, isOrdering: true)
            return left.sql == value.sql && right.sql == end.sql
        }
    }

    /// A bound of BETWEEN; nil if it is nil or cannot be written beside the value.
    private func bound(_ operand: Operand, of value: SQLOperand, _ node: ComparisonNode) throws -> SQLOperand? {
        if case .hole(let hole) = operand {
            return hole.shape == .null ? nil : try constant(hole, beside: value.kind, node)
        }
        let bound = try single(operand, node)
        guard value.kind.merged(with: bound.kind) != nil else {
            throw failure(.incomparable, node, "\(value.kind.name) cannot be compared with \(bound.kind.name)")
        }
        return bound
    }

    /// An operand that must be one value, constants bound in their own kind.
    func single(_ operand: Operand, _ node: ComparisonNode) throws -> SQLOperand {
        switch operand {
        case .value(let value): return value
        case .row(let cursor): return cursor.operand
        case .hole(let hole):
            if hole.shape == .null { return .null }
            if case .unstored(let value) = hole.shape {
                throw requiresMemory(value, in: ConstantFolding.text(of: .comparison(node)))
            }
            guard let kind = hole.shape.kind, let storage = kind.storage(for: kind, in: dialect) else {
                throw failure(.incomparable, node, "\(hole.shape.name) cannot be compared with one value")
            }
            return SQLOperand(sql: .bind(.hole(hole.index, .value(storage))), kind: kind, isNullable: false)
        case .collection:
            throw failure(ofCollectionIn: ConstantFolding.text(of: .comparison(node)))
        case .list:
            throw failure(.unsupported, node, "a list is not one value", "Use IN or BETWEEN")
        }
    }
}

extension ComparisonOptions {
    /// Whether the order of texts is another than that of their bytes.
    var ordersTexts: Bool { folds || contains(.localeSensitive) }
}

extension ComparisonOperator {
    /// The operator that means the same with its sides exchanged.
    var mirrored: ComparisonOperator {
        switch self {
        case .lessThan: .greaterThan
        case .lessThanOrEqual: .greaterThanOrEqual
        case .greaterThan: .lessThan
        case .greaterThanOrEqual: .lessThanOrEqual
        default: self
        }
    }

    var isOrdering: Bool { self != .equal && self != .notEqual }

    /// The sign of an ordering operator.
    var sign: StaticString {
        switch self {
        case .lessThan: " < "
        case .lessThanOrEqual: " <= "
        case .greaterThan: " > "
        default: " >= "
        }
    }
}

// The operators on texts: CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES. The dialect compares as the evaluator does; a
// plain BEGINSWITH on a column is a range that an index can serve.
import GraphPredicates

extension Translator {
    func textTest(
        _ comparison: TextComparison,
        _ left: Operand,
        _ right: Operand,
        _ node: ComparisonNode
    ) throws -> SQLCondition {
        if comparison != .matches, case .value(let subject) = left, subject.kind == .text, case .hole(let hole) = right,
            hole.shape == .unstored(.text)
        {
            // The text has U+0000, which this database cannot store, so no stored text contains it.
            return .never
        }
        guard var subject = try text(left, node), var pattern = try text(right, node) else { return .never }
        var node = node
        // MATCHES passes [c] on to the regular expression; only [d] folds the texts.
        let folding = node.options.intersection(comparison == .matches ? .diacriticInsensitive : .folding)
        if let foldedSubject = folded(subject, folding), let foldedPattern = folded(pattern, folding) {
            (subject, pattern) = (foldedSubject, foldedPattern)
            if dialect.convertsPatterns(of: comparison) {
                pattern.sql = try self.pattern(pattern.sql, right, comparison, node)
            }
            node.options.subtract(folding)
        }
        return SQLCondition(
            try compare(comparison, subject.sql, pattern.sql, node),
            isNullable: subject.isNullable || pattern.isNullable
        )
    }

    func beginsWith(_ left: Operand, _ right: Operand, _ node: ComparisonNode) throws -> SQLCondition {
        if case .value(let value) = left, value.kind == .text, case .hole(let hole) = right,
            hole.shape == .plain(.text), let column = folded(value, node.options)
        {
            let options = node.options.intersection(.folding)
            let form = options.isEmpty ? BindingForm.value(.text) : .folded(options)
            let low = SQLFragment.bind(.hole(hole.index, form))
            let end = SQLFragment.bind(.hole(hole.index, .prefixEnd(options)))
            return SQLCondition(
                "\(range(column, " >= ", low)) AND \(range(column, " < ", end))",
                isNullable: column.isNullable,
                level: .and
            )
        }
        return try textTest(.beginsWith, left, right, node)
    }

    private func range(_ subject: SQLOperand, _ sign: StaticString, _ end: SQLFragment) -> SQLFragment {
        let end = SQLOperand(sql: end, kind: .text, isNullable: false)
        let (left, right) = dialect.comparable(subject, end, isOrdering: true)
        return "\(left.atom)\(literal: sign)\(right.atom)"
    }

    /// A pattern in the dialect's own form.
    private func pattern(
        _ sql: SQLFragment,
        _ operand: Operand,
        _ comparison: TextComparison,
        _ node: ComparisonNode
    ) throws -> SQLFragment {
        if case .hole(let hole) = operand {
            return .bind(.hole(hole.index, .pattern(comparison, node.options.intersection(.folding))))
        }
        if let converted = dialect.pattern(sql, of: comparison) { return converted }
        throw failure(
            .needsMemory,
            node,
            "\(dialect.name) converts only constant patterns",
            "Filter the fetched objects in memory"
        )
    }

    /// A text folded by the options, so that it can be compared without them; nil if the dialect cannot fold it.
    func folded(_ value: SQLOperand, _ options: ComparisonOptions) -> SQLOperand? {
        let options = options.intersection(.folding)
        if options.isEmpty { return value }
        var result = value
        if value.sql.text == "?", case .hole(let hole, .value(.text))? = value.sql.bindings.first {
            guard dialect.folded(value.sql, options) != nil else { return nil }
            result.sql = .bind(.hole(hole, .folded(options)))
            return result
        }
        guard let sql = dialect.folded(value.sql, options) else { return nil }
        result.sql = sql
        result.isCompound = false
        return result
    }

    /// The dialect's comparison of two texts.
    func compare(
        _ comparison: TextComparison,
        _ subject: SQLFragment,
        _ pattern: SQLFragment,
        _ node: ComparisonNode
    ) throws -> SQLFragment {
        if let sql = dialect.compare(comparison, subject, pattern, node.options) { return sql }
        throw failure(
            .needsMemory,
            node,
            "\(dialect.name) cannot compare texts with this operator and its options",
            "Filter the fetched objects in memory"
        )
    }

    /// An operand as a text; nil if it is nil, which no text operator accepts.
    func text(_ operand: Operand, _ node: ComparisonNode) throws -> SQLOperand? {
        if case .hole(let hole) = operand, hole.shape == .null { return nil }
        let value = try single(operand, node)
        if value.kind == .entity { return entityName(value) }
        guard value.kind == .text || value.kind == .unknown else {
            throw failure(
                .incomparable,
                node,
                "\(value.kind.name) is not a string",
                "Text operators compare strings; use ==, < or BETWEEN"
            )
        }
        return value
    }

    /// A value that a key path reads: the name of an entity if the path asks for it, for which its number stands.
    func named(_ operand: Operand, _ node: ExpressionNode) -> Operand {
        guard case .value(let value) = operand, value.kind == .entity, node.keys?.suffix(2) == ["entity", "name"]
        else { return operand }
        return .value(entityName(value))
    }

    /// An entity's number as its name.
    func entityName(_ value: SQLOperand) -> SQLOperand {
        let cases = index.schema.entityOrder.compactMap { index.schema.entities[$0] }.map { entity in
            let name = SQLFragment.bind(.fixed(.text(entity.name)))
            return "WHEN \(number: entity.number) THEN \(name)" as SQLFragment
        }
        return SQLOperand(
            sql: "CASE \(value.sql) \(cases.joined(" ")) END",
            kind: .text,
            isNullable: true,
            isCompound: true
        )
    }
}

extension ComparisonOptions {
    /// The options that make different texts equal.
    static let folding: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
}

extension ExpressionNode {
    /// The keys of a key path; nil for another expression.
    fileprivate var keys: [String]? {
        switch self {
        case .keyPath(let keys), .keyPathOf(_, let keys): keys
        default: nil
        }
    }
}

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
        guard let subject = try text(left, node), let pattern = try text(right, node) else { return .never }
        return SQLCondition(
            try compare(comparison, subject.sql, pattern.sql, node),
            isNullable: subject.isNullable || pattern.isNullable
        )
    }

    func beginsWith(_ left: Operand, _ right: Operand, _ node: ComparisonNode) throws -> SQLCondition {
        if !node.options.folds, case .value(let column) = left, column.kind == .text,
            case .hole(let hole) = right, hole.shape == .plain(.text)
        {
            let low = SQLFragment.bind(.hole(hole.index, .value(.text)))
            let end = SQLFragment.bind(.hole(hole.index, .prefixEnd))
            return SQLCondition(
                "\(column.atom) >= \(low) AND \(column.atom) < \(end)",
                isNullable: column.isNullable,
                level: .and
            )
        }
        return try textTest(.beginsWith, left, right, node)
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
            "\(dialect.name) does not compare texts so",
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
                "\(value.kind.name) is no string",
                "Text operators compare strings; use ==, < or BETWEEN"
            )
        }
        return value
    }

    /// An entity's number as its name.
    private func entityName(_ value: SQLOperand) -> SQLOperand {
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

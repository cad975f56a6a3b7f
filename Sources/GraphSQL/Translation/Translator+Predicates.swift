// Predicates: compounds and the quantifiers of comparisons.
import GraphPredicates

extension Translator {
    func predicate(_ node: PredicateNode, _ environment: Environment) throws -> SQLCondition {
        switch node {
        case .constant(let value): value ? .always : .never
        case .comparison(let comparison): try self.comparison(comparison, environment)
        case .and(let parts): .all(try parts.map { try predicate($0, environment) })
        case .or(let parts): .any(try parts.map { try predicate($0, environment) })
        case .not(let part): try predicate(part, environment).negated
        case .block(let block):
            if let refusal = block.refusal {
                throw failure(
                    .unsupported,
                    printed: refusal.subject,
                    refusal.form + " has no form in SQL",
                    refusal.alternative
                )
            }
            throw failure(.needsMemory, printed: "BLOCKPREDICATE", "a closure cannot run inside the database")
        }
    }

    private func comparison(_ node: ComparisonNode, _ environment: Environment) throws -> SQLCondition {
        let left = try expression(node.left, environment)
        let right = try expression(node.right, environment)
        if node.modifier == .direct { return try compare(left, right, node) }
        switch left {
        case .collection(let collection):
            let condition = try compare(collection.element.operand, right, node)
            return node.modifier == .any
                ? exists(collection, where: condition)
                : exists(collection, where: condition.negated).negated
        case .list(let elements):
            let conditions = try elements.map { try compare($0, right, node) }
            return node.modifier == .any ? .any(conditions) : .all(conditions)
        case .hole(let hole):
            guard case .list = hole.shape else { break }
            if node.modifier == .any, node.op == .equal { return try membership(right, left, node) }
            guard let rows = rows(of: hole) else { break }
            let condition = try compare(.value(rows.value), right, node)
            let tested = node.modifier == .any ? condition : condition.negated
            let test = SQLCondition("EXISTS (\(rows.source)\(whereClause(tested)))", isNullable: false)
            return node.modifier == .any ? test : test.negated
        case .value, .row:
            // One value is a collection of one, nil an empty one.
            let value = try single(left, node)
            let condition = try compare(left, right, node)
            guard value.isNullable else { return condition }
            return node.modifier == .any
                ? .all([SQLCondition("\(value.atom) IS NOT NULL", isNullable: false), condition])
                : .any([SQLCondition("\(value.atom) IS NULL", isNullable: false), condition])
        }
        let word = node.modifier == .any ? "ANY" : "ALL"
        throw failure(
            .needsMemory,
            node,
            "\(word) needs a to-many key path or a collection of one kind on its left",
            "Filter the fetched objects in memory"
        )
    }

    /// Whether the collection has an element for which the condition, written over its element, holds.
    func exists(_ collection: CollectionSource, where condition: SQLCondition) -> SQLCondition {
        let all = SQLCondition.all(collection.scope.conditions + [condition])
        if all.constant == false { return .never }
        return SQLCondition("EXISTS (SELECT 1\(collection.scope.clause)\(whereClause(all)))", isNullable: false)
    }

    func whereClause(_ condition: SQLCondition) -> SQLFragment {
        condition.constant == true ? "" : " WHERE \(sql(condition))"
    }
}

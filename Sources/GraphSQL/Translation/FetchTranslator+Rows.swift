// Conditions on one row, without the statement around them: for check constraints, and for statements that change all rows
// of a fetch.
import GraphPredicates

/// The rows that a statement changes.
package struct ChosenRows {
    /// The table with its alias.
    let table: String
    /// The condition with its keyword, or nothing if all rows are meant; its marks are `?`.
    let condition: String
    /// The values of the marks.
    package let values: [SQLValue]
    /// The values to compute for each row, from its own columns.
    package let computed: [Computed]

    /// The text of an expression, and the values of its marks.
    package struct Computed {
        let text: String
        package let values: [SQLValue]
    }
}

extension FetchTranslator {
    /// A predicate about an entity's objects as a condition on one row, with its values as literals.
    ///
    /// - Parameters:
    ///   - predicate: The predicate.
    ///   - entity: The name of the entity.
    /// - Returns: The text; nil if the condition does not depend on the row, or depends on others.
    /// - Throws: `TranslationError`.
    package func rowCondition(_ predicate: PredicateNode, entity: String) throws -> String? {
        let plan = FetchPlan(entity: entity, predicate: predicate)
        let (shape, translator, constants) = try checkedShape(plan, ConstantResolvers())
        guard let predicate = shape.predicate, let condition = try translator.rowCondition(predicate)
        else { return nil }
        let dialect = index.schema.dialect
        let sql = dialect.marks.written(condition)
        let bindings = try sql.bindings.map {
            try $0.value(constants, entity: entity, limit: 0, offset: 0, index: index)
        }
        return SQLStatement(sql.text, bindings).printed(in: dialect)
    }

    /// The rows of a fetch, for a statement that changes them in one table.
    ///
    /// - Parameters:
    ///   - plan: The fetch; its order does not matter. Its columns are the values to compute.
    ///   - resolvers: The store's knowledge about constants that are objects or entities.
    /// - Returns: The rows; nil if their keys have to be read first, or values of other rows are needed.
    /// - Throws: `TranslationError`.
    package func chosenRows(_ plan: FetchPlan, constants resolvers: ConstantResolvers) throws -> ChosenRows? {
        guard plan.limit == 0, plan.offset == 0 else { return nil }
        let (shape, translator, constants) = try checkedShape(plan, resolvers)
        guard let (table, condition, columns) = try translator.rows(of: shape),
            ParenthesisDepth.of(condition.text) <= Self.surelyRead,
            // A subquery could read rows that the statement has changed before.
            columns.allSatisfy({ ParenthesisDepth.of($0.text) <= Self.surelyRead && !$0.text.contains("SELECT") })
        else { return nil }
        func values(_ fragment: SQLFragment) throws -> [SQLValue] {
            try fragment.bindings.map {
                try $0.value(constants, entity: plan.entity, limit: 0, offset: 0, index: index)
            }
        }
        return ChosenRows(
            table: table,
            condition: condition.text,
            values: try values(condition),
            computed: try columns.map { ChosenRows.Computed(text: $0.text, values: try values($0)) }
        )
    }
}

extension Translator {
    /// A predicate as a condition on one row of the root entity's table; nil if it needs other rows or none.
    fileprivate func rowCondition(_ predicate: PredicateNode) throws -> SQLFragment? {
        // Constraints name no table, so that partitions can have them.
        let row = try firstRow(rootEntity, alias: "")
        let condition = try self.predicate(predicate, Environment(element: .row(row)))
        guard condition.constant == nil, row.scope.conditions.isEmpty, !row.scope.hasJoins,
            !condition.sql.text.contains("SELECT")
        else { return nil }
        return condition.sql
    }
}

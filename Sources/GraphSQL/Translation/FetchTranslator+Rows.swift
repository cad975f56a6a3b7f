// Conditions on one row, without the statement around them: for check constraints.
import GraphPredicates

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
        var builder = ShapeBuilder(resolvers: ConstantResolvers(), index: index, entity: entity, makesHoles: true)
        let shape = try builder.plan(plan)
        try checker?.check(shape)
        let translator = Translator(index: index, rootEntity: entity, isUnstored: isUnstored)
        try translator.checkHeight(shape.predicate, nil)
        guard let predicate = shape.predicate, let condition = try translator.rowCondition(predicate)
        else { return nil }
        let dialect = index.schema.dialect
        let sql = dialect.marks.written(condition)
        let bindings = try sql.bindings.map {
            try $0.value(builder.constants, entity: entity, limit: 0, offset: 0, index: index)
        }
        return SQLStatement(sql.text, bindings).printed(in: dialect)
    }
}

extension Translator {
    /// A predicate as a condition on one row of the root entity's table; nil if it needs other rows or none.
    fileprivate func rowCondition(_ predicate: PredicateNode) throws -> SQLFragment? {
        let entity = try entity(rootEntity)
        // Constraints name no table, so that partitions can have them.
        let scope = Scope(table: entity.tableName, alias: "", path: "", aliasSource: aliases)
        let row = RowCursor(
            scope: scope,
            entity: entity,
            key: column("", entity.own.key),
            path: "",
            isNullable: false
        )
        let condition = try self.predicate(predicate, Environment(element: .row(row)))
        guard condition.constant == nil, scope.conditions.isEmpty, !scope.hasJoins,
            !condition.sql.text.contains("SELECT")
        else { return nil }
        return condition.sql
    }
}

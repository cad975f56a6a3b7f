// The walk from a shape (a plan with holes for constants) to SQL text with bindings. One instance serves one
// statement. Called by FetchTranslator; its parts are in Translator+….swift. It never sees a constant's value.
import GraphEngine
import GraphPredicates

/// Writes one statement.
final class Translator {
    let index: SchemaIndex
    /// Whether the model has a property of this entity that no table holds: transient, fetched or computed.
    let isUnstored: @Sendable (_ entity: String, _ property: String) -> Bool
    let rootEntity: String
    let aliases: AliasSource

    /// The database's spelling of SQL.
    var dialect: any SQLDialect { index.schema.dialect }

    init(
        index: SchemaIndex,
        rootEntity: String,
        isUnstored: @escaping @Sendable (_ entity: String, _ property: String) -> Bool
    ) {
        self.index = index
        self.rootEntity = rootEntity
        self.isUnstored = isUnstored
        aliases = AliasSource(index.schema.dialect)
    }

    /// A column of the table that an alias stands for.
    func column(_ alias: String, _ name: String) -> SQLFragment { .column(alias, name, dialect) }

    /// A condition as SQL.
    func sql(_ condition: SQLCondition) -> SQLFragment {
        condition.constant.map { dialect.truth($0) } ?? condition.sql
    }

    /// The meaning of names at a place of the predicate.
    struct Environment {
        /// SELF, and the start of key paths.
        var element: Element
        /// The variables of the SUBQUERYs around.
        var variables: [String: Element] = [:]
        /// The selected expressions, by the names of their descriptions: HAVING and sorts may use them.
        var named: [String: SQLOperand] = [:]
        /// Whether `sum:` and its like run over the rows of the statement.
        var allowsAggregates = false
    }

    func entity(_ name: String) throws -> EntitySchema {
        if let entity = index.schema.entities[name] { return entity }
        throw TranslationError.unknownEntity(name, in: "store", among: index.schema.entityOrder)
    }

    func failure(
        _ kind: TranslationError.Kind,
        _ expression: ExpressionNode,
        _ reason: String,
        _ remedy: String? = nil
    ) -> TranslationError {
        failure(kind, printed: ConstantFolding.text(of: expression), reason, remedy)
    }

    func failure(
        _ kind: TranslationError.Kind,
        _ comparison: ComparisonNode,
        _ reason: String,
        _ remedy: String? = nil
    ) -> TranslationError {
        failure(kind, printed: ConstantFolding.text(of: .comparison(comparison)), reason, remedy)
    }

    /// The error for the objects of a to-many relationship in a place where one value is needed.
    func failure(ofCollectionIn printed: String) -> TranslationError {
        failure(
            .unsupported,
            printed: printed,
            "a to-many key path is not one value",
            "Put ANY, ALL or NONE before the comparison, or use an operator such as @count or SUBQUERY"
        )
    }

    /// The error for a constant that the database cannot compute with.
    func requiresMemory(_ value: UnstoredValue, in printed: String) -> TranslationError {
        failure(.needsMemory, printed: printed, value.reason, "Filter the fetched objects in memory")
    }

    func failure(
        _ kind: TranslationError.Kind,
        printed: String,
        _ reason: String,
        _ remedy: String? = nil
    ) -> TranslationError {
        TranslationError(kind: kind, entity: rootEntity, expression: printed, reason: reason, remedy: remedy)
    }
}

// The door to this folder: a plan goes in, a statement with its values comes out. Held by a store for its lifetime;
// safe to call from any thread. It runs no SQL.
import GraphPredicates

/// Translates fetches over one schema into its dialect, and caches the text of each shape.
package final class FetchTranslator: Sendable {
    let index: SchemaIndex
    let isUnstored: @Sendable (_ entity: String, _ property: String) -> Bool
    let checker: FetchChecker?
    private let isTooDeep: (@Sendable (_ text: String) -> Bool)?
    private let cache: TranslationCache

    /// - Parameters:
    ///   - schema: The places of the store's entities.
    ///   - capacity: How many shapes are remembered.
    ///   - checker: The check against the model, made once for each shape; nil leaves it out.
    ///   - isUnstored: Whether the model has a property of this entity that no table holds (transient, fetched or
    ///     computed). Such a property gives `.needsMemory` instead of `.unknownKey`.
    ///   - isTooDeep: Whether the database cannot read a statement, because it is nested too deep for its parser. Asked
    ///     once for each shape with many parentheses.
    package init(
        schema: StoreSchema,
        capacity: Int = 512,
        checker: FetchChecker? = nil,
        isUnstored: @escaping @Sendable (_ entity: String, _ property: String) -> Bool = { _, _ in false },
        isTooDeep: (@Sendable (_ text: String) -> Bool)? = nil
    ) {
        index = SchemaIndex(schema)
        self.checker = checker
        self.isUnstored = isUnstored
        self.isTooDeep = isTooDeep
        cache = TranslationCache(capacity: capacity)
    }

    /// The statement for a fetch.
    ///
    /// - Parameters:
    ///   - plan: The fetch.
    ///   - resolvers: The store's knowledge about constants that are objects or entities.
    /// - Returns: The text, its values and the content of its columns.
    /// - Throws: `TranslationError`; its kind `.needsMemory` means that objects can answer the fetch, but tables
    /// cannot.
    package func translate(
        _ plan: FetchPlan,
        constants resolvers: ConstantResolvers = ConstantResolvers()
    ) throws -> TranslatedFetch {
        let (recipe, constants) = try recipe(plan, resolvers)
        return TranslatedFetch(statement: try statement(recipe, constants, plan), columns: recipe.columns)
    }

    /// The statement for a fetch, and its shape to compare the next fetch with; no shape if that takes more than a
    /// comparison.
    ///
    /// - Parameters and errors: as those of `translate(_:constants:)`.
    package func translateKnown(
        _ plan: FetchPlan,
        constants resolvers: ConstantResolvers = ConstantResolvers()
    ) throws -> (statement: SQLStatement, known: KnownFetch?) {
        let (recipe, constants) = try recipe(plan, resolvers)
        return (try statement(recipe, constants, plan), KnownFetch(plan, constants, recipe, index))
    }

    private func statement(
        _ recipe: TranslationRecipe,
        _ constants: [Constant],
        _ plan: FetchPlan
    ) throws -> SQLStatement {
        SQLStatement(
            recipe.text,
            try recipe.bindings.map {
                try $0.value(constants, entity: plan.entity, limit: plan.limit, offset: plan.offset, index: index)
            }
        )
    }

    /// The recipe for a plan's shape, and the plan's constants.
    private func recipe(
        _ plan: FetchPlan,
        _ resolvers: ConstantResolvers
    ) throws -> (recipe: TranslationRecipe, constants: [Constant]) {
        var builder = ShapeBuilder(resolvers: resolvers, index: index, entity: plan.entity, makesHoles: false)
        try builder.read(plan)
        let recipe: TranslationRecipe
        if let cached = cache[builder.key] {
            recipe = cached
        } else {
            let (shape, translator, _) = try checkedShape(plan, resolvers)
            let output = try translator.select(shape)
            let sql = index.schema.dialect.marks.written(output.sql)
            if ParenthesisDepth.of(sql.text) > Self.surelyRead, isTooDeep?(sql.text) == true {
                throw translator.tooDeep
            }
            recipe = TranslationRecipe(text: sql.text, bindings: sql.bindings, columns: output.columns)
            cache[builder.key] = recipe
        }
        return (recipe, builder.constants)
    }

    /// The shape of a plan that the model has been asked about, with the plan's constants.
    func checkedShape(
        _ plan: FetchPlan,
        _ resolvers: ConstantResolvers
    ) throws -> (shape: FetchPlan, translator: Translator, constants: [Constant]) {
        var builder = ShapeBuilder(resolvers: resolvers, index: index, entity: plan.entity, makesHoles: true)
        let shape = try builder.plan(plan)
        try checker?.check(shape)
        let translator = Translator(index: index, rootEntity: plan.entity, isUnstored: isUnstored)
        try translator.checkHeight(shape.predicate, shape.having)
        return (shape, translator, builder.constants)
    }

    /// Parentheses inside each other that the parser of every database reads.
    static let surelyRead = 12

    /// The number of fetches whose text was cached, and of those that had to be translated.
    package var cacheCounts: (hits: Int, misses: Int) { cache.counts }
}

// The places of a model in the tables of one open store, and the way from a fetch to its statement. Made by an engine
// when it opens; the same for all of its connections.
import GraphEngine
import GraphModel
import GraphPredicates

/// A model in the tables of a store.
package final class TableMap: @unchecked Sendable {
    // Unchecked: the columns, whose type may hold expressions, are immutable.

    package let model: ModelLayout
    package let schema: StoreSchema
    /// The columns selected from each tree's rows, by tree; empty for a tree that is not in this store.
    package let treeColumns: [[PlanColumn]]
    package let translator: FetchTranslator
    private let entityByNumber: [Int: Int]
    /// The number of each entity of the model, 0 for those that the store does not contain.
    private let numbers: [Int64]

    /// Finds the places.
    ///
    /// - Parameters:
    ///   - model: The layouts of all entities.
    ///   - schema: The store's tables.
    ///   - checker: Checks fetches against the whole model.
    ///   - isUnstored: As for `FetchTranslator`.
    ///   - isTooDeep: As for `FetchTranslator`.
    /// - Throws: `EngineError` of the kind `incompatibleSchema` for a property without a column.
    package init(
        _ model: ModelLayout,
        _ schema: StoreSchema,
        checker: FetchChecker? = nil,
        isUnstored: @escaping @Sendable (_ entity: String, _ property: String) -> Bool = { _, _ in false },
        isTooDeep: (@Sendable (_ text: String) -> Bool)? = nil
    ) throws {
        self.model = model
        self.schema = schema
        var indexes: [Int: Int] = [:]
        var numbers = [Int64](repeating: 0, count: model.entities.count)
        for layout in model.entities {
            guard let entity = schema.entities[layout.name] else { continue }
            if let number = Int(exactly: entity.number) { indexes[number] = layout.index }
            numbers[layout.index] = entity.number
        }
        entityByNumber = indexes
        self.numbers = numbers
        treeColumns = try model.trees.map { try Self.selectColumns($0, model, schema) }
        translator = FetchTranslator(
            schema: schema,
            checker: checker,
            isUnstored: isUnstored,
            isTooDeep: isTooDeep
        )
    }

    // MARK: Entities

    package func entityIndex(number: Int64) -> Int? {
        Int(exactly: number).flatMap { entityByNumber[$0] }
    }

    package func entityNumber(_ layout: EntityLayout) -> Int64 { entityNumber(at: layout.index) }

    /// The number of the entity at an index of the model; 0 if the store does not contain it.
    package func entityNumber(at index: Int) -> Int64 { numbers[index] }

    package func property(_ layout: EntityLayout, _ slot: Int) -> PropertySchema? {
        schema.entities[layout.name]?.properties[layout.properties[slot].name]
    }

    /// The join table of a relationship; nil if it has none.
    package func manyToMany(_ layout: EntityLayout, _ slot: Int) -> ManyToMany? {
        if case .manyToMany(let join) = property(layout, slot) { join } else { nil }
    }

    /// The owner's column in the members' rows, for a to-many relationship without an inverse.
    package func ownerColumn(_ layout: EntityLayout, _ slot: Int) -> ToManyInverse? {
        guard case .toManyInverse(let inverse) = property(layout, slot), inverse.inverse.isEmpty else { return nil }
        return inverse
    }

    // MARK: Fetches

    package func plan(_ fetch: StoreFetch) -> FetchPlan {
        FetchPlan(
            entity: fetch.layout.name,
            includesSubentities: fetch.includesSubentities,
            predicate: fetch.predicate,
            sort: fetch.sort,
            limit: fetch.limit,
            offset: fetch.offset
        )
    }

    package func translate(_ plan: FetchPlan, for host: (any EngineHost)?) throws -> TranslatedFetch {
        try translator.translate(plan, constants: resolvers(host))
    }

    /// The statement that fetches whole rows.
    package func translate(_ fetch: StoreFetch, for host: (any EngineHost)?) throws -> SQLStatement {
        try translate(wholeRows(fetch), for: host).statement
    }

    /// The statement that fetches whole rows, and its shape if the next fetch can be compared with it.
    package func translateKnown(_ fetch: StoreFetch, for host: (any EngineHost)?) throws -> (
        statement: SQLStatement, known: KnownFetch?
    ) {
        try translator.translateKnown(wholeRows(fetch), constants: resolvers(host))
    }

    private func wholeRows(_ fetch: StoreFetch) -> FetchPlan {
        var plan = self.plan(fetch)
        plan.columns = treeColumns[fetch.layout.tree.index]
        plan.isWholeRow = true
        return plan
    }

    package func translate(
        _ fetch: StoreFetch,
        columns: [PlanColumn],
        for host: (any EngineHost)?
    ) throws -> SQLStatement {
        var plan = self.plan(fetch)
        plan.columns = columns
        return try translate(plan, for: host).statement
    }

    package func translate(
        _ fetch: StoreFetch,
        _ columns: ColumnFetch,
        for host: (any EngineHost)?
    ) throws -> TranslatedFetch {
        var plan = self.plan(fetch)
        plan.columns = columns.columns
        plan.isDistinct = columns.isDistinct
        plan.groupBy = columns.groupBy
        plan.having = columns.having
        return try translate(plan, for: host)
    }

    /// The statement for a fetch of rows, of dictionaries, or of their number.
    package func statement(
        _ fetch: StoreFetch,
        columns: ColumnFetch?,
        isCount: Bool,
        for host: (any EngineHost)?
    ) throws -> SQLStatement {
        if isCount {
            var plan = self.plan(fetch)
            plan.form = .count
            return try translate(plan, for: host).statement
        }
        if let columns { return try translate(fetch, columns, for: host).statement }
        return try translate(fetch, for: host)
    }

    package func split(_ fetch: StoreFetch, for host: (any EngineHost)?) throws -> SplitStoreFetch {
        let split = try translator.split(plan(fetch), constants: resolvers(host))
        var result = fetch
        result.predicate = split.plan.predicate
        if !split.isSorted { result.sort = [] }
        (result.limit, result.offset) = (0, 0)
        return SplitStoreFetch(fetch: result, remainder: split.remainder, isSorted: split.isSorted)
    }

    /// The rows of a fetch and values to compute, for a statement that changes the rows; nil if keys or values have to be
    /// read first.
    package func chosenRows(
        _ fetch: StoreFetch,
        computing columns: [PlanColumn],
        for host: (any EngineHost)?
    ) throws -> ChosenRows? {
        var plan = self.plan(fetch)
        plan.columns = columns
        return try translator.chosenRows(plan, constants: resolvers(host))
    }

    private func resolvers(_ host: (any EngineHost)?) -> ConstantResolvers {
        ConstantResolvers(
            object: { [self] in reference(of: $0, host) },
            entityName: { host?.entityName(of: $0) }
        )
    }

    /// The row of an object or identifier in a predicate.
    private func reference(of constant: Any, _ host: (any EngineHost)?) -> ObjectReference? {
        guard let row = host?.row(of: constant) else { return nil }
        guard numbers.indices.contains(Int(row.key.entity)) else {
            // An object of another model, with more entities.
            return ObjectReference(entityNumber: 0, primaryKey: -1, isTemporary: true)
        }
        return ObjectReference(
            entityNumber: entityNumber(at: Int(row.key.entity)),
            primaryKey: row.key.primaryKey,
            isTemporary: row.key.primaryKey <= 0 || row.isElsewhere
        )
    }

    // MARK: Columns

    private static func selectColumns(
        _ tree: TreeLayout,
        _ model: ModelLayout,
        _ schema: StoreSchema
    ) throws -> [PlanColumn] {
        guard schema.entities[tree.rootName] != nil else { return [] }
        var columns: [PlanColumn] = [.primaryKey, .version]
        if tree.isInTree { columns.append(.entityNumber) }
        for column in tree.columns {
            guard let property = schema.entities[column.entityName]?.properties[column.propertyName] else {
                guard leadsOutside(column, model, schema) else { throw missingColumn(column) }
                columns.append(.absent)
                continue
            }
            switch property {
            case .attribute(let attribute):
                columns.append(attribute.isExternal ? .large(attribute.column) : .stored(attribute.column))
            case .toOne(let toOne):
                if let name = column.isEntityNumber ? toOne.entityColumn : toOne.column {
                    columns.append(.stored(name))
                } else {
                    guard leadsOutside(column, model, schema) else { throw missingColumn(column) }
                    columns.append(.absent)
                }
            case .toManyInverse, .manyToMany:
                throw missingColumn(column)
            }
        }
        return columns
    }

    /// Whether a column belongs to a relationship to an entity outside this store's configuration.
    private static func leadsOutside(_ column: TreeLayout.Column, _ model: ModelLayout, _ schema: StoreSchema) -> Bool {
        guard let layout = model.byName[column.entityName], let slot = layout.slot(named: column.propertyName),
            layout.properties[slot].kind == .toOne || layout.properties[slot].kind == .toMany
        else { return false }
        return schema.entities[layout.destination(slot)?.name ?? ""] == nil
    }

    private static func missingColumn(_ column: TreeLayout.Column) -> EngineError {
        EngineError(
            .incompatibleSchema,
            "The store has no column for \(column.entityName).\(column.propertyName).",
            remedy: "Check that the property's type can be stored in this version."
        )
    }
}

// From fetches to statements: the store's part, the same for all connections. Called by readers.
import Foundation
import GraphModel
import GraphPredicates
import GraphSQL
import GraphSQLite

extension SQLiteStore {
    func cursor(_ fetch: StoreFetch) throws -> RowCursor? {
        guard hasGenerations else { return nil }
        let tree = fetch.layout.tree
        return try mapErrors {
            let statement = try translate(fetch, columns: treeColumns[tree.index])
            return try RowCursor(readGeneration(isCursor: true), statement, kinds: tree.kinds, url: url)
        }
    }

    func split(_ fetch: StoreFetch) throws -> SplitStoreFetch {
        try mapErrors {
            guard let translator else { throw SQLiteError(code: 21, message: "the store is closed") }
            let split = try translator.split(plan(fetch), constants: resolvers)
            var result = fetch
            result.predicate = split.plan.predicate
            if !split.isSorted { result.sort = [] }
            (result.limit, result.offset) = (0, 0)
            return SplitStoreFetch(fetch: result, remainder: split.remainder, isSorted: split.isSorted)
        }
    }

    func plan(_ fetch: StoreFetch) -> FetchPlan {
        FetchPlan(
            entity: fetch.layout.name,
            includesSubentities: fetch.includesSubentities,
            predicate: fetch.predicate,
            sort: fetch.sort,
            limit: fetch.limit,
            offset: fetch.offset
        )
    }

    func translate(_ fetch: StoreFetch, _ properties: DictionaryPlan) throws -> TranslatedFetch {
        var plan = self.plan(fetch)
        plan.columns = properties.columns
        plan.isDistinct = properties.isDistinct
        plan.groupBy = properties.groupBy
        plan.having = properties.having
        return try translate(plan)
    }

    func translate(_ fetch: StoreFetch, columns: [PlanColumn]) throws -> SQLStatement {
        var plan = self.plan(fetch)
        plan.columns = columns
        return try translate(plan).statement
    }

    func translate(_ plan: FetchPlan) throws -> TranslatedFetch {
        try mapErrors {
            guard let translator else { throw SQLiteError(code: 21, message: "the store is closed") }
            return try translator.translate(plan, constants: resolvers)
        }
    }

    private var resolvers: ConstantResolvers {
        ConstantResolvers(
            object: { [self] in reference(of: $0) },
            entityName: { ($0 as? NSEntityDescription)?.name }
        )
    }

    /// The row that an object or identifier in a predicate stands for.
    private func reference(of any: Any) -> ObjectReference? {
        let key: ObjectKey
        let layout: ObjectLayout
        switch any {
        case let object as NSManagedObject:
            key = object.key
            layout = object.layout
        case let identifier as NSManagedObjectID:
            key = identifier.key
            layout = identifier.layout
            if !identifier.isTemporaryID, identifier.persistentStore?.identifier != self.identifier {
                return ObjectReference(entityNumber: 0, primaryKey: 0, isTemporary: true)
            }
        default:
            return nil
        }
        let isElsewhere = key.store != index && any is NSManagedObject
        return ObjectReference(
            entityNumber: entityNumber(layout),
            primaryKey: key.primaryKey,
            isTemporary: key.primaryKey <= 0 || isElsewhere
        )
    }

    /// The statement that answers a fetch of rows, of dictionaries, or of their number.
    package func statement(_ fetch: StoreFetch, properties: DictionaryPlan?, isCount: Bool) throws -> SQLStatement {
        try mapErrors {
            if isCount {
                var plan = self.plan(fetch)
                plan.form = .count
                return try translate(plan).statement
            }
            if let properties { return try translate(fetch, properties).statement }
            return try translate(fetch, columns: treeColumns[fetch.layout.tree.index])
        }
    }
}

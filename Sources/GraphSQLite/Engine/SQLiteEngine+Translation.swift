// Translation of fetches to statements: the part that is the same for all connections. Called by readers.
import Foundation
import GraphEngine
import GraphModel
import GraphPredicates
import GraphSQL

extension SQLiteEngine {
    package func cursor(_ fetch: StoreFetch) throws -> (any RowCursor)? {
        guard hasGenerations else { return nil }
        let tree = fetch.layout.tree
        return try mapErrors {
            let statement = try translate(fetch)
            return try SQLiteCursor(readGeneration(isCursor: true), statement, kinds: tree.kinds)
        }
    }

    package func split(_ fetch: StoreFetch) throws -> SplitStoreFetch {
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

    func translate(_ fetch: StoreFetch, _ columns: ColumnFetch) throws -> TranslatedFetch {
        var plan = self.plan(fetch)
        plan.columns = columns.columns
        plan.isDistinct = columns.isDistinct
        plan.groupBy = columns.groupBy
        plan.having = columns.having
        return try translate(plan)
    }

    /// The statement that fetches whole rows.
    func translate(_ fetch: StoreFetch) throws -> SQLStatement {
        var plan = self.plan(fetch)
        plan.columns = treeColumns[fetch.layout.tree.index]
        plan.isWholeRow = true
        return try translate(plan).statement
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
            entityName: { [self] in host?.entityName(of: $0) }
        )
    }

    /// The row of an object or identifier in a predicate.
    private func reference(of constant: Any) -> ObjectReference? {
        guard let row = host?.row(of: constant) else { return nil }
        return ObjectReference(
            entityNumber: numberByEntity[Int(row.key.entity)] ?? 0,
            primaryKey: row.key.primaryKey,
            isTemporary: row.key.primaryKey <= 0 || row.isElsewhere
        )
    }

    /// The statement for a fetch of rows, of dictionaries, or of their number.
    package func statement(_ fetch: StoreFetch, columns: ColumnFetch?, isCount: Bool) throws -> SQLStatement {
        try mapErrors {
            if isCount {
                var plan = self.plan(fetch)
                plan.form = .count
                return try translate(plan).statement
            }
            if let columns { return try translate(fetch, columns).statement }
            return try translate(fetch)
        }
    }
}

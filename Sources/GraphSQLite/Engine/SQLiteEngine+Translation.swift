// Translation of fetches to statements: the part that is the same for all connections. Called by readers.
import Foundation
import GraphEngine
import GraphModel
import GraphPredicates
import GraphSQL

extension SQLiteEngine: ExchangeEngine {
    package func cursor(_ fetch: StoreFetch) throws -> (any RowCursor)? {
        guard hasGenerations else { return nil }
        let tree = fetch.layout.tree
        return try mapErrors {
            let statement = try translate(fetch)
            return try SQLiteCursor(readGeneration(isCursor: true), statement, kinds: tree.kinds)
        }
    }

    package func keyCursor(_ fetch: StoreFetch) throws -> (any RowCursor)? {
        guard hasGenerations else { return nil }
        return try mapErrors {
            let (statement, kinds) = try translateKeys(fetch)
            return try SQLiteCursor(readGeneration(isCursor: true), statement, kinds: kinds)
        }
    }

    /// The statement that fetches keys, and the numbers of their entities if several share the table.
    func translateKeys(_ fetch: StoreFetch) throws -> (statement: SQLStatement, kinds: [ColumnKind]) {
        let columns: [PlanColumn] = fetch.layout.tree.isInTree ? [.primaryKey, .entityNumber] : [.primaryKey]
        return (try translate(fetch, columns: columns), columns.map { _ in .integer })
    }

    package func split(_ fetch: StoreFetch) throws -> SplitStoreFetch {
        try mapErrors { try requireMap().split(fetch, for: host) }
    }

    func plan(_ fetch: StoreFetch) throws -> FetchPlan { try mapErrors { try requireMap().plan(fetch) } }

    func translate(_ fetch: StoreFetch, _ columns: ColumnFetch) throws -> TranslatedFetch {
        try mapErrors { try requireMap().translate(fetch, columns, for: host) }
    }

    /// The statement that fetches whole rows.
    func translate(_ fetch: StoreFetch) throws -> SQLStatement {
        try mapErrors { try requireMap().translate(fetch, for: host) }
    }

    /// The statement that fetches whole rows, and its shape if the next fetch can be compared with it.
    func translateKnown(_ fetch: StoreFetch) throws -> (statement: SQLStatement, known: KnownFetch?) {
        try mapErrors { try requireMap().translateKnown(fetch, for: host) }
    }

    func translate(_ fetch: StoreFetch, columns: [PlanColumn]) throws -> SQLStatement {
        try mapErrors { try requireMap().translate(fetch, columns: columns, for: host) }
    }

    func translate(_ plan: FetchPlan) throws -> TranslatedFetch {
        try mapErrors { try requireMap().translate(plan, for: host) }
    }

    /// The rows of a fetch and values to compute, for a statement that changes the rows; nil if keys or values have to be
    /// read first.
    func chosenRows(_ fetch: StoreFetch, computing columns: [PlanColumn] = []) throws -> ChosenRows? {
        do {
            return try mapErrors { try requireMap().chosenRows(fetch, computing: columns, for: host) }
        } catch let error as TranslationError where error.kind == .needsMemory {
            return nil
        }
    }

    /// The statement for a fetch of rows, of dictionaries, or of their number.
    package func statement(_ fetch: StoreFetch, columns: ColumnFetch?, isCount: Bool) throws -> SQLStatement {
        try mapErrors { try requireMap().statement(fetch, columns: columns, isCount: isCount, for: host) }
    }

    package func checkTranslation(of fetch: StoreFetch, columns: ColumnFetch?, isCount: Bool) throws {
        _ = try statement(fetch, columns: columns, isCount: isCount)
    }
}

// Fetches, rows by key and members of relationships.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

extension PostgreSQLReader {
    package func rows(_ fetch: StoreFetch) throws -> RowBatch {
        let statement = try engine.requireMap().translate(fetch, for: engine.host)
        return try batch(statement, fetch.layout.tree.kinds)
    }

    package func rows(_ fetch: StoreFetch, columns: [Int]) throws -> RowBatch {
        let map = try engine.requireMap()
        let tree = fetch.layout.tree
        let statement = try map.translate(
            fetch,
            columns: columns.map { map.treeColumns[tree.index][$0] },
            for: engine.host
        )
        return try batch(statement, columns.map { tree.kinds[$0] })
    }

    private func batch(_ statement: SQLStatement, _ kinds: [ColumnKind]) throws -> RowBatch {
        let result = try run(statement)
        return try engine.mapErrors { dated(try result.batch(kinds: kinds)) }
    }

    package func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws {
        let statement = try engine.requireMap().translate(fetch, for: engine.host)
        try eachBatch(statement, fetch.layout.tree.kinds, size: size, body)
    }

    /// Reads the rows of a statement in portions with a cursor, until `body` returns false.
    func eachBatch(
        _ statement: SQLStatement,
        _ kinds: [ColumnKind],
        size: Int,
        _ body: (RowBatch) throws -> Bool
    ) throws {
        try withConnection { connection in
            let cursor = connection.cursor(statement)
            while cursor.hasMore {
                let result = try cursor.next(size)
                guard result.count > 0, try body(dated(try result.batch(kinds: kinds))) else { break }
            }
            try cursor.close()
        }
    }

    package func keys(_ fetch: StoreFetch) throws -> RowBatch {
        let isInTree = fetch.layout.tree.isInTree
        let statement = try engine.requireMap()
            .translate(fetch, columns: isInTree ? [.primaryKey, .entityNumber] : [.primaryKey], for: engine.host)
        return try batch(statement, isInTree ? [.integer, .integer] : [.integer])
    }

    package func count(_ fetch: StoreFetch) throws -> Int {
        let statement = try engine.requireMap().statement(fetch, columns: nil, isCount: true, for: engine.host)
        let result = try run(statement)
        return try engine.mapErrors { Int(try result.integer(0, 0) ?? 0) }
    }

    package func eachRow(
        _ fetch: StoreFetch,
        _ columns: ColumnFetch,
        _ body: ([RowValue], [ResultColumn]) throws -> Void
    ) throws {
        let translated = try engine.requireMap().translate(fetch, columns, for: engine.host)
        let result = try run(translated.statement)
        let entities = try entitiesOfRows(result, translated.columns)
        for row in 0..<result.count {
            let values = try engine.mapErrors {
                try translated.columns.enumerated().map { place, column -> RowValue in
                    let cell = try value(result, place, row, column.content)
                    guard case .key(let key) = cell, let index = entities[place]?[key.primaryKey] else { return cell }
                    return .key(ObjectKey(index, store: key.store, key.primaryKey))
                }
            }
            try body(values, translated.columns)
        }
    }

    /// The entities of the rows that a result refers to, if they may be below the declared ones, by column and key.
    private func entitiesOfRows(_ result: PostgreSQLResult, _ columns: [ResultColumn]) throws -> [Int: [Int64: Int]] {
        let map = try engine.requireMap()
        let dialect = map.schema.dialect
        var entities: [Int: [Int64: Int]] = [:]
        for (place, column) in columns.enumerated() {
            guard case .object(let name) = column.content, let declared = map.model.byName[name],
                declared.family.count > 1, let entity = map.schema.entities[name],
                let number = entity.own.entityNumber
            else { continue }
            var keys: Set<Int64> = []
            for row in 0..<result.count where !result.isNull(place, row) {
                if let key = try engine.mapErrors({ try result.integer(place, row) }) { keys.insert(key) }
            }
            guard !keys.isEmpty else { continue }
            let key = dialect.identifier(entity.own.key)
            let sql =
                "SELECT \(key), \(dialect.identifier(number)) FROM \(dialect.table(entity.tableName)) "
                + "WHERE \(key) = ANY($1)"
            let rows = try batch(SQLStatement(sql, [.keys(Array(keys))]), [.integer, .integer])
            for row in 0..<rows.count {
                guard let index = map.entityIndex(number: rows.integer(1, row)) else { continue }
                entities[place, default: [:]][rows.integer(0, row)] = index
            }
        }
        return entities
    }

    private func value(_ result: PostgreSQLResult, _ column: Int, _ row: Int, _ content: ResultColumn.Content) throws
        -> RowValue
    {
        if result.isNull(column, row) { return .null }
        switch content {
        case .value(let type):
            switch type {
            case .integer16, .integer32, .integer64, .boolean:
                // A sum of whole numbers is a decimal in PostgreSQL.
                guard let number = try? result.integer(column, row) else {
                    return try result.real(column, row).map(RowValue.real) ?? .null
                }
                return .integer(number)
            case .double, .float, .date: return try result.real(column, row).map(RowValue.real) ?? .null
            case .decimal: return try result.decimal(column, row).map(RowValue.decimal) ?? .null
            case .uri:
                return try result.string(column, row).flatMap { URL(string: $0) }.map(RowValue.url) ?? .null
            default: return try result.value(column, row)
            }
        case .object(let name):
            guard let key = try result.integer(column, row), key > 0,
                let entity = try engine.requireMap().model.byName[name]
            else { return .null }
            return .key(ObjectKey(entity.index, store: engine.storeIndex, key))
        case .stored:
            return try result.value(column, row)
        }
    }

    package func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch {
        let map = try engine.requireMap()
        guard let entity = map.schema.entities[tree.rootName] else { return .empty }
        let dialect = map.schema.dialect
        let columns = map.plainColumns(tree, alias: nil)
        let key = dialect.identifier(entity.own.key)
        let sql = "SELECT \(columns) FROM \(dialect.table(entity.tableName)) WHERE \(key) = "
        if keys.count == 1 { return try batch(SQLStatement(sql + "$1", [.integer(keys[0])]), tree.kinds) }
        return try batch(SQLStatement(sql + "ANY($1)", [.keys(keys)]), tree.kinds)
    }

    package func members(layout: EntityLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey] {
        let map = try engine.requireMap()
        guard let destination = layout.destination(slot), let entity = map.schema.entities[destination.name],
            let source = map.memberSource(layout, slot, of: "$1")
        else { return [] }
        let number =
            entity.own.entityNumber.map { "t.\(map.schema.dialect.identifier($0))" } ?? String(entity.number)
        let key = "t.\(map.schema.dialect.identifier(entity.own.key))"
        let statement = SQLStatement(
            "SELECT \(key), \(number) \(source.tables) ORDER BY \(source.order)",
            [.integer(primaryKey)]
        )
        let result = try run(statement)
        return try engine.mapErrors {
            try (0..<result.count).map { row in
                let number = try result.integer(1, row) ?? 0
                return ObjectKey(
                    entity: Int32(engine.entityIndex(number: number) ?? destination.index),
                    store: engine.storeIndex,
                    primaryKey: try result.integer(0, row) ?? 0
                )
            }
        }
    }

    package func members(layout: EntityLayout, slot: Int, owners: [Int64]) throws -> RowBatch {
        let map = try engine.requireMap()
        guard let tree = layout.destination(slot)?.tree, let source = map.memberSource(layout, slot, of: "ANY($1)")
        else { return .empty }
        let columns = map.plainColumns(tree, alias: "t")
        let sql =
            "SELECT \(columns), \(source.owner) \(source.tables) ORDER BY \(source.owner) ASC NULLS FIRST, \(source.order)"
        return try batch(SQLStatement(sql, [.keys(owners)]), tree.kinds + [.integer])
    }
}

extension SQLValue {
    /// Keys as one bound value.
    static func keys(_ keys: [Int64]) -> SQLValue { .typed(.list(keys.map(SQLValue.integer), .integer)) }
}

extension TableMap {
    /// The columns of a tree's whole rows.
    func plainColumns(_ tree: TreeLayout, alias: String?) -> String {
        guard let entity = schema.entities[tree.rootName] else { return "" }
        let prefix = alias.map { $0 + "." } ?? ""
        return treeColumns[tree.index]
            .map { column in
                switch column {
                case .primaryKey: prefix + schema.dialect.identifier(entity.own.key)
                case .version: prefix + schema.dialect.identifier(entity.own.version)
                case .entityNumber:
                    entity.own.entityNumber.map { prefix + schema.dialect.identifier($0) } ?? String(entity.number)
                case .stored(let name): prefix + schema.dialect.identifier(name)
                case .large(let name):
                    schema.dialect.large(SQLFragment(raw: prefix + schema.dialect.identifier(name))).text
                default: "NULL"
                }
            }
            .joined(separator: ", ")
    }

    /// The members, `t`, of a to-many relationship: the column of the owner, the tables with the condition that the
    /// owner is `owner`, and the order.
    func memberSource(_ layout: EntityLayout, _ slot: Int, of owner: String) -> (
        owner: String, tables: String, order: String
    )? {
        let dialect = schema.dialect
        func name(_ column: String) -> String { dialect.identifier(column) }
        switch property(layout, slot) {
        case .toManyInverse(let inverse):
            guard let destination = schema.entities[inverse.destination] else { return nil }
            let column = "t.\(name(inverse.column))"
            let orders = inverse.orderColumn.map { ["t.\(name($0)) ASC NULLS LAST"] } ?? []
            return (
                column, "FROM \(dialect.table(inverse.destinationTable)) t WHERE \(column) = \(owner)",
                (orders + ["t.\(name(destination.own.key))"]).joined(separator: ", ")
            )
        case .manyToMany(let join):
            guard let destination = schema.entities[join.destination] else { return nil }
            let column = "j.\(name(join.ownColumn))"
            let key = "t.\(name(destination.own.key))"
            let orders = join.orderColumn.map { ["j.\(name($0)) ASC NULLS LAST"] } ?? []
            return (
                column,
                "FROM \(dialect.table(join.joinTable)) j JOIN \(dialect.table(join.destinationTable)) t ON \(key) = "
                    + "j.\(name(join.otherColumn)) WHERE \(column) = \(owner)",
                (orders + [key]).joined(separator: ", ")
            )
        default: return nil
        }
    }
}

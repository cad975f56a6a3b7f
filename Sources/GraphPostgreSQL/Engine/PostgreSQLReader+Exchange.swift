// Reads of whole stores in portions, for tools. A cursor of the server keeps the memory constant.
import GraphEngine
import GraphSQL

extension PostgreSQLReader: ExchangeReadSession {
    package func eachPortion(
        of tree: TreeLayout,
        entities: [EntityLayout],
        size: Int,
        _ body: (RowBatch) throws -> Void
    ) throws {
        let map = try engine.requireMap()
        guard let entity = map.schema.entities[tree.rootName] else { return }
        let dialect = map.schema.dialect
        var sql = "SELECT \(map.plainColumns(tree, alias: nil)) FROM \(dialect.table(entity.tableName))"
        var values: [SQLValue] = []
        if let number = entity.own.entityNumber {
            sql += " WHERE \(dialect.identifier(number)) = ANY($1)"
            values.append(.keys(entities.map(engine.entityNumber)))
        }
        sql += " ORDER BY \(dialect.identifier(entity.own.key))"
        try eachBatch(SQLStatement(sql, values), tree.kinds, size: size) { batch in
            try body(batch)
            return true
        }
    }

    package func memberKeys(layout: EntityLayout, slot: Int, owners: [Int64]) throws -> RowBatch {
        let map = try engine.requireMap()
        guard let destination = layout.destination(slot), let entity = map.schema.entities[destination.name],
            let source = map.memberSource(layout, slot, of: "ANY($1)")
        else { return .empty }
        let key = "t.\(map.schema.dialect.identifier(entity.own.key))"
        let number =
            entity.own.entityNumber.map { "t.\(map.schema.dialect.identifier($0))" } ?? "\(entity.number)::bigint"
        let sql =
            "SELECT \(source.owner), \(key), \(number) \(source.tables) ORDER BY \(source.owner), \(source.order)"
        let result = try run(SQLStatement(sql, [.keys(owners)]))
        return try engine.mapErrors { try result.batch(kinds: [.integer, .integer, .integer]) }
    }
}

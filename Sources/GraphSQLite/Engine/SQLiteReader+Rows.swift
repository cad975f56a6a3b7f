// Fetches, rows by key and relationship members, on one connection.
import Foundation
import GraphEngine
import GraphSQL

extension SQLiteReader {
    package func rows(_ fetch: StoreFetch) throws -> RowBatch {
        let statement = try self.statement(fetch)
        let kinds = fetch.layout.tree.kinds
        return try read { connection in
            try dated(checked(connection.prepare(statement).fetchBatch(kinds: kinds)))
        }
    }

    /// The statement of a fetch: that of a recent one with other values, if only these differ.
    private func statement(_ fetch: StoreFetch) throws -> SQLStatement {
        guard let translator = engine.translator else { return try engine.translate(fetch) }
        let (cachedStatement, takesMore) = try lock.withLock {
            (try knownFetches.statement(fetch, translator), knownFetches.takesMore)
        }
        if let cachedStatement { return cachedStatement }
        guard takesMore else { return try engine.translate(fetch) }
        let (statement, knownFetch) = try engine.translateKnown(fetch)
        if let knownFetch { lock.withLock { knownFetches.enter(knownFetch, fetch.layout, translator) } }
        return statement
    }

    /// Requires positive keys: others occur only in damaged files, and would be taken for those of unsaved objects.
    func checked(_ batch: RowBatch) throws -> RowBatch {
        for row in 0..<batch.count where batch.integer(TreeLayout.primaryKeyColumn, row) <= 0 {
            throw SQLiteError.impossibleKey(batch.integer(TreeLayout.primaryKeyColumn, row))
        }
        return batch
    }

    package func rows(_ fetch: StoreFetch, columns: [Int]) throws -> RowBatch {
        let tree = fetch.layout.tree
        let statement = try engine.translate(fetch, columns: columns.map { engine.columns(of: tree)[$0] })
        return try read { connection in
            try dated(connection.prepare(statement).fetchBatch(kinds: columns.map { tree.kinds[$0] }))
        }
    }

    package func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws {
        let tree = fetch.layout.tree
        let translated = try engine.translate(fetch)
        try read { connection in
            let statement = try connection.prepare(translated)
            defer { statement.reset() }
            var isMore = true
            while isMore {
                let batch = try statement.fetchPortion(kinds: tree.kinds, maximumRows: size)
                isMore = try body(dated(checked(batch))) && batch.hasMore
            }
        }
    }

    package func keys(_ fetch: StoreFetch) throws -> RowBatch {
        let (statement, kinds) = try engine.translateKeys(fetch)
        return try read { try checked($0.prepare(statement).fetchBatch(kinds: kinds)) }
    }

    package func count(_ fetch: StoreFetch) throws -> Int {
        var plan = try engine.plan(fetch)
        plan.form = .count
        let translated = try engine.translate(plan).statement
        return try read { connection in
            let statement = try connection.prepare(translated)
            defer { statement.reset() }
            return try statement.step() ? Int(statement.integer(0)) : 0
        }
    }

    package func eachRow(
        _ fetch: StoreFetch,
        _ columns: ColumnFetch,
        _ body: ([RowValue], [ResultColumn]) throws -> Void
    ) throws {
        let translated = try engine.translate(fetch, columns)
        try read { connection in
            let statement = try connection.prepare(translated.statement)
            defer { statement.reset() }
            var entities: [Int: [Int64: Int]] = [:]
            while try statement.step() {
                let values = try translated.columns.enumerated().map { place, column -> RowValue in
                    let attribute = place < columns.attributes.count ? columns.attributes[place] : nil
                    let cell = try value(statement.value(place), column.content, attribute)
                    guard case .key(let key) = cell else { return cell }
                    return .key(try keyOfRow(key, connection, &entities))
                }
                try body(values, translated.columns)
            }
        }
    }

    /// The key with the entity of its row, which may be below the declared one.
    ///
    /// - Parameters:
    ///   - key: A key with the declared entity.
    ///   - connection: Reads the row.
    ///   - entities: The entities that have been read, by the index of the tree and by key.
    /// - Returns: The same key if there is no such row.
    /// - Throws: `SQLiteError`.
    private func keyOfRow(
        _ key: ObjectKey,
        _ connection: Connection,
        _ entities: inout [Int: [Int64: Int]]
    ) throws -> ObjectKey {
        guard let declared = engine.model?.entities[Int(key.entity)], declared.family.count > 1,
            let table = engine.schema.entities[declared.name]?.tableName
        else { return key }
        let tree = declared.tree.index
        if let index = entities[tree]?[key.primaryKey] { return ObjectKey(index, store: key.store, key.primaryKey) }
        let statement = try connection.prepare("SELECT Z_ENT FROM \(table.sqliteName) WHERE Z_PK = ?")
        defer { statement.reset() }
        try statement.bind(1, key.primaryKey)
        guard try statement.step(), let index = engine.entityIndex(number: statement.integer(0)) else { return key }
        entities[tree, default: [:]][key.primaryKey] = index
        return ObjectKey(index, store: key.store, key.primaryKey)
    }

    /// The value of a result column, read from its file if it refers to one.
    private func value(
        _ cell: SQLValue,
        _ content: ResultColumn.Content,
        _ attribute: PropertyLayout?
    ) throws -> RowValue {
        switch content {
        case .value(let type):
            if case .blob(let stored) = cell, attribute?.allowsExternalStorage == true,
                type == .binary || type == .transformable
            {
                guard let name = LargeValue.name(in: stored) else { return .data(LargeValue.inlineData(in: stored)) }
                return try engine.externalData(named: name).map(RowValue.data) ?? .null
            }
            return RowValue(cell, type: type) ?? .null
        case .object(let name):
            guard case .integer(let key) = cell, key > 0, let entity = engine.model?.byName[name] else { return .null }
            return .key(ObjectKey(entity.index, store: engine.storeIndex, key))
        case .stored:
            return RowValue(cell)
        }
    }

    package func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch {
        let list = KeyList(keys)
        return try read { connection in
            let statement = try connection.prepare(rowsText(tree, list))
            _ = try list.bind(to: statement)
            return try dated(statement.fetchBatch(kinds: tree.kinds))
        }
    }

    package func rows(tree: TreeLayout, key: Int64) throws -> RowBatch {
        try read { connection in
            let statement = try connection.prepare(rowsText(tree, .one(key)))
            try statement.bind(1, key)
            return try dated(statement.fetchBatch(kinds: tree.kinds))
        }
    }

    private func rowsText(_ tree: TreeLayout, _ list: KeyList) throws -> String {
        try texts.rows(of: tree, list) {
            let columns = try engine.columns(of: tree).map { try SQLiteEngine.storedName($0) }
            guard let rows = RowStatements(schema: engine.schema, entityName: tree.rootName) else {
                throw SQLiteError(code: 21, message: "the store has no table for \(tree.rootName)")
            }
            switch list {
            case .one: return rows.selectOne(columns)
            case .range: return rows.selectRange(columns)
            case .list: return rows.selectMany(columns)
            }
        }
    }

    package func members(layout: EntityLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey] {
        try read { connection in
            // Under the lock: several contexts share the connection of a store that has one only.
            guard let members = texts.members(of: layout, slot: slot, in: engine.schema) else { return [] }
            let statement = try connection.prepare(members.text)
            defer { statement.reset() }
            try statement.bind(1, primaryKey)
            var result: [ObjectKey] = []
            let store = engine.storeIndex
            var entity = Int32(engine.model?.byName[members.destination]?.index ?? 0)
            // Most members have the entity of the one before.
            var number: Int64?
            while try statement.step() {
                let key = statement.integer(0)
                guard key > 0 else { throw SQLiteError.impossibleKey(key) }
                if members.hasEntityNumber, number != statement.integer(1) {
                    number = statement.integer(1)
                    let index = engine.entityIndex(number: statement.integer(1))
                    entity = Int32(index ?? engine.model?.byName[members.destination]?.index ?? 0)
                }
                result.append(ObjectKey(entity: entity, store: store, primaryKey: key))
            }
            return result
        }
    }
}

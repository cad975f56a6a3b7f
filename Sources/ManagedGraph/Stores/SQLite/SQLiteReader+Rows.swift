// Fetches, rows by key and relationship members, on one connection.
import Foundation
import GraphSQL
import GraphSQLite

extension SQLiteReader {
    func rows(_ fetch: StoreFetch) throws -> RowBatch {
        let tree = fetch.layout.tree
        let statement = try store.translate(fetch, columns: store.treeColumns[tree.index])
        return try read { connection in
            try dated(checked(connection.prepare(statement).fetchBatch(kinds: tree.kinds)))
        }
    }

    /// Rows whose keys can be keys: others are of a damaged file, and would be taken for objects that were never saved.
    func checked(_ batch: RowBatch) throws -> RowBatch {
        for row in 0..<batch.count where batch.integer(TreeLayout.primaryKeyColumn, row) <= 0 {
            throw SQLiteError(
                code: 11,
                message: "a row has the key \(batch.integer(TreeLayout.primaryKeyColumn, row)), which no row can have"
            )
        }
        return batch
    }

    func rows(_ fetch: StoreFetch, columns: [Int]) throws -> RowBatch {
        let tree = fetch.layout.tree
        let statement = try store.translate(fetch, columns: columns.map { store.treeColumns[tree.index][$0] })
        return try read { connection in
            try dated(connection.prepare(statement).fetchBatch(kinds: columns.map { tree.kinds[$0] }))
        }
    }

    package func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws {
        let tree = fetch.layout.tree
        let translated = try store.translate(fetch, columns: store.treeColumns[tree.index])
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

    func keys(_ fetch: StoreFetch) throws -> RowBatch {
        let isInTree = fetch.layout.tree.isInTree
        let statement = try store.translate(fetch, columns: isInTree ? [.primaryKey, .entityNumber] : [.primaryKey])
        return try read { connection in
            try checked(
                connection.prepare(statement).fetchBatch(kinds: isInTree ? [.integer, .integer] : [.integer])
            )
        }
    }

    package func count(_ fetch: StoreFetch) throws -> Int {
        var plan = store.plan(fetch)
        plan.form = .count
        let translated = try store.translate(plan).statement
        return try read { connection in
            let statement = try connection.prepare(translated)
            defer { statement.reset() }
            return try statement.step() ? Int(statement.integer(0)) : 0
        }
    }

    func dictionaries(_ fetch: StoreFetch, properties: DictionaryPlan) throws -> [[String: Any]] {
        let translated = try store.translate(fetch, properties)
        return try read { connection in
            let statement = try connection.prepare(translated.statement)
            defer { statement.reset() }
            var result: [[String: Any]] = []
            while try stepUnlessOverflow(statement, fetch) {
                var row: [String: Any] = [:]
                for (index, column) in translated.columns.enumerated() where index < properties.places.count {
                    let cell = statement.value(index)
                    guard let value = publicValue(cell, column.content, properties.slots[index]) else { continue }
                    let typed = properties.typed(value, column: index)
                    DictionaryPlan.put(typed, at: properties.places[index][...], into: &row)
                }
                result.append(row)
            }
            return result
        }
    }

    /// Steps on; a sum of integers that does not fit an integer is left to the computation in memory, which goes on with
    /// real numbers.
    private func stepUnlessOverflow(_ statement: Statement, _ fetch: StoreFetch) throws -> Bool {
        do {
            return try statement.step()
        } catch let error as SQLiteError where error.message.contains("integer overflow") {
            throw TranslationError(
                kind: .needsMemory,
                entity: fetch.layout.name,
                expression: "sum:",
                reason: "a sum is too large for SQLite's integers"
            )
        }
    }

    /// A value of a dictionary result as users see it.
    private func publicValue(_ value: SQLValue, _ content: ResultColumn.Content, _ slot: Slot?) -> Any? {
        switch content {
        case .value(let type):
            if let slot, case .blob(let stored) = value, type == .binary || type == .transformable {
                var data: Data? = stored
                if slot.allowsExternalStorage {
                    let name = ExternalFiles.name(in: stored)
                    data = name.map { store.externalData(named: $0) } ?? ExternalFiles.inlineData(in: stored)
                }
                guard slot.type == .transformable else { return data }
                return data.flatMap { Transforming.value(from: $0, slot: slot).publicAttribute(.transformable) }
            }
            return Value(value, type: type)?.publicAttribute(type)
        case .object(let entity):
            guard case .integer(let key) = value, key > 0, let layout = store.model?.byName[entity] else { return nil }
            return NSManagedObjectID(
                layout: layout,
                key: ObjectKey(entity: Int32(layout.index), store: store.index, primaryKey: key),
                store: store.face ?? store
            )
        case .stored:
            switch value {
            case .integer(let number): return NSNumber(value: number)
            case .real(let number): return NSNumber(value: number)
            case .text(let text): return text
            case .blob(let data): return data
            case .null: return nil
            }
        }
    }

    package func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch {
        try read { connection in
            let text = try texts.rows(of: tree, isOne: keys.count == 1) {
                let columns = try store.treeColumns[tree.index].map { try SQLiteStore.plainName($0) }
                guard let rows = RowStatements(schema: store.schema, entityName: tree.rootName) else {
                    throw SQLiteError(code: 21, message: "the store has no table for \(tree.rootName)")
                }
                return keys.count == 1 ? rows.selectOne(columns) : rows.selectMany(columns)
            }
            let statement = try connection.prepare(text)
            if keys.count == 1 {
                try statement.bind(1, keys[0])
            } else {
                try statement.bind(1, SQLiteStore.list(keys))
            }
            return try dated(statement.fetchBatch(kinds: tree.kinds))
        }
    }

    package func members(layout: ObjectLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey] {
        guard let members = texts.members(of: layout, slot: slot, in: store.schema) else { return [] }
        return try read { connection in
            let statement = try connection.prepare(members.text)
            defer { statement.reset() }
            try statement.bind(1, primaryKey)
            var result: [ObjectKey] = []
            let destination = store.model?.byName[members.destination]?.index ?? 0
            while try statement.step() {
                let entity = store.entityIndex(number: statement.integer(1)) ?? destination
                guard statement.integer(0) > 0 else {
                    throw SQLiteError(
                        code: 11,
                        message: "a row has the key \(statement.integer(0)), which no row can have"
                    )
                }
                result.append(
                    ObjectKey(entity: Int32(entity), store: store.index, primaryKey: statement.integer(0))
                )
            }
            return result
        }
    }
}

// Fetches, rows by key and relationship members. Reads of one turn share a read transaction, which makes each of them
// many times cheaper and gives them one snapshot.
import Foundation
import GraphSQL
import GraphSQLite

extension SQLiteStore {
    func rows(_ fetch: StoreFetch) throws -> RowBatch {
        try read { connection in
            let tree = fetch.layout.tree
            let statement = try translate(fetch, columns: treeColumns[tree.index])
            return try checked(connection.prepare(statement).fetchBatch(kinds: tree.kinds))
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
        try read { connection in
            let tree = fetch.layout.tree
            let statement = try translate(fetch, columns: columns.map { treeColumns[tree.index][$0] })
            return try connection.prepare(statement).fetchBatch(kinds: columns.map { tree.kinds[$0] })
        }
    }

    func cursor(_ fetch: StoreFetch) throws -> RowCursor? {
        guard hasGenerations, pinned == nil else { return nil }
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

    func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws {
        try read { connection in
            let tree = fetch.layout.tree
            let statement = try connection.prepare(try translate(fetch, columns: treeColumns[tree.index]))
            defer { statement.reset() }
            var isMore = true
            while isMore {
                let batch = try statement.fetchPortion(kinds: tree.kinds, maximumRows: size)
                isMore = try body(checked(batch)) && batch.hasMore
            }
        }
    }

    func keys(_ fetch: StoreFetch) throws -> RowBatch {
        try read { connection in
            let isInTree = fetch.layout.tree.isInTree
            let statement = try translate(fetch, columns: isInTree ? [.primaryKey, .entityNumber] : [.primaryKey])
            return try checked(
                connection.prepare(statement).fetchBatch(kinds: isInTree ? [.integer, .integer] : [.integer])
            )
        }
    }

    func count(_ fetch: StoreFetch) throws -> Int {
        try read { connection in
            var plan = self.plan(fetch)
            plan.form = .count
            let statement = try connection.prepare(try translate(plan).statement)
            defer { statement.reset() }
            return try statement.step() ? Int(statement.integer(0)) : 0
        }
    }

    func dictionaries(_ fetch: StoreFetch, properties: DictionaryPlan) throws -> [[String: Any]] {
        try read { connection in
            let translated = try translate(fetch, properties)
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
                    data = name.map { externalData(named: $0) } ?? ExternalFiles.inlineData(in: stored)
                }
                guard slot.type == .transformable else { return data }
                return data.flatMap { Transforming.value(from: $0, slot: slot).publicAttribute(.transformable) }
            }
            return Value(value, type: type)?.publicAttribute(type)
        case .object(let entity):
            guard case .integer(let key) = value, key > 0, let layout = model?.byName[entity] else { return nil }
            return NSManagedObjectID(
                layout: layout,
                key: ObjectKey(entity: Int32(layout.index), store: index, primaryKey: key),
                store: face ?? self
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

    func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch {
        try read { connection in
            let text = try texts.rows(of: tree, isOne: keys.count == 1) {
                let columns = try treeColumns[tree.index].map { try plainName($0) }
                guard let rows = RowStatements(schema: schema, entityName: tree.rootName) else {
                    throw SQLiteError(code: 21, message: "the store has no table for \(tree.rootName)")
                }
                return keys.count == 1 ? rows.selectOne(columns) : rows.selectMany(columns)
            }
            let statement = try connection.prepare(text)
            if keys.count == 1 {
                try statement.bind(1, keys[0])
            } else {
                try statement.bind(1, Self.list(keys))
            }
            return try statement.fetchBatch(kinds: tree.kinds)
        }
    }

    func members(layout: ObjectLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey] {
        guard let members = texts.members(of: layout, slot: slot, in: schema) else { return [] }
        return try read { connection in
            let statement = try connection.prepare(members.text)
            defer { statement.reset() }
            try statement.bind(1, primaryKey)
            var result: [ObjectKey] = []
            let destination = model?.byName[members.destination]?.index ?? 0
            while try statement.step() {
                let entity = entityIndex(number: statement.integer(1)) ?? destination
                guard statement.integer(0) > 0 else {
                    throw SQLiteError(
                        code: 11,
                        message: "a row has the key \(statement.integer(0)), which no row can have"
                    )
                }
                result.append(
                    ObjectKey(entity: Int32(entity), store: index, primaryKey: statement.integer(0))
                )
            }
            return result
        }
    }

    // MARK: Translation

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
        guard let translator else { throw SQLiteError(code: 21, message: "the store is closed") }
        return try translator.translate(plan, constants: resolvers)
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

    // MARK: Turns

    func beginTurn() { turnDepth += 1 }

    func endTurn() {
        turnDepth -= 1
        if turnDepth == 0 { endReadTransaction() }
    }

    /// Ends the shared read transaction, so that the next read sees what others have written.
    func endReadTransaction() {
        guard turnBegan != nil else { return }
        turnBegan = nil
        guard let connection, connection.isInTransaction, !isSaving else { return }
        do {
            try connection.commit()
        } catch {
            Diagnosis.log.error("The read transaction of \(path(of: self)) could not end: \(error)")
        }
    }

    private func path(of store: SQLiteStore) -> String { store.url?.path ?? "" }

    func read<R>(_ body: (Connection) throws -> R) throws -> R {
        try mapErrors {
            if let pinned { return try body(pinned) }
            let connection = try requireConnection()
            // A turn that goes on and on must not hold the log back for ever.
            if let began = turnBegan, ContinuousClock.now - began > .milliseconds(500) { endReadTransaction() }
            // Readers of memory that is shared would keep writers waiting, as there is no log.
            if turnDepth > 0, !connection.isInTransaction, connection.mode != .sharedMemory {
                try connection.begin(.deferred)
                turnBegan = .now
            }
            return try body(connection)
        }
    }
}

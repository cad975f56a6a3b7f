// The store's part of batch requests: finding rows by unique values, setting values in many rows, deleting rows with
// their delete rules applied in SQL. Called inside a transaction.
import Foundation
import GraphEngine
import GraphSQL

extension SQLiteWriter {
    /// The row that has these values; nil if one of them is nil, because nil never conflicts.
    package func key(layout: EntityLayout, slots: [Int], values: ContiguousArray<RowValue>) throws -> ObjectKey? {
        try engine.mapErrors { () -> ObjectKey? in
            let writer = try writer(layout)
            let columns = slots.flatMap { writer.columns(of: $0) }
            guard columns.count == slots.count, let table = engine.schema.entities[layout.name]?.tableName else {
                return nil
            }
            guard slots.allSatisfy({ !values[$0].isNull }) else { return nil }
            let conditions = columns.map { "\($0.sqliteName) = ?" }.joined(separator: " AND ")
            let statement = try connection.prepare("SELECT Z_PK, Z_ENT FROM \(table.sqliteName) WHERE \(conditions)")
            defer { statement.reset() }
            for (place, slot) in slots.enumerated() {
                try writer.bind(values[slot], slot, to: statement, place + 1)
            }
            guard try statement.step() else { return nil }
            let entity = engine.entityIndex(number: statement.integer(1)) ?? layout.index
            return ObjectKey(entity: Int32(entity), store: engine.storeIndex, primaryKey: statement.integer(0))
        }
    }

    /// Sets the same values in rows of one entity, regardless of their versions.
    package func update(layout: EntityLayout, keys: [Int64], values: ContiguousArray<RowValue>, slots: SlotSet) throws {
        try engine.mapErrors {
            let writer = try writer(layout)
            guard !writer.mustWriteRows(slots) else {
                _ = try write(StoreChanges(updating: keys, of: layout, to: values, slots: slots))
                return
            }
            rowsWritten.add(try writer.update(keys, values, slots, connection), ordering: .relaxed)
            if history != nil { for key in keys { noteUpdate(layout, key, slots) } }
        }
    }

    /// Sets the same values, and values computed for each, in all rows of a fetch; nil if their keys or these values have
    /// to be read first.
    package func update(
        _ fetch: StoreFetch,
        values: ContiguousArray<RowValue>,
        slots: SlotSet,
        computed: [(slot: Int, column: PlanColumn)]
    ) throws -> [ObjectKey]? {
        let layout = fetch.layout
        var written = slots
        for (slot, _) in computed { written.insert(slot) }
        return try engine.mapErrors {
            guard try !writer(layout).mustWriteRows(written),
                let rows = try chosenRows(fetch, computing: computed.map(\.column)),
                let keys = try writer(layout).update(rows, values, slots, computed: computed.map(\.slot), connection)
            else { return nil }
            if history != nil { for key in keys { noteUpdate(layout, key, written) } }
            return noteWritten(keys, of: layout)
        }
    }

    /// The rows of a fetch of one entity; nil if their keys, or values to compute, have to be read first.
    private func chosenRows(_ fetch: StoreFetch, computing columns: [PlanColumn] = []) throws -> ChosenRows? {
        guard fetch.layout.family.count == 1 || !fetch.includesSubentities else { return nil }
        return try engine.chosenRows(fetch, computing: columns)
    }

    private func noteWritten(_ keys: [Int64], of layout: EntityLayout) -> [ObjectKey] {
        rowsWritten.add(keys.count, ordering: .relaxed)
        return objectKeys(keys, layout)
    }

    private func objectKeys(_ keys: [Int64], _ layout: EntityLayout) -> [ObjectKey] {
        keys.map { ObjectKey(layout.index, store: engine.storeIndex, $0) }
    }

    // MARK: Deleting

    /// Deletes all rows of a fetch, and nullifies references in the remaining rows; nil if the keys have to be read first:
    /// for cascades and for history, which keep values of deleted rows.
    package func delete(_ fetch: StoreFetch) throws -> (deleted: [ObjectKey], changed: [ObjectKey])? {
        let layout = fetch.layout
        guard history == nil, layout.properties.allSatisfy({ $0.deleteRule != .cascade }) else { return nil }
        return try engine.mapErrors {
            guard let rows = try chosenRows(fetch), let keys = try writer(layout).delete(rows, connection) else {
                return nil
            }
            // The rows that are gone refer to nothing any more.
            return (noteWritten(keys, of: layout), try nullifyReferences(layout, keys))
        }
    }

    /// The rows of some keys, by one statement for each entity.
    package func existing(_ keys: [ObjectKey]) throws -> [ObjectKey] {
        try engine.mapErrors { () -> [ObjectKey] in
            guard let model = engine.model else { return [] }
            var result: [ObjectKey] = []
            let groups = Dictionary(grouping: keys, by: \.entity).sorted { $0.key < $1.key }
            for (entity, group) in groups {
                let name = model.entities[Int(entity)].name
                guard let table = engine.schema.entities[name]?.tableName else { continue }
                let list = SQLValue.text(SQLiteEngine.list(group.map(\.primaryKey)))
                let sql = "SELECT Z_PK, Z_ENT FROM \(table.sqliteName) WHERE Z_PK IN (SELECT value FROM json_each(?))"
                result += try self.keys(sql, [list], name, connection)
            }
            return result
        }
    }

    /// Deletes rows with their cascades, and nullifies references in the remaining rows.
    ///
    /// - Returns: The deleted rows, and those in which a relationship was nullified.
    package func delete(_ keys: [ObjectKey]) throws -> (deleted: [ObjectKey], changed: [ObjectKey]) {
        try engine.mapErrors {
            guard let model = engine.model else { return ([], []) }
            let groups = try model.cascade(keys) { try destinations($0, $1, $2, connection) }
            let changed = try groups.flatMap { try nullifyReferences($0, $1) }
            var deleted: [ObjectKey] = []
            for (layout, group) in groups {
                if history != nil { for key in group { try noteDeletion(layout, key) } }
                rowsWritten.add(try writer(layout).delete(group, connection), ordering: .relaxed)
                deleted += objectKeys(group, layout)
            }
            if changed.isEmpty { return (deleted, []) }
            let deletedKeys = Set(deleted)
            return (deleted, changed.filter { !deletedKeys.contains($0) })
        }
    }

    /// The destinations of a relationship of some rows.
    private func destinations(_ layout: EntityLayout, _ slot: Int, _ keys: [Int64], _ connection: Connection) throws
        -> [ObjectKey]
    {
        guard let entity = engine.schema.entities[layout.name] else { return [] }
        let chosen = "(SELECT value FROM json_each(?))"
        let sql: String
        let destination: String
        switch entity.properties[layout.properties[slot].name] {
        case .toOne(let toOne)?:
            destination = toOne.destination
            guard let table = engine.schema.entities[destination]?.tableName else { return [] }
            sql =
                "SELECT Z_PK, Z_ENT FROM \(table.sqliteName) WHERE Z_PK IN "
                + "(SELECT \(toOne.column.sqliteName) FROM \(entity.tableName.sqliteName) WHERE Z_PK IN \(chosen))"
        case .toManyInverse(let inverse)?:
            destination = inverse.destination
            let (table, owner) = (inverse.destinationTable.sqliteName, inverse.column.sqliteName)
            sql = "SELECT Z_PK, Z_ENT FROM \(table) WHERE \(owner) IN \(chosen)"
        case .manyToMany(let join)?:
            destination = join.destination
            sql =
                "SELECT Z_PK, Z_ENT FROM \(join.destinationTable.sqliteName) WHERE Z_PK IN "
                + "(SELECT \(join.otherColumn.sqliteName) FROM \(pairs(join, of: chosen)))"
        case .attribute?, nil:
            return []
        }
        return try self.keys(sql, [.text(SQLiteEngine.list(keys))], destination, connection)
    }

    /// The pairs of a relationship whose own side is one of the chosen keys, as the SQL that follows FROM.
    private func pairs(_ join: ManyToMany, of chosen: String) -> String {
        "\(join.joinTable.sqliteName) WHERE \(join.ownColumn.sqliteName) IN \(chosen)"
    }

    private func keys(_ sql: String, _ values: [SQLValue], _ entityName: String, _ connection: Connection) throws
        -> [ObjectKey]
    {
        let usual = engine.model?.byName[entityName]?.index ?? 0
        return try connection.rows(sql, values).compactMap { row in
            guard case .integer(let key) = row[0], case .integer(let number) = row[1] else { return nil }
            return ObjectKey(
                entity: Int32(engine.entityIndex(number: number) ?? usual),
                store: engine.storeIndex,
                primaryKey: key
            )
        }
    }

    /// Nullifies the references to rows that are deleted.
    private func nullifyReferences(_ layout: EntityLayout, _ keys: [Int64]) throws -> [ObjectKey] {
        lazy var list = SQLValue.text(SQLiteEngine.list(keys))
        return try layout.properties.indices.filter { layout.properties[$0].kind != .attribute }
            .flatMap { try nullifyReferences(layout, $0, list, connection) }
    }

    /// Nullifies the inverse of a relationship of deleted rows; the rule `noAction` leaves it unchanged, unless the
    /// relationship has no inverse.
    private func nullifyReferences(_ layout: EntityLayout, _ slot: Int, _ list: SQLValue, _ connection: Connection)
        throws
        -> [ObjectKey]
    {
        let description = layout.properties[slot]
        let chosen = "(SELECT value FROM json_each(?))"
        switch engine.schema.entities[layout.name]?.properties[description.name] {
        case .manyToMany(let join)?:
            let pairs = pairs(join, of: chosen)
            let members =
                "SELECT Z_PK, Z_ENT FROM \(join.destinationTable.sqliteName) WHERE Z_PK IN "
                + "(SELECT \(join.otherColumn.sqliteName) FROM \(pairs))"
            let memberKeys = try keys(members, [list], join.destination, connection)
            var sql = "DELETE FROM \(pairs)"
            if join.isReflexive { sql += " OR \(join.otherColumn.sqliteName) IN \(chosen)" }
            try connection.run(sql, join.isReflexive ? [list, list] : [list])
            return memberKeys
        case .toManyInverse(let inverse)? where description.deleteRule != .noAction || inverse.inverse.isEmpty:
            let owner = engine.schema.entities[inverse.destination]?.properties[inverse.inverse]
            var columns = [inverse.column, inverse.orderColumn].compactMap(\.self)
            if case .toOne(let toOne)? = owner, let entityColumn = toOne.entityColumn { columns.append(entityColumn) }
            return try empty(
                columns,
                inverse.destination,
                inverse.inverse,
                table: inverse.destinationTable,
                list,
                connection
            )
        case .toOne(let toOne)? where description.deleteRule != .noAction:
            guard let name = toOne.inverse, let destination = engine.schema.entities[toOne.destination],
                case .toOne(let inverse)? = destination.properties[name]
            else { return [] }
            let columns = [inverse.column, inverse.entityColumn].compactMap(\.self)
            return try empty(columns, toOne.destination, name, table: destination.tableName, list, connection)
        default:
            return []
        }
    }

    /// Sets columns to NULL in rows whose first column refers to one of the deleted rows.
    private func empty(
        _ columns: [String],
        _ entityName: String,
        _ property: String,
        table: String,
        _ list: SQLValue,
        _ connection: Connection
    ) throws -> [ObjectKey] {
        let condition = "WHERE \(columns[0].sqliteName) IN (SELECT value FROM json_each(?))"
        let objectKeys = try keys(
            "SELECT Z_PK, Z_ENT FROM \(table.sqliteName) \(condition)",
            [list],
            entityName,
            connection
        )
        guard !objectKeys.isEmpty else { return [] }
        let settings = columns.map { "\($0.sqliteName) = NULL, " }.joined()
        try connection.run("UPDATE \(table.sqliteName) SET \(settings)Z_OPT = Z_OPT + 1 \(condition)", [list])
        for key in objectKeys {
            guard let member = engine.model?.entities[Int(key.entity)], let slot = member.slot(named: property) else {
                continue
            }
            noteUpdate(member, key.primaryKey, slot: slot)
            for (path, step) in engine.followedSlots(member)[slot] ?? [] {
                dependents.insert(DependentRow(path: path, step: step, primaryKey: key.primaryKey))
            }
        }
        return objectKeys
    }
}

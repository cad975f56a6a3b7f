// The store's part of batch requests: finding rows by unique values, setting values in many rows, deleting rows with their
// delete rules applied in SQL. Called inside a transaction.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

extension PostgreSQLWriter: BatchWriteSession {
    /// The row that has these values; nil if one of them is nil, because nil never conflicts.
    package func key(layout: EntityLayout, slots: [Int], values: ContiguousArray<RowValue>) throws -> ObjectKey? {
        let rows = try columns(of: layout)
        let columns = slots.compactMap { slot in rows.columns.first { $0.slot == slot } }
        guard columns.count == slots.count else { return nil }
        let storedValues = columns.map { $0.stored(values[$0.slot]) }
        if storedValues.contains(where: \.isNull) { return nil }
        let dialect = try engine.requireMap().schema.dialect
        let own = rows.entity.own
        let conditions = columns.enumerated()
            .map { "\(dialect.identifier($1.name)) = $\($0 + 1)" }
            .joined(separator: " AND ")
        let number = own.entityNumber.map(dialect.identifier) ?? "\(rows.entity.number)::bigint"
        let result = try run(
            SQLStatement(
                "SELECT \(dialect.identifier(own.key)), \(number) FROM \(dialect.table(rows.entity.tableName)) "
                    + "WHERE \(conditions) LIMIT 1",
                zip(columns, storedValues).map { $0.type.value($1) }
            )
        )
        return try engine.mapErrors { try keys(result, layout).first }
    }

    package var lookedUpAtOnce: Int { 4_096 }

    package func stored(_ value: RowValue, layout: EntityLayout, slot: Int) throws -> RowValue {
        try columns(of: layout).columns.first { $0.slot == slot && !$0.isEntityNumber }?.stored(value) ?? value
    }

    /// The rows that have the unique values of some rows, in one round trip for any number of rows and constraints.
    ///
    /// A second round trip begins the transaction if it has not begun.
    package func keys(layout: EntityLayout, constraints: [[Int]], rows: [ContiguousArray<RowValue>]) throws
        -> [[ObjectKey?]]
    {
        let lookups = try constraints.map { try lookup(layout, $0, rows) }
        let statements = lookups.compactMap(\.self)
        let noKeys = [ObjectKey?](repeating: nil, count: rows.count)
        guard !statements.isEmpty else { return constraints.map { _ in noKeys } }
        // Without preparation, the server plans for the number of rows and the current size of the table.
        let answers = try withConnection { try $0.pipeline(statements, prepares: false) }
        var results = answers[...]
        return try engine.mapErrors {
            try lookups.map { lookup in
                guard lookup != nil, let result = results.popFirst() else { return noKeys }
                var keys = noKeys
                for row in 0..<result.count {
                    guard let place = try result.integer(0, row).map({ Int($0) }), keys.indices.contains(place),
                        keys[place] == nil
                    else { continue }
                    keys[place] = try key(result, row, column: 1, layout)
                }
                return keys
            }
        }
    }

    /// The statement that finds the rows with the values of a constraint: the place of each row among those given, key
    /// and entity number; nil if none of the rows can have a match.
    private func lookup(_ layout: EntityLayout, _ slots: [Int], _ rows: [ContiguousArray<RowValue>]) throws
        -> SQLStatement?
    {
        let own = try columns(of: layout)
        let columns = slots.compactMap { slot in own.columns.first { $0.slot == slot } }
        guard !slots.isEmpty, columns.count == slots.count else { return nil }
        var places: [Int64] = []
        var lists = [[SQLValue]](repeating: [], count: columns.count)
        for (place, row) in rows.enumerated() {
            let values = columns.map { $0.stored(row[$0.slot]) }
            // Null never conflicts.
            if values.contains(where: \.isNull) { continue }
            places.append(Int64(place))
            for (column, value) in values.enumerated() { lists[column].append(columns[column].type.value(value)) }
        }
        guard !places.isEmpty else { return nil }
        let dialect = try engine.requireMap().schema.dialect
        let number = own.entity.own.entityNumber.map { "t.\(dialect.identifier($0))" } ?? "\(own.entity.number)::bigint"
        let conditions = columns.enumerated().map { "t.\(dialect.identifier($1.name)) = v.c\($0)" }
        let marks = (1...columns.count + 1).map { "$\($0)" }.joined(separator: ", ")
        let names = ["n"] + columns.indices.map { "c\($0)" }
        var values = [SQLValue.keys(places)]
        for (list, column) in zip(lists, columns) { values.append(.typed(.list(list, column.type))) }
        return SQLStatement(
            "SELECT v.n, t.\(dialect.identifier(own.entity.own.key)), \(number) "
                + "FROM unnest(\(marks)) AS v(\(names.joined(separator: ", "))) "
                + "JOIN \(dialect.table(own.entity.tableName)) AS t ON \(conditions.joined(separator: " AND "))",
            values
        )
    }

    // MARK: Inserting

    package var insertedAtOnce: Int { 4_096 }

    /// Writes new rows by COPY, in three round trips for any number of rows, and one more for each table.
    package func insert(_ rows: StoreChanges) throws {
        guard engine.configuration.copiesRows, engine.profile == .standard, engine.existing == nil,
            engine.derivations.isEmpty,
            rows.rowCount == rows.inserts.count,
            let layout = rows.inserts.first?.layout
        else {
            _ = try write(rows)
            return
        }
        let columns = try columns(of: layout)
        let map = try engine.requireMap()
        let dialect = map.schema.dialect
        let own = columns.entity.own
        guard try canCopy(columns, dialect) else {
            _ = try write(rows)
            return
        }
        let names = [own.key, own.version] + (own.entityNumber.map { [$0] } ?? []) + columns.columns.map(\.name)
        let statement =
            "COPY \(dialect.table(columns.entity.tableName)) (\(dialect.identifiers(names))) FROM STDIN (FORMAT binary)"
        try naming(rows) {
            _ = try withConnection { connection in
                try connection.copyIn(statement) { writer in
                    for row in rows.inserts {
                        try writer.beginRow(fields: names.count)
                        writer.append(row.primaryKey)
                        writer.append(1 as Int64)
                        if own.entityNumber != nil { writer.append(columns.entity.number) }
                        for column in columns.columns {
                            try writer.append(value(row, column, map), as: column.declaredType)
                        }
                    }
                }
            }
        }
        if !isFilling { note(rows) }
        engine.rowsWritten.add(rows.inserts.count, ordering: .relaxed)
    }

    /// Whether the columns of a table have the types in which COPY writes values.
    ///
    /// COPY converts none, and takes the bytes of a value for one of another type. The types stay the same until the end of
    /// the transaction.
    private func canCopy(_ rows: RowColumns, _ dialect: any SQLDialect) throws -> Bool {
        if let cached = copiedLayouts[rows.layout.index] { return cached }
        let table = dialect.table(rows.entity.tableName)
        let results = try run([
            SQLStatement("LOCK TABLE \(table) IN ROW EXCLUSIVE MODE"),
            SQLStatement(
                "SELECT attname::text, atttypid::bigint FROM pg_catalog.pg_attribute "
                    + "WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped",
                [.text(table)]
            ),
            // A commit without a reply needs the number of the transaction, which COPY does not return.
            SQLStatement("SELECT pg_current_xact_id()::text"),
        ])
        let columns = results[1]
        var types: [String: Int64] = [:]
        try engine.mapErrors {
            serverTransaction = try results[2].string(0, 0)
            for row in 0..<columns.count { types[try columns.string(0, row) ?? ""] = try columns.integer(1, row) }
        }
        let own = rows.entity.own
        let keys = [own.key, own.version] + (own.entityNumber.map { [$0] } ?? [])
        let result =
            keys.allSatisfy { types[$0] == Int64(PostgreSQLType.int8.oid) }
            && rows.columns.allSatisfy { types[$0.name] == Int64($0.declaredType.oid) }
        copiedLayouts[rows.layout.index] = result
        return result
    }

    // MARK: Updating

    /// Sets the same values in rows of one entity, regardless of their versions.
    package func update(layout: EntityLayout, keys: [Int64], values: ContiguousArray<RowValue>, slots: SlotSet) throws {
        _ = try write(StoreChanges(updating: keys, of: layout, to: values, slots: slots))
    }

    // MARK: Deleting

    /// Deletes rows with their cascades, and nullifies references in the remaining rows.
    package func delete(_ keys: [ObjectKey]) throws -> (deleted: [ObjectKey], changed: [ObjectKey]) {
        let groups = try engine.requireMap().model.cascade(keys, destinations: destinations)
        var changed: [ObjectKey] = []
        var deletedKeys: [Int: [Int64]] = [:]
        for (layout, group) in groups { deletedKeys[layout.tree.index, default: []] += group }
        for (layout, group) in groups {
            for slot in layout.properties.indices {
                changed += try nullifyReferences(layout, slot, group, except: deletedKeys)
            }
        }
        var changes = StoreChanges()
        for (layout, group) in groups {
            changes.deletes += group.map {
                RowOperation(layout: layout, primaryKey: $0, version: RowOperation.anyVersion, values: [])
            }
        }
        let outcome = try write(changes)
        // Rows of different entities can have the same primary key.
        func objectKey(_ operation: RowOperation) -> ObjectKey {
            ObjectKey(operation.layout.index, store: engine.storeIndex, operation.primaryKey)
        }
        let missing = Set(outcome.conflicts.map { objectKey($0) })
        let deleted = changes.deletes.map { objectKey($0) }.filter { !missing.contains($0) }
        let gone = Set(deleted)
        return (deleted, changed.filter { !gone.contains($0) })
    }

    /// The destinations of a relationship of some rows.
    private func destinations(_ layout: EntityLayout, _ slot: Int, _ keys: [Int64]) throws -> [ObjectKey] {
        let map = try engine.requireMap()
        let dialect = map.schema.dialect
        guard let entity = map.schema.entities[layout.name], let target = layout.destination(slot),
            let destination = map.schema.entities[target.name]
        else { return [] }
        func name(_ column: String) -> String { dialect.identifier(column) }
        let condition: String
        switch map.property(layout, slot) {
        case .toOne(let toOne):
            condition =
                "t.\(name(destination.own.key)) IN (SELECT o.\(name(toOne.column)) FROM \(dialect.table(entity.tableName)) "
                + "AS o WHERE o.\(name(entity.own.key)) = ANY($1))"
        case .toManyInverse(let inverse): condition = "t.\(name(inverse.column)) = ANY($1)"
        case .manyToMany(let join):
            condition =
                "t.\(name(destination.own.key)) IN (SELECT j.\(name(join.otherColumn)) FROM "
                + "\(dialect.table(join.joinTable)) AS j WHERE j.\(name(join.ownColumn)) = ANY($1))"
        case .attribute, nil: return []
        }
        let number = destination.own.entityNumber.map { "t.\(name($0))" } ?? "\(destination.number)::bigint"
        let result = try run(
            SQLStatement(
                "SELECT t.\(name(destination.own.key)), \(number) FROM \(dialect.table(destination.tableName)) AS t "
                    + "WHERE \(condition)",
                [.keys(keys)]
            )
        )
        return try engine.mapErrors { try self.keys(result, target) }
    }

    /// The objects of a result of keys and entity numbers.
    private func keys(_ result: PostgreSQLResult, _ usual: EntityLayout) throws -> [ObjectKey] {
        try (0..<result.count).compactMap { try key(result, $0, column: 0, usual) }
    }

    /// The object of a row with its key in a column and its entity number in the next one.
    private func key(_ result: PostgreSQLResult, _ row: Int, column: Int, _ usual: EntityLayout) throws -> ObjectKey? {
        guard let key = try result.integer(column, row), let number = try result.integer(column + 1, row) else {
            return nil
        }
        return ObjectKey(engine.entityIndex(number: number) ?? usual.index, store: engine.storeIndex, key)
    }

    /// Nullifies the inverse of a relationship of rows about to be deleted; the rule `noAction` leaves it to the
    /// database's keys, unless the relationship has no inverse.
    ///
    /// The rows of `deleted`, by their trees, will be deleted too, and stay unchanged.
    private func nullifyReferences(
        _ layout: EntityLayout,
        _ slot: Int,
        _ group: [Int64],
        except deleted: [Int: [Int64]]
    ) throws -> [ObjectKey] {
        let description = layout.properties[slot]
        let map = try engine.requireMap()
        guard let target = layout.destination(slot) else { return [] }
        switch map.property(layout, slot) {
        case .manyToMany:
            // The pairs are deleted with the rows.
            return try destinations(layout, slot, group)
        case .toManyInverse(let inverse) where description.deleteRule != .noAction || inverse.inverse.isEmpty:
            guard let destination = map.schema.entities[inverse.destination] else { return [] }
            var columns = [inverse.column, inverse.orderColumn].compactMap(\.self)
            if case .toOne(let toOne)? = destination.properties[inverse.inverse], let number = toOne.entityColumn {
                columns.append(number)
            }
            return try empty(columns, destination, target, inverse.inverse, group, except: deleted)
        case .toOne(let toOne) where description.deleteRule != .noAction:
            guard let name = toOne.inverse, let destination = map.schema.entities[toOne.destination],
                case .toOne(let inverse)? = destination.properties[name]
            else { return [] }
            let columns = [inverse.column, inverse.entityColumn].compactMap(\.self)
            return try empty(columns, destination, target, name, group, except: deleted)
        default:
            return []
        }
    }

    /// Sets columns to NULL in rows whose first column refers to one of the deleted rows.
    private func empty(
        _ columns: [String],
        _ entity: EntitySchema,
        _ layout: EntityLayout,
        _ property: String,
        _ group: [Int64],
        except deleted: [Int: [Int64]]
    ) throws -> [ObjectKey] {
        let dialect = try engine.requireMap().schema.dialect
        let table = try engine.written(entity)
        let settings =
            columns.filter { !table.unwritten.contains($0) }.map { "\(dialect.identifier($0)) = NULL" }
            + (table.counter.map { ["\($0) = t.\($0) + 1"] } ?? [])
        // The database alone writes the columns of another program's table.
        guard !settings.isEmpty else { return [] }
        let result = try run(
            SQLStatement(
                "UPDATE \(table.name) AS t SET \(settings.joined(separator: ", ")) "
                    + "WHERE t.\(dialect.identifier(columns[0])) = ANY($1) AND t.\(table.key) NOT IN (SELECT unnest($2)) "
                    + "RETURNING t.\(table.key), \(table.entityNumber)",
                [.keys(group), .keys(deleted[layout.tree.index] ?? [])]
            )
        )
        let primaryKeys = try engine.mapErrors { try keys(result, layout) }
        let model = try engine.requireMap().model
        for key in primaryKeys {
            let member = model.entities[Int(key.entity)]
            guard let slot = member.slot(named: property) else { continue }
            noteUpdate(member, key.primaryKey, slot: slot)
        }
        return primaryKeys
    }
}

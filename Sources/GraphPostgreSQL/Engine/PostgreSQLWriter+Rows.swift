// The rows and relationships of a save: for each entity and each set of columns one statement that takes arrays, all of
// them sent together. The order of the steps in `write` matters.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

extension PostgreSQLWriter {
    /// The most rows of one statement; unlimited over the tables of other programs, whose foreign keys are checked at
    /// the end of each statement.
    private var portion: Int { engine.existing == nil ? 5_000 : .max }

    /// A statement and the closure that handles its result.
    struct Step {
        var statement: SQLStatement
        var handle: (PostgreSQLResult) throws -> Void = { _ in }
    }

    package func write(_ changes: StoreChanges) throws -> StoreOutcome {
        var conflicts: [RowOperation] = []
        try refuseNewDistribution(changes.updates)
        if engine.profile == .distributed { try take(keys: []) }
        var steps = dependentSteps(before: changes)
        let writeOrder = try engine.existing.map { WriteOrder($0, try engine.requireMap()) }
        let deletes = writeOrder?.split(changes) ?? (first: changes.deletes, last: [])
        if engine.references.isEmpty {
            try pairsOfDeletedRows(changes.deletes, &steps)
        } else {
            try releaseReferences(to: changes.deletes, &steps)
        }
        // Delete first: the unique values of deleted rows are then free for the following rows.
        try deletions(deletes.first, &steps) { conflicts += $0 }
        if changes.freesUniqueValues { try freeUniqueValues(changes.updates, &steps) }
        if let writeOrder { try insertions(writeOrder.inserts(changes.inserts), &steps) }
        try updates(changes.updates, &steps) { conflicts += $0 }
        try checks(changes.checks, &steps) { conflicts += $0 }
        if writeOrder == nil { try insertions(changes.inserts, &steps) }
        try deletions(deletes.last, &steps) { conflicts += $0 }
        try joins(changes.joins.filter { !$0.isInsert }, &steps)
        try joins(changes.joins.filter(\.isInsert), &steps)
        try owners(changes.releases, &steps)
        try owners(changes.owners, &steps)
        for operation in changes.orders { try order(operation, &steps) }
        if !engine.references.isEmpty, !isFilling { try checkReferences(of: changes, &steps) }
        if engine.profile == .standard {
            steps.append(
                Step(statement: Self.currentTransaction) { [self] result in
                    serverTransaction = try result.string(0, 0) ?? serverTransaction
                }
            )
        }
        let results = try naming(changes) { try run(steps.map(\.statement)) }
        // After the statements, so that statements rolled back to a savepoint leave nothing in the history.
        for operation in changes.updates { noteUpdate(operation.layout, operation.primaryKey, operation.slots) }
        if !isFilling { note(changes) }
        try engine.mapErrors { for (step, result) in zip(steps, results) { try step.handle(result) } }
        engine.rowsWritten.add(changes.rowCount - conflicts.count, ordering: .relaxed)
        return StoreOutcome(conflicts: conflicts)
    }

    /// Runs `body`, which writes rows; an error about a value that has no form in the database names its property.
    func naming<R>(_ changes: StoreChanges, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch var error as EngineError where error.kind == .failed {
            guard let place = try placeOfInvalidValue(changes) else { throw error }
            error.message = "\(place): \(error.message)"
            throw error
        }
    }

    /// The property of the first value that cannot be encoded, with the key of a row that is there already; nil if
    /// there is none.
    private func placeOfInvalidValue(_ changes: StoreChanges) throws -> String? {
        let map = try engine.requireMap()
        for (operations, isInsert) in [(changes.inserts, true), (changes.updates, false)] {
            for operation in operations {
                for column in try columns(of: operation.layout).columns
                where isInsert || operation.slots.contains(column.slot) {
                    let value = value(operation, column, map)
                    if case .null = value { continue }
                    var bytes: [UInt8] = []
                    do {
                        try ValueEncoder.append(value, as: PostgreSQLType(column.type), to: &bytes)
                    } catch {
                        let name = operation.layout.properties[column.slot].name
                        let hasKey = !isInsert || isFilling
                        return "\(operation.layout.name).\(name)"
                            + (hasKey ? " of the object with the key \(operation.primaryKey)" : "")
                    }
                }
            }
        }
        return nil
    }

    // MARK: Rows

    /// Runs of adjacent operations that one statement can take.
    private func runs(
        _ operations: [RowOperation],
        by areAlike: (RowOperation, RowOperation) -> Bool
    ) -> [ArraySlice<RowOperation>] {
        var runs: [ArraySlice<RowOperation>] = []
        var remaining = operations[...]
        while let first = remaining.first {
            var count = 0
            while count < remaining.count, count < portion, areAlike(first, remaining[remaining.startIndex + count]) {
                count += 1
            }
            runs.append(remaining.prefix(count))
            remaining = remaining.dropFirst(count)
        }
        return runs
    }

    private func insertions(_ inserts: [RowOperation], _ steps: inout [Step]) throws {
        for run in runs(inserts, by: { $0.layout === $1.layout }) {
            guard let layout = run.first?.layout else { continue }
            let rows = try columns(of: layout)
            let dialect = try engine.requireMap().schema.dialect
            let table = rows.table
            var names = [table.key]
            var values = ["v.k"]
            if let counter = table.counter {
                names.append(counter)
                // Rows of another store keep their versions; a new row has 0.
                values.append("GREATEST(v.o, 1)")
            }
            if let (column, value) = table.newEntity {
                names.append(column)
                values.append(value)
            }
            let written = rows.columns
            names += written.map { dialect.identifier($0.name) }
            values += written.enumerated().map { table.value("v.c\($0)", of: $1.name) }
            let lists = try written.map { try list($0, run, rows.layout) }
            let sql =
                "INSERT INTO \(table.name) AS t (\(names.joined(separator: ", "))) \(table.overriding)"
                + "SELECT \(values.joined(separator: ", ")) FROM \(arrays(["k", "o"] + columnAliases(written.count)))"
                + (rows.computed.isEmpty ? "" : " RETURNING \(returned(rows))")
            steps.append(
                Step(statement: SQLStatement(sql, keysAndVersions(run) + lists)) { [self] result in
                    try noteComputed(rows, result)
                }
            )
        }
    }

    private func updates(
        _ updates: [RowOperation],
        _ steps: inout [Step],
        _ report: @escaping ([RowOperation]) -> Void
    ) throws {
        for run in runs(updates, by: { $0.layout === $1.layout && $0.slots == $1.slots }) {
            guard let first = run.first else { continue }
            let rows = try columns(of: first.layout)
            let dialect = try engine.requireMap().schema.dialect
            let changed = rows.columns(of: first.slots)
            let table = rows.table
            var assignments = table.counter.map { ["\($0) = t.\($0) + 1"] } ?? []
            for (place, column) in changed.enumerated() {
                assignments.append(
                    "\(dialect.identifier(column.name)) = \(table.value("v.c\(place)", of: column.name))"
                )
            }
            if assignments.isEmpty {
                // Only columns that the database computes were changed: assign one column to itself,
                // so that the version of the row is checked.
                guard let column = rows.columns.first.map({ dialect.identifier($0.name) }) else { continue }
                assignments.append("\(column) = t.\(column)")
            }
            let sql =
                "UPDATE \(table.name) AS t SET \(assignments.joined(separator: ", ")) "
                + "FROM \(arrays(["k", "o"] + columnAliases(changed.count))) WHERE \(table.match) "
                + "RETURNING \(returned(rows))"
            let lists = try changed.map { try list($0, run, rows.layout) }
            steps.append(
                Step(statement: SQLStatement(sql, keysAndVersions(run) + lists)) { [self] result in
                    report(try Self.missing(run, result))
                    try noteComputed(rows, result)
                }
            )
        }
    }

    private func deletions(
        _ deletes: [RowOperation],
        _ steps: inout [Step],
        _ report: @escaping ([RowOperation]) -> Void
    ) throws {
        for run in runs(deletes, by: { $0.layout === $1.layout }) {
            guard let layout = run.first?.layout else { continue }
            let rows = try columns(of: layout)
            let dialect = try engine.requireMap().schema.dialect
            let preserved = layout.preservedSlots.compactMap { slot in
                rows.columns.first { $0.slot == slot }.map { rows.table.read($0.name, dialect) }
            }
            let returned = (["t.\(rows.table.key)"] + preserved).joined(separator: ", ")
            let sql =
                "DELETE FROM \(rows.table.name) AS t USING \(arrays(["k", "o"])) "
                + "WHERE \(rows.table.match) RETURNING \(returned)"
            let number = rows.entity.number
            steps.append(
                Step(statement: SQLStatement(sql, keysAndVersions(run))) { [self] result in
                    for row in 0..<result.count {
                        var tombstone: [Int: SQLValue] = [:]
                        for place in preserved.indices {
                            let value = SQLValue(typed: try result.value(1 + place, row))
                            if value != .null { tombstone[place] = value }
                        }
                        history.deleted(number, try result.integer(0, row) ?? 0, tombstone)
                    }
                    report(try Self.missing(run, result))
                }
            )
        }
    }

    /// Deletes the pairs of rows about to be deleted, and clears the owners of members that they have by relationships
    /// without an inverse.
    private func pairsOfDeletedRows(_ deletes: [RowOperation], _ steps: inout [Step]) throws {
        for run in runs(deletes, by: { $0.layout === $1.layout }) {
            guard let layout = run.first?.layout else { continue }
            let map = try engine.requireMap()
            let dialect = map.schema.dialect
            let keys = SQLValue.keys(run.map(\.primaryKey))
            for slot in layout.toManySlots {
                if let inverse = map.ownerColumn(layout, slot) {
                    let columns = [inverse.column, inverse.orderColumn].compactMap { $0.map(dialect.identifier) }
                    let settings = columns.map { "\($0) = NULL" }.joined(separator: ", ")
                    let table = dialect.table(inverse.destinationTable)
                    let sql = "UPDATE \(table) SET \(settings) WHERE \(columns[0]) = ANY($1)"
                    steps.append(Step(statement: SQLStatement(sql, [keys])))
                }
                guard let join = map.manyToMany(layout, slot) else { continue }
                let table = engine.written(join.joinTable, dialect)
                for column in [join.ownColumn] + (join.isReflexive ? [join.otherColumn] : []) {
                    let sql = "DELETE FROM \(table) WHERE \(dialect.identifier(column)) = ANY($1)"
                    steps.append(Step(statement: SQLStatement(sql, [keys])))
                }
            }
        }
    }

    private func checks(
        _ checks: [RowOperation],
        _ steps: inout [Step],
        _ report: @escaping ([RowOperation]) -> Void
    ) throws {
        for run in runs(checks, by: { $0.layout === $1.layout }) {
            guard let layout = run.first?.layout else { continue }
            let rows = try columns(of: layout)
            // Locked, so that no other transaction changes a row between the check and the commit; the isolation level
            // of a distributed store does it without a lock.
            let lock = engine.profile == .standard ? " FOR SHARE OF t" : ""
            let sql =
                "SELECT v.k, v.o FROM \(rows.table.name) AS t JOIN \(arrays(["k", "o"])) ON \(rows.table.match)\(lock)"
            steps.append(
                Step(statement: SQLStatement(sql, keysAndVersions(run))) { result in
                    var matches: Set<[Int64?]> = []
                    for row in 0..<result.count {
                        matches.insert([try result.integer(0, row), try result.integer(1, row)])
                    }
                    report(run.filter { !matches.contains([$0.primaryKey, $0.version]) })
                }
            )
        }
    }

    /// Sets the unique columns of updated rows to NULL, so that rows can exchange their values.
    ///
    /// The check constraints of required values permit that while a setting of the transaction is on.
    private func freeUniqueValues(_ updates: [RowOperation], _ steps: inout [Step]) throws {
        let hasSetting = engine.profile == .standard && engine.existing == nil
        func set(_ value: String) -> Step {
            Step(statement: SQLStatement("SET LOCAL \(RowRule.freeing) = '\(value)'"))
        }
        if hasSetting { steps.append(set("on")) }
        defer { if hasSetting { steps.append(set("off")) } }
        for run in runs(updates, by: { $0.layout === $1.layout && $0.slots == $1.slots }) {
            guard let first = run.first else { continue }
            let rows = try columns(of: first.layout)
            let unique = Set(rows.layout.uniquenessConstraints.joined().compactMap { rows.layout.slot(named: $0) })
            let distribution = engine.distribution?.columns[rows.entity.tableName]
            let columns = rows.columns(of: first.slots).filter { unique.contains($0.slot) && $0.name != distribution }
            if columns.isEmpty { continue }
            let dialect = try engine.requireMap().schema.dialect
            let assignments = columns.map { "\(dialect.identifier($0.name)) = NULL" }.joined(separator: ", ")
            let sql =
                "UPDATE \(rows.table.name) AS t SET \(assignments) FROM \(arrays(["k", "o"])) WHERE \(rows.table.match)"
            steps.append(Step(statement: SQLStatement(sql, keysAndVersions(run))))
        }
    }

    /// Throws if an update changes the value that distributes a row, which would move the row to another server.
    private func refuseNewDistribution(_ updates: [RowOperation]) throws {
        guard let distribution = engine.distribution else { return }
        for operation in updates {
            guard let table = try engine.requireMap().schema.entities[operation.layout.name]?.tableName,
                let name = distribution.properties[table], let slot = operation.layout.slot(named: name),
                operation.slots.contains(slot)
            else { continue }
            throw EngineError(
                .unsaved,
                "\(operation.layout.name).\(name) distributes the rows over servers, and cannot change.",
                remedy: "Insert a new object with the other value, and delete this one. Nothing was written."
            )
        }
    }

    // MARK: Parts of statements

    private func columnAliases(_ count: Int) -> [String] { (0..<count).map { "c\($0)" } }

    /// Arrays of equal length as the rows of a table `v`.
    private func arrays(_ names: [String]) -> String {
        let marks = (1...names.count).map { "$\($0)" }.joined(separator: ", ")
        return "unnest(\(marks)) AS v(\(names.joined(separator: ", ")))"
    }

    /// The key of a row `t`, and the values that the database has computed.
    private func returned(_ rows: RowColumns) -> String {
        (["t.\(rows.table.key)"] + rows.computed.compactMap { rows.table.computed[$0.name] }).joined(separator: ", ")
    }

    /// Reports the values that the database has computed.
    private func noteComputed(_ rows: RowColumns, _ result: PostgreSQLResult) throws {
        for (place, column) in rows.computed.enumerated() {
            let property = rows.layout.properties[column.slot]
            for row in 0..<result.count {
                let key = ObjectKey(rows.layout.index, store: engine.storeIndex, try result.integer(0, row) ?? 0)
                let cell = SQLValue(try result.value(1 + place, row))
                derivedValues.append(
                    DerivedValue(key: key, property: property.name, value: RowValue(cell, type: property.type) ?? .null)
                )
            }
        }
    }

    private func keysAndVersions(_ run: ArraySlice<RowOperation>) -> [SQLValue] {
        [.keys(run.map(\.primaryKey)), .keys(run.map(\.version))]
    }

    /// The operations whose keys are not in a result's first column.
    private static func missing(_ run: ArraySlice<RowOperation>, _ result: PostgreSQLResult) throws -> [RowOperation] {
        if result.count == run.count { return [] }
        var returnedKeys: Set<Int64> = []
        for row in 0..<result.count { if let key = try result.integer(0, row) { returnedKeys.insert(key) } }
        return run.filter { !returnedKeys.contains($0.primaryKey) }
    }

    /// The values of a column in some rows, as an array.
    private func list(_ column: RowColumns.Column, _ run: ArraySlice<RowOperation>, _ layout: EntityLayout) throws
        -> SQLValue
    {
        let map = try engine.requireMap()
        var values: [SQLValue] = []
        values.reserveCapacity(run.count)
        // Only these types have values that a column cannot store unchanged.
        let isInexact = [.time, .real, .decimal].contains(column.type)
        for operation in run {
            values.append(value(operation, column, map))
            if isInexact, !isFilling { noteStored(operation, column, layout) }
        }
        return .typed(.list(values, column.type))
    }

    /// The value of a row in a column.
    func value(_ operation: RowOperation, _ column: RowColumns.Column, _ map: TableMap) -> SQLValue {
        let value = operation.values[column.slot]
        guard column.isEntityNumber else { return column.type.value(value) }
        guard case .key(let key) = value else { return .null }
        return .integer(map.entityNumber(at: Int(key.entity)))
    }

    /// Reports the value that the database stores instead of one that it cannot represent: a time rounded to
    /// microseconds, and NULL for NaN.
    private func noteStored(_ operation: RowOperation, _ column: RowColumns.Column, _ layout: EntityLayout) {
        let value = operation.values[column.slot]
        let storedValue = column.type.stored(value)
        guard storedValue != value else { return }
        let key = ObjectKey(layout.index, store: engine.storeIndex, operation.primaryKey)
        derivedValues.append(
            DerivedValue(key: key, property: layout.properties[column.slot].name, value: storedValue)
        )
    }

    // MARK: Relationships

    private func joins(_ operations: [JoinOperation], _ steps: inout [Step]) throws {
        var remaining = operations[...]
        while let first = remaining.first {
            let run = remaining.prefix { $0.layout === first.layout && $0.slot == first.slot }.prefix(portion)
            remaining = remaining.dropFirst(run.count)
            let map = try engine.requireMap()
            guard let join = map.manyToMany(first.layout, first.slot) else { continue }
            let dialect = map.schema.dialect
            let table = engine.written(join.joinTable, dialect)
            let (own, other) = (dialect.identifier(join.ownColumn), dialect.identifier(join.otherColumn))
            var lists = [SQLValue.keys(run.map(\.source)), .keys(run.map(\.destination))]
            guard first.isInsert else {
                let sql =
                    "DELETE FROM \(table) AS t USING \(arrays(["s", "d"])) WHERE t.\(own) = v.s AND t.\(other) = v.d"
                steps.append(Step(statement: SQLStatement(sql, lists)))
                continue
            }
            var names = [own, other]
            var values = ["v.s", "v.d"]
            var aliases = ["s", "d"]
            // A new pair is last on each side until the order of that side is written.
            for (order, column, isSource) in [
                (join.orderColumn, own, true), (join.inverseOrderColumn, other, false),
            ] {
                guard let order = order.map(dialect.identifier) else { continue }
                let alias = "n\(aliases.count)"
                var places: [Int64: Int64] = [:]
                lists.append(
                    .keys(
                        run.map { operation in
                            places[isSource ? operation.source : operation.destination, default: 0] += Self.orderStep
                            return places[isSource ? operation.source : operation.destination] ?? 0
                        }
                    )
                )
                aliases.append(alias)
                names.append(order)
                values.append(
                    "v.\(alias) + COALESCE((SELECT max(x.\(order)) FROM \(table) AS x WHERE x.\(column) = "
                        + "v.\(isSource ? "s" : "d")), 0)"
                )
            }
            let sql =
                "INSERT INTO \(table) (\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
                + "FROM \(arrays(aliases)) ON CONFLICT DO NOTHING"
            steps.append(Step(statement: SQLStatement(sql, lists)))
        }
    }

    /// The gap between the numbers of ordered members.
    private static var orderStep: Int64 { 1_024 }

    private func owners(_ operations: [OwnerOperation], _ steps: inout [Step]) throws {
        var remaining = operations[...]
        while let first = remaining.first {
            let run = remaining.prefix { $0.layout === first.layout && $0.slot == first.slot }.prefix(portion)
            remaining = remaining.dropFirst(run.count)
            let map = try engine.requireMap()
            guard let inverse = map.ownerColumn(first.layout, first.slot),
                let destination = map.schema.entities[inverse.destination]
            else { continue }
            let dialect = map.schema.dialect
            let sources = run.map { $0.source.map(SQLValue.integer) ?? .null }
            let sql =
                "UPDATE \(dialect.table(inverse.destinationTable)) AS t SET \(dialect.identifier(inverse.column)) = v.s "
                + "FROM \(arrays(["m", "s"])) WHERE t.\(dialect.identifier(destination.own.key)) = v.m"
            let lists = [SQLValue.keys(run.map(\.member)), .typed(.list(sources, .integer))]
            steps.append(Step(statement: SQLStatement(sql, lists)))
        }
    }

    private func order(_ operation: OrderOperation, _ steps: inout [Step]) throws {
        let map = try engine.requireMap()
        let dialect = map.schema.dialect
        let table: String
        let (owner, member, order): (String, String, String)
        switch map.property(operation.layout, operation.slot) {
        case .manyToMany(let join):
            guard let column = join.orderColumn else { return }
            table = dialect.table(join.joinTable)
            (owner, member, order) = (join.ownColumn, join.otherColumn, column)
        case .toManyInverse(let inverse):
            guard let column = inverse.orderColumn, let destination = map.schema.entities[inverse.destination] else {
                return
            }
            table = dialect.table(inverse.destinationTable)
            (owner, member, order) = (inverse.column, destination.own.key, column)
        default: return
        }
        let names = (dialect.identifier(owner), dialect.identifier(member), dialect.identifier(order))
        let numbers = operation.members.indices.map { Int64($0 + 1) * Self.orderStep }
        let floor =
            operation.isAppended
            ? " + COALESCE((SELECT max(x.\(names.2)) FROM \(table) AS x WHERE x.\(names.0) = $3 "
                + "AND x.\(names.1) <> ALL($1)), 0)" : ""
        let sql =
            "UPDATE \(table) AS t SET \(names.2) = v.n\(floor) FROM \(arrays(["m", "n"])) WHERE t.\(names.0) = $3 "
            + "AND t.\(names.1) = v.m AND t.\(names.2) IS DISTINCT FROM v.n\(floor)"
        let values: [SQLValue] = [.keys(operation.members), .keys(numbers), .integer(operation.source)]
        steps.append(Step(statement: SQLStatement(sql, values)))
    }
}

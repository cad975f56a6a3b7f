// The statements that make the destination's tables and fill them with the source's rows. Relationships whose place has
// changed follow in +Relationships.
import GraphModel

extension MigrationPlanner {
    /// Begins the names of tables that are on their way out; no entity's table is called so.
    static let formerPrefix = "Z_FORMER_"

    mutating func writeTables() {
        let stays = Dictionary(
            new.tables.indices.compactMap { index in
                plan.paths[new.tables[index].name] == .inPlace ? feeds[index].map { ($0, index) } : nil
            },
            uniquingKeysWith: { first, _ in first }
        )
        for (feed, table) in old.tables.enumerated() {
            guard let index = stays[feed] else {
                if feeds.contains(feed) || !leave(table.name) { setAside(table.name) }
                continue
            }
            if file.database == nil { changeInPlace(index, feed) } else { alter(index, feed) }
        }
        for table in new.tables where [.rewritten, .created].contains(plan.paths[table.name]) {
            let texts = file.database?.create(table) ?? [table.createStatement(in: dialect)]
            plan.statements += texts.map { SQLStatement($0) }
        }
        for pair in pairs where plan.paths[pair.new.tableName] == .rewritten { copyRows(pair) }
        for (feed, index) in stays.sorted(by: { $0.key < $1.key }) {
            if file.database == nil { updateRows(index) } else { fillColumns(index, feed) }
        }
    }

    /// Gives a table that will be dropped a name that collides with no other.
    mutating func setAside(_ name: String) {
        guard let database = file.database else {
            formerTables.append(Self.formerPrefix + name)
            currentTables[name] = Self.formerPrefix + name
            plan.statements.append(
                SQLStatement("ALTER TABLE \(named(name)) RENAME TO \(quoted(Self.formerPrefix + name))")
            )
            return
        }
        // A name with a prefix could be longer than the database allows.
        let former = "_former_\(formerTables.count + 1)"
        formerTables.append(former)
        currentTables[name] = former
        rename(name, to: former, sequence: database.sequence(former))
    }

    /// Leaves a table that nothing needs for later; false if its name is needed, or nothing is to be left.
    mutating func leave(_ name: String) -> Bool {
        guard defers, !(new.tables.map(\.name) + new.joinTables.map(\.name)).contains(name) else { return false }
        plan.leftovers.append(.table(name))
        return true
    }

    // MARK: In place

    private mutating func changeInPlace(_ index: Int, _ feed: Int) {
        let (oldTable, newTable) = (old.tables[feed], new.tables[index])
        let before = plan.statements.count
        let table = named(newTable.name)
        currentTables[oldTable.name] = newTable.name
        if oldTable.name != newTable.name {
            plan.statements.append(
                SQLStatement("ALTER TABLE \(named(oldTable.name)) RENAME TO \(quoted(newTable.name))")
            )
        }
        let renames = renames(of: index, from: feed) ?? [:]
        currentColumns[oldTable.name] = renames
        for column in oldTable.columns {
            guard let name = renames[column.name], name != column.name else { continue }
            plan.statements.append(
                SQLStatement("ALTER TABLE \(table) RENAME COLUMN \(quoted(column.name)) TO \(quoted(name))")
            )
        }
        let presentNames = Set(renames.values)
        for column in newTable.columns where !presentNames.contains(column.name) {
            let value = commonValue(of: column.name, index).map { " DEFAULT \($0)" } ?? ""
            plan.statements.append(
                SQLStatement("ALTER TABLE \(table) ADD COLUMN \(quoted(column.name)) \(column.declaredType)\(value)")
            )
        }
        for column in oldTable.columns where renames[column.name] == nil {
            plan.leftovers.append(.column(table: newTable.name, name: column.name))
        }
        if plan.statements.count == before { plan.paths[newTable.name] = .untouched }
    }

    /// The value that a new column has in all existing rows, as text for its declaration, so that no row is rewritten.
    private func commonValue(of column: String, _ index: Int) -> String? {
        var common: SQLValue?
        for pair in pairs
        where pair.new.table == index && oldModel.entity(named: pair.old.name)?.isAbstract != true {
            guard case .value(let value)? = columns[pair.new.name]?[column], common == nil || common == value else {
                return nil
            }
            common = value
        }
        return common?.literal
    }

    /// Empties columns of entities that lack them: all rows contain the default value of an earlier migration.
    mutating func clearDefaults() {
        for table in old.tables {
            guard let columns = file.defaults[table.name.uppercased()], !columns.isEmpty else { continue }
            for entity in old.entityOrder.compactMap({ old.entities[$0] })
            where entity.tableName == table.name && oldModel.entity(named: entity.name)?.isAbstract != true {
                let foreign = Set(columns).subtracting(ownColumns(entity).map { $0.uppercased() })
                for column in table.columns.map(\.name) where foreign.contains(column.uppercased()) {
                    plan.statements.append(
                        SQLStatement(
                            "UPDATE \(named(table.name)) SET \(quoted(column)) = NULL WHERE Z_ENT = \(entity.number) AND "
                                + "\(quoted(column)) NOT NULL"
                        )
                    )
                }
            }
        }
    }

    /// Gives rows that stay their default values and their entities' new numbers.
    private mutating func updateRows(_ index: Int) {
        let table = new.tables[index].name
        let entities = pairs.filter { $0.new.table == index }
        let all = Set(entities.map(\.old.number))
        // Values of new columns, by the entities that have them.
        var added: [Set<Int64>: [(column: String, value: SQLValue)]] = [:]
        for column in new.tables[index].columns.map(\.name) {
            var byValue: [SQLValue: Set<Int64>] = [:]
            for pair in entities {
                guard case .value(let value)? = columns[pair.new.name]?[column] else { continue }
                byValue[value, default: []].insert(pair.old.number)
            }
            if commonValue(of: column, index) != nil { continue }
            for (value, numbers) in byValue { added[numbers, default: []].append((column, value)) }
        }
        for (numbers, values) in added.sorted(by: { $0.key.min() ?? 0 < $1.key.min() ?? 0 }) {
            let list = numbers.sorted().map(String.init).joined(separator: ", ")
            update(
                table,
                values.map { "\(quoted($0.column)) = ?" }.joined(separator: ", "),
                values.map(\.value),
                where: numbers == all ? nil : "Z_ENT IN (\(list))"
            )
        }
        let moved = entities.filter { $0.old.number != $0.new.number }
        guard !moved.isEmpty else { return }
        if let only = moved.first, !only.old.isInTree {
            return update(table, "Z_ENT = \(only.new.number)", [], where: nil)
        }
        let cases = moved.map { "WHEN \($0.old.number) THEN \($0.new.number)" }.joined(separator: " ")
        update(table, "Z_ENT = CASE Z_ENT \(cases) ELSE Z_ENT END", [], where: nil)
    }

    private mutating func update(_ table: String, _ assignments: String, _ values: [SQLValue], where condition: String?)
    {
        plan.paths[table] = .inPlace
        let sql = "UPDATE \(named(table)) SET \(assignments)" + (condition.map { " WHERE \($0)" } ?? "")
        plan.statements.append(SQLStatement(sql, values))
    }

    // MARK: Anew

    private mutating func copyRows(_ pair: Pair) {
        var names = [pair.new.own.key, pair.new.own.version]
        var expressions = [quoted(pair.old.own.key), quoted(pair.old.own.version)]
        if let column = pair.new.own.entityNumber {
            names.append(column)
            expressions.append("\(pair.new.number)")
        }
        var values: [SQLValue] = []
        for (column, source) in (columns[pair.new.name] ?? [:]).sorted(by: { $0.key < $1.key }) {
            switch source {
            case .copy(let former, let value), .convert(let former, _, let value):
                let expression = source.expression(quoted(former))
                expressions.append(value.map { "COALESCE(\(expression), \(mark($0, &values)))" } ?? expression)
            case .value(let value): expressions.append(mark(value, &values))
            case .later: continue
            }
            names.append(column)
        }
        plan.statements.append(
            SQLStatement(
                "INSERT INTO \(named(pair.new.tableName)) (\(dialect.identifiers(names))) SELECT "
                    + "\(expressions.joined(separator: ", ")) FROM \(rows(pair.old, in: table(pair.old.tableName)))",
                values
            )
        )
    }

    /// The name that a source's column has while the statements run.
    func column(_ name: String, _ table: String) -> String { currentColumns[table]?[name] ?? name }

    /// The name that a source's table has while the statements run.
    func table(_ name: String) -> String { currentTables[name] ?? name }
}

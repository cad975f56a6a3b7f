// Tables of a database, which change in place by ALTER TABLE: columns are renamed, converted, added and dropped, rows of
// removed entities deleted. Columns that others are filled from stay until the end of the plan. Only a tree that is
// split, or whose name another table has had, is copied.
import GraphModel

extension MigrationPlanner {
    /// Whether a table can become a destination's by ALTER TABLE.
    func canBeAltered(_ index: Int, from feed: Int) -> Bool {
        feeds.filter { $0 == feed }.count == 1 && isFree(new.tables[index].name, from: old.tables[feed].name)
    }

    /// The new names of the old columns that become one of the new columns.
    func keptColumns(_ index: Int, _ feed: Int) -> [String: String] {
        var uses: [String: Set<String>] = [:]
        var sources: [String: Set<String>] = [:]
        var converted: Set<String> = []
        for pair in pairs where pair.new.table == index {
            for (column, source) in columns[pair.new.name] ?? [:] {
                guard let former = source.column else { continue }
                uses[former, default: []].insert(column)
                sources[column, default: []].insert(former)
                if source.isConversion { converted.insert(former) }
            }
        }
        var result: [String: String] = [:]
        for column in new.tables[index].columns {
            guard let formers = sources[column.name], formers.count == 1, let former = formers.first,
                result[former] == nil, uses[former]?.count == 1 || !converted.contains(former),
                old.tables[feed].columns.contains(where: { $0.name == former })
            else { continue }
            result[former] = column.name
        }
        return result
    }

    /// Renames, converts and adds columns.
    mutating func alter(_ index: Int, _ feed: Int) {
        let (oldTable, newTable) = (old.tables[feed], new.tables[index])
        let before = plan.statements.count
        currentTables[oldTable.name] = newTable.name
        if oldTable.name != newTable.name, let sequence = file.database?.sequence(newTable.name) {
            rename(oldTable.name, to: newTable.name, sequence: sequence)
        }
        deleteRemoved(feed, newTable.name)
        var newNames = keptColumns(index, feed)
        plan.keptColumns[oldTable.name] = newNames
        newNames[oldTable.own.key] = newTable.own.key
        newNames[oldTable.own.version] = newTable.own.version
        if let column = oldTable.own.entityNumber { newNames[column] = newTable.own.entityNumber }
        let names = oldTable.own.names + oldTable.columns.map(\.name)
        let finalNames = Set(newTable.own.names + newTable.columns.map(\.name))
        renameColumns(names, newNames, finalNames, of: oldTable.name, newTable.name)
        for name in names where newNames[name] == nil {
            formerColumns.append((newTable.name, column(name, oldTable.name)))
        }
        convertColumns(index, feed, newNames)
        let presentNames = Set(newNames.values)
        if let column = newTable.own.entityNumber, !presentNames.contains(column) {
            let number = pairs.first { $0.new.table == index }?.new.number ?? 0
            addColumn("\(quoted(column)) bigint NOT NULL", column, "\(number)", newTable.name)
        }
        for column in newTable.columns where !presentNames.contains(column.name) {
            addColumn(
                "\(quoted(column.name)) \(column.declaredType)",
                column.name,
                sharedValue(of: column.name, index).map(dialect.literal),
                newTable.name
            )
        }
        if plan.statements.count == before { plan.paths[newTable.name] = .untouched }
    }

    /// Renames a table and the sequence of its keys.
    mutating func rename(_ table: String, to name: String, sequence: String) {
        plan.statements.append(SQLStatement("ALTER TABLE \(named(table)) RENAME TO \(quoted(name))"))
        guard let database = file.database, old.tables.contains(where: { $0.name == table }) else { return }
        plan.statements.append(
            SQLStatement("ALTER SEQUENCE \(named(database.sequence(table))) RENAME TO \(quoted(sequence))")
        )
    }

    private mutating func deleteRemoved(_ feed: Int, _ table: String) {
        let removed = old.entityOrder.compactMap { old.entities[$0] }
            .filter { $0.table == feed && mapping.destination(of: $0.name) == nil }
        guard let column = removed.first?.own.entityNumber else { return }
        let list = removed.map { String($0.number) }.joined(separator: ", ")
        plan.statements.append(SQLStatement("DELETE FROM \(named(table)) WHERE \(quoted(column)) IN (\(list))"))
    }

    /// Gives columns their new names; two may swap theirs, one may take that of another one that gets a new name, and a
    /// new one may have that of one to be dropped.
    private mutating func renameColumns(
        _ names: [String],
        _ newNames: [String: String],
        _ finalNames: Set<String>,
        of oldTable: String,
        _ table: String
    ) {
        var current: [String: String] = [:]
        func rename(_ name: String, _ newName: String) -> SQLStatement {
            SQLStatement("ALTER TABLE \(named(table)) RENAME COLUMN \(quoted(name)) TO \(quoted(newName))")
        }
        // A name that another column gets has to be free, whichever is renamed first.
        for (number, name) in names.enumerated() where newNames[name] != name && finalNames.contains(name) {
            current[name] = "_former_\(number + 1)"
            plan.statements.append(rename(name, "_former_\(number + 1)"))
        }
        for name in names {
            guard let new = newNames[name], new != name else { continue }
            plan.statements.append(rename(current[name] ?? name, new))
            current[name] = new
        }
        currentColumns[oldTable] = current
    }

    /// Gives columns their new types.
    private mutating func convertColumns(_ index: Int, _ feed: Int, _ newNames: [String: String]) {
        let (oldTable, newTable) = (old.tables[feed], new.tables[index])
        let types = Dictionary(newTable.columns.map { ($0.name, $0.declaredType) }) { first, _ in first }
        for column in oldTable.columns {
            guard let name = newNames[column.name], let type = types[name], type != column.declaredType else {
                continue
            }
            let source = pairs.filter { $0.new.table == index }.compactMap { columns[$0.new.name]?[name] }
                .first { $0.isConversion }
            let using = source.map { " USING \($0.expression(quoted(name)))" } ?? ""
            plan.statements.append(
                SQLStatement("ALTER TABLE \(named(newTable.name)) ALTER COLUMN \(quoted(name)) TYPE \(type)\(using)")
            )
        }
    }

    /// Adds a column; existing rows get its default value without being rewritten.
    private mutating func addColumn(_ declaration: String, _ column: String, _ value: String?, _ table: String) {
        let begin = "ALTER TABLE \(named(table))"
        let filling = value.map { " DEFAULT \($0)" } ?? ""
        plan.statements.append(SQLStatement("\(begin) ADD COLUMN \(declaration)\(filling)"))
        guard value != nil else { return }
        plan.statements.append(SQLStatement("\(begin) ALTER COLUMN \(quoted(column)) DROP DEFAULT"))
    }

    /// The value that a new column has in all existing rows.
    private func sharedValue(of column: String, _ index: Int) -> SQLValue? {
        var shared: SQLValue?
        for pair in pairs
        where pair.new.table == index && oldModel.entity(named: pair.old.name)?.isAbstract != true {
            guard case .value(let value)? = columns[pair.new.name]?[column], shared == nil || shared == value else {
                return nil
            }
            shared = value
        }
        return shared
    }

    /// Fills the columns that are not the same as before, entity by entity.
    mutating func fillColumns(_ index: Int, _ feed: Int) {
        let table = new.tables[index].name
        let newNames = plan.keptColumns[old.tables[feed].name] ?? [:]
        let formers = Dictionary(newNames.map { ($1, $0) }) { first, _ in first }
        for pair in pairs
        where pair.new.table == index && oldModel.entity(named: pair.old.name)?.isAbstract != true {
            let former = ownColumns(pair.old)
            var assignments: [String] = []
            for column in new.tables[index].columns.map(\.name) {
                let (source, name) = (columns[pair.new.name]?[column], quoted(column))
                if let source, let from = source.column {
                    let filling = source.filling.map(dialect.literal)
                    if formers[column] == from {
                        if let filling { set(["\(name) = \(filling)"], pair, feed, table, " AND \(name) IS NULL") }
                        continue
                    }
                    let value = source.expression(quoted(self.column(from, pair.old.tableName)))
                    assignments.append("\(name) = \(filling.map { "COALESCE(\(value), \($0))" } ?? value)")
                } else if case .value(let value)? = source {
                    if sharedValue(of: column, index) == nil {
                        assignments.append("\(name) = \(dialect.literal(value))")
                    }
                } else if let from = formers[column], former.contains(from) {
                    assignments.append("\(name) = NULL")
                }
            }
            if !assignments.isEmpty { set(assignments, pair, feed, table, "") }
        }
    }

    private mutating func set(
        _ assignments: [String],
        _ pair: Pair,
        _ feed: Int,
        _ table: String,
        _ condition: String
    ) {
        markChanged(table)
        let entityNumber = old.tables[feed].own.entityNumber.map { quoted(column($0, old.tables[feed].name)) }
        plan.statements.append(
            SQLStatement(
                "UPDATE \(named(table)) SET \(assignments.joined(separator: ", ")) WHERE "
                    + (entityNumber.map { "\($0) = \(pair.old.number)" } ?? "TRUE") + condition
            )
        )
    }

    /// Drops the columns that nothing needs any more.
    mutating func dropColumns() {
        for (table, column) in formerColumns {
            markChanged(table)
            plan.statements.append(SQLStatement("ALTER TABLE \(named(table)) DROP COLUMN \(quoted(column))"))
        }
    }
}

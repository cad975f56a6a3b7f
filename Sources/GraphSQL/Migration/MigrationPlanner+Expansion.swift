// Plans a new version beside an old one, for a database. Columns and tables of the new version are added under temporary
// names; the views show them under their final ones. A change that moves rows or relationships to other tables or columns
// cannot be planned this way: it is an obstacle.
import GraphModel

extension MigrationPlanner {
    /// Plans a new version beside an old one.
    ///
    /// - Parameters:
    ///   - mapping: The inferred mapping.
    ///   - oldModel: The version of the store.
    ///   - newModel: The version beside it.
    ///   - file: The facts about the schema, of a database.
    /// - Returns: The plan; if it has obstacles, it contains nothing else.
    package static func expansion(
        _ mapping: ModelMapping,
        from oldModel: Model,
        to newModel: Model,
        file: MigrationFile
    ) -> ExpansionPlan {
        var planner = MigrationPlanner(mapping, oldModel, newModel, file, false)
        planner.findFeeds()
        planner.findColumns()
        var result = ExpansionPlan()
        planner.findObstacles(&result)
        guard result.obstacles.isEmpty else { return result }
        for index in planner.new.tables.indices { planner.expand(index, &result) }
        planner.expandJoins(&result)
        for index in planner.new.tables.indices { planner.contract(index, &result) }
        planner.dropTables(&result)
        planner.renameTables(&result)
        result.migration = plan(mapping, from: oldModel, to: newModel, file: file)
        // A column of another type replaces these columns.
        for column in result.added {
            if let pair = column.pair { result.migration.keptColumns[column.table]?[pair.column] = nil }
        }
        return result
    }

    // MARK: Obstacles

    private func findObstacles(_ result: inout ExpansionPlan) {
        func refuse(_ entity: String, _ property: String?, _ reason: String) {
            result.obstacles.append(.init(entity: entity, property: property, reason: reason))
        }
        for (index, table) in new.tables.enumerated() {
            guard let feed = feeds[index] else { continue }
            if let reason = obstacle(index, feed) { refuse(table.rootEntity, nil, reason) }
            let presentNames = Set(keptColumns(index, feed).values)
            for column in table.columns where !presentNames.contains(column.name) {
                if pairs.contains(where: { $0.new.table == index && columns[$0.new.name]?[column.name]?.column != nil })
                {
                    refuse(table.rootEntity, nil, "the column \(column.name) comes from several columns")
                }
            }
        }
        for pair in pairs {
            for relationship in pair.pair.relationships {
                let place = pair.new.properties[relationship.destination]
                guard let source = relationship.source else {
                    if let inverse = newModel.relationship(relationship.destination, of: pair.new.name)?.inverseName,
                        let target = newModel.relationship(relationship.destination, of: pair.new.name)?
                            .destinationEntityName,
                        self.pair(target)?.pair.source(of: inverse) != nil
                    {
                        refuse(pair.new.name, relationship.destination, "its inverse exists in the old version")
                    }
                    continue
                }
                let isSame: Bool =
                    switch (pair.old.properties[source], place) {
                    case (.toOne(let before)?, .toOne(let after)?):
                        (before.entityColumn == nil) == (after.entityColumn == nil)
                            && (before.orderColumn == nil) == (after.orderColumn == nil)
                    case (.toManyInverse(let before)?, .toManyInverse(let after)?):
                        (before.orderColumn == nil) == (after.orderColumn == nil)
                            && before.inverse.isEmpty == after.inverse.isEmpty
                    case (.manyToMany(let before)?, .manyToMany(let after)?):
                        before.isReflexive == after.isReflexive
                            && (before.orderColumn == nil) == (after.orderColumn == nil)
                            && (before.inverseOrderColumn == nil) == (after.inverseOrderColumn == nil)
                    case (nil, nil): true
                    default: false
                    }
                if !isSame { refuse(pair.new.name, relationship.destination, "the relationship has another form") }
            }
        }
    }

    /// The reason for which a table cannot have both versions; nil if it can.
    private func obstacle(_ index: Int, _ feed: Int) -> String? {
        let members = new.entityOrder.filter { new.entities[$0]?.table == index }
        let formers = old.entityOrder.filter { old.entities[$0]?.table == feed }
        if feeds.filter({ $0 == feed }).count > 1 { return "the rows of its table are divided between several tables" }
        if !isFree(new.tables[index].name, from: old.tables[feed].name) {
            return "its table gets the name of another one"
        }
        if members.contains(where: { pair($0) == nil })
            || formers.contains(where: { mapping.destination(of: $0) == nil })
        {
            return "its inheritance tree has other entities"
        }
        let hasNumbers = new.tables[index].own.entityNumber != nil
        return hasNumbers == (old.tables[feed].own.entityNumber != nil)
            ? nil : "its inheritance tree \(hasNumbers ? "gets a second entity" : "keeps one entity only")"
    }

    // MARK: Adding

    private mutating func expand(_ index: Int, _ result: inout ExpansionPlan) {
        let newTable = new.tables[index]
        guard let feed = feeds[index] else {
            var table = newTable
            table.name = Self.nextName(newTable.name)
            result.tables.append((table, newTable.name))
            let names = (newTable.own.names + newTable.columns.map(\.name)).map { ($0, $0) }
            result.views.append(.init(name: newTable.name, table: table.name, columns: names))
            return
        }
        let oldTable = old.tables[feed]
        let newNames = keptColumns(index, feed)
        let formers = Dictionary(newNames.map { ($1, $0) }) { first, _ in first }
        let types = Dictionary(oldTable.columns.map { ($0.name, $0.declaredType) }) { first, _ in first }
        var columns = zip(newTable.own.names, oldTable.own.names).map { ($0, $1) }
        for column in newTable.columns {
            let sources = pairs.filter { $0.new.table == index }.compactMap { self.columns[$0.new.name]?[column.name] }
            let filling = sources.compactMap(\.filling).first.map(dialect.literal)
            if let former = formers[column.name], types[former] == column.declaredType,
                !sources.contains(where: \.isConversion)
            {
                columns.append((column.name, former))
                if let filling { result.required.append((oldTable.name, former, filling)) }
                continue
            }
            var added = ExpansionPlan.Column(
                table: oldTable.name,
                name: Self.nextName(column.name),
                finalName: column.name,
                type: column.declaredType
            )
            if let former = formers[column.name] {
                added.pair = converted(former, column.name, sources, index)
                if let filling { result.required.append((oldTable.name, added.name, filling)) }
            } else {
                for case .value(let value) in sources { added.value = dialect.literal(value) }
            }
            result.added.append(added)
            columns.append((column.name, added.name))
        }
        result.views.append(.init(name: newTable.name, table: oldTable.name, columns: columns))
        for pair in pairs where pair.new.table == index { keepDefaults(pair, oldTable, newNames, &result) }
    }

    /// The name of a table or column until the old version is removed.
    private static func nextName(_ name: String) -> String { ModelNaming().limited(ExpansionPlan.prefix + name) }

    private func converted(_ former: String, _ column: String, _ sources: [ColumnSource], _ index: Int)
        -> ExpansionPlan.Pair
    {
        let source = sources.first { $0.isConversion }
        var backward: @Sendable (String) -> String = { $0 }
        for pair in pairs where pair.new.table == index {
            for attribute in pair.pair.attributes {
                guard let name = attribute.source,
                    case .attribute(let after)? = pair.new.properties[attribute.destination], after.column == column,
                    case .attribute(let before)? = pair.old.properties[name],
                    let conversion = NumberConversion(from: after.type, to: before.type)
                else { continue }
                let dialect = dialect
                backward = { value in
                    let result = conversion.expression(value, dialect) ?? value
                    // A value that the old version cannot hold is NULL there.
                    return conversion.overflow(value).map { "CASE WHEN NOT (\($0)) THEN \(result) END" } ?? result
                }
            }
        }
        let forward: @Sendable (String) -> String
        if case .convert(_, let form, _)? = source { forward = form } else { forward = { $0 } }
        return ExpansionPlan.Pair(column: former, forward: forward, backward: backward)
    }

    /// Gives rows of the new version the old version's default values in required columns that the new version lacks.
    private func keepDefaults(
        _ pair: Pair,
        _ table: TableSchema,
        _ newNames: [String: String],
        _ result: inout ExpansionPlan
    ) {
        for (name, property) in pair.old.properties.sorted(by: { $0.key < $1.key }) {
            guard case .attribute(let attribute) = property, newNames[attribute.column] == nil,
                let description = oldModel.attribute(name, of: pair.old.name), !description.common.isOptional,
                let value = description.defaultValue,
                !result.values.contains(where: { $0.table == table.name && $0.column == attribute.column })
            else { continue }
            let literal = dialect.literal(SQLValue(value, type: description.type))
            result.values.append((table.name, attribute.column, literal))
        }
    }

    private mutating func expandJoins(_ result: inout ExpansionPlan) {
        var visitedTables: Set<String> = []
        for entity in new.entityOrder.compactMap({ new.entities[$0] }) {
            for (name, property) in entity.properties.sorted(by: { $0.key < $1.key }) {
                guard case .manyToMany(let join) = property, visitedTables.insert(join.joinTable).inserted,
                    let table = new.joinTables.first(where: { $0.name == join.joinTable })
                else { continue }
                guard let pair = pair(entity.name), let source = pair.pair.source(of: name),
                    case .manyToMany(let before)? = pair.old.properties[source]
                else {
                    var added = table
                    added.name = Self.nextName(table.name)
                    result.joinTables.append((added, table.name))
                    let columns = table.columns.map { ($0.name, $0.name) }
                    result.views.append(.init(name: table.name, table: added.name, columns: columns))
                    continue
                }
                var columns = [(join.ownColumn, before.ownColumn), (join.otherColumn, before.otherColumn)]
                for (after, former) in [
                    (join.orderColumn, before.orderColumn), (join.inverseOrderColumn, before.inverseOrderColumn),
                ] {
                    if let after, let former { columns.append((after, former)) }
                }
                result.views.append(.init(name: table.name, table: before.joinTable, columns: columns))
                renameJoin(before.joinTable, table.name, columns.map { ($0.0, $0.1) }, &result)
            }
        }
    }

    // MARK: Removing

    private func append(_ sql: String, _ result: inout ExpansionPlan) {
        result.contraction.append(SQLStatement(sql))
    }

    private func renameJoin(
        _ table: String,
        _ name: String,
        _ columns: [(new: String, old: String)],
        _ result: inout ExpansionPlan
    ) {
        renameColumns(columns.map { ($0.old, $0.new) }, table, &result)
        if table != name { result.renames.append((table, name, false)) }
    }

    /// Renames columns through temporary names, because two of them may swap theirs.
    private func renameColumns(_ names: [(String, String)], _ table: String, _ result: inout ExpansionPlan) {
        let changed = names.enumerated().filter { $0.element.0 != $0.element.1 }
        for (number, (name, _)) in changed {
            append(
                "ALTER TABLE \(named(table)) RENAME COLUMN \(quoted(name)) TO \(quoted("_former_\(number)"))",
                &result
            )
        }
        for (number, (_, name)) in changed {
            append(
                "ALTER TABLE \(named(table)) RENAME COLUMN \(quoted("_former_\(number)")) TO \(quoted(name))",
                &result
            )
        }
    }

    private func contract(_ index: Int, _ result: inout ExpansionPlan) {
        let newTable = new.tables[index]
        guard let feed = feeds[index] else {
            let table = result.tables.first { $0.finalName == newTable.name }?.table.name ?? ""
            result.renames.append((table, newTable.name, true))
            return
        }
        let oldTable = old.tables[feed]
        guard let view = result.views.first(where: { $0.name == newTable.name }) else { return }
        let viewColumns = Set(view.columns.map(\.column))
        for column in oldTable.columns where !viewColumns.contains(column.name) {
            append("ALTER TABLE \(named(oldTable.name)) DROP COLUMN \(quoted(column.name))", &result)
        }
        renameColumns(view.columns.map { ($0.column, $0.name) }, oldTable.name, &result)
        for column in result.added where column.table == oldTable.name && column.value != nil {
            append(
                "ALTER TABLE \(named(oldTable.name)) ALTER COLUMN \(quoted(column.finalName)) DROP DEFAULT",
                &result
            )
        }
        if oldTable.name != newTable.name { result.renames.append((oldTable.name, newTable.name, true)) }
    }

    /// Renames the tables; one may get the name that another had until now.
    private func renameTables(_ result: inout ExpansionPlan) {
        var renames = result.renames
        let newNames = Set(renames.map(\.name))
        for (number, rename) in renames.enumerated() where newNames.contains(rename.table) {
            renames[number].table = "_former_\(number)"
            self.rename(rename.table, renames[number].table, rename.hasSequence, &result)
        }
        for (table, name, hasSequence) in renames { rename(table, name, hasSequence, &result) }
    }

    private func rename(_ table: String, _ name: String, _ hasSequence: Bool, _ result: inout ExpansionPlan) {
        append("ALTER TABLE \(named(table)) RENAME TO \(quoted(name))", &result)
        guard hasSequence, let database = file.database else { return }
        append(
            "ALTER SEQUENCE \(named(database.sequence(table))) RENAME TO \(quoted(database.sequence(name)))",
            &result
        )
    }

    /// Drops the tables that the new version lacks.
    private func dropTables(_ result: inout ExpansionPlan) {
        let viewedTables = Set(result.views.map(\.table))
        let oldTables = old.joinTables.map(\.name) + old.tables.map(\.name)
        // Drop them first: new tables may have their names.
        let drops = oldTables.filter { !viewedTables.contains($0) }.map { SQLStatement("DROP TABLE \(named($0))") }
        result.contraction = drops + result.contraction
        result.renames += result.joinTables.map { ($0.table.name, $0.finalName, false) }
    }
}

// Relationships whose place has changed: a column that became a join table, an owner's key that moved to the other
// side, keys of rows that are gone, orders that were none. Runs when all rows are there.
import GraphModel

extension MigrationPlanner {
    /// Objects of a relationship in the source as a query of four columns: the owner's key `O`, the member's key `M`,
    /// the member's place `P` among the owner's, the owner's place `Q` among the member's.
    struct OldPairs {
        var select: String
        var isReversed = false

        /// The query with the owner's side first.
        var text: String {
            isReversed ? "SELECT M AS O, O AS M, Q AS P, P AS Q FROM (\(select)) AS _y" : select
        }
    }

    /// The pairs of a source entity's relationship.
    func oldPairs(_ entity: EntitySchema, _ name: String) -> OldPairs? {
        func query(_ table: String, _ o: String, _ m: String, _ p: String?, _ q: String?) -> OldPairs {
            let (owner, member) = (quoted(column(o, table)), quoted(column(m, table)))
            let none = "CAST(NULL AS \(dialect.columnType(.number)))"
            let places = [p, q].map { $0.map { quoted(column($0, table)) } ?? none }
            return OldPairs(
                select: "SELECT \(owner) AS O, \(member) AS M, \(places[0]) AS P, \(places[1]) AS Q "
                    + "FROM \(named(self.table(table))) WHERE \(owner) IS NOT NULL AND \(member) IS NOT NULL"
            )
        }
        switch entity.properties[name] {
        case .toOne(let toOne): return query(entity.tableName, entity.own.key, toOne.column, nil, toOne.orderColumn)
        case .toManyInverse(let toMany):
            let key = old.key(of: toMany.destinationTable)
            return query(toMany.destinationTable, toMany.column, key, toMany.orderColumn, nil)
        case .manyToMany(let join):
            return query(join.joinTable, join.ownColumn, join.otherColumn, join.orderColumn, join.inverseOrderColumn)
        default: return nil
        }
    }

    mutating func writeRelationships() {
        let joins = new.joinTables.map { ($0, declaration(ofJoin: $0.name)) }
        for (table, declaration) in joins {
            guard let declaration, let oldJoin = sameJoin(table, declaration.join, declaration.entity, declaration.name)
            else { continue }
            keptJoins.insert(oldJoin)
        }
        for table in old.joinTables where !keptJoins.contains(table.name) && !leave(table.name) {
            setAside(table.name)
        }
        for (table, declaration) in joins where !keptJoins.contains(table.name) {
            plan.statements.append(SQLStatement(table.createStatement(in: dialect)))
            if let declaration { fillJoin(table, declaration.join, declaration.entity, declaration.name) }
        }
        fillToOne()
        fillOwners()
        cleanJoins()
        dropColumns()
        for table in formerTables { plan.statements.append(SQLStatement("DROP TABLE \(named(table))")) }
        plan.keptJoins = keptJoins
    }

    // MARK: Join tables

    /// The first entity that has a join table's relationship, from the side that owns the table.
    private func declaration(ofJoin name: String) -> (entity: EntitySchema, name: String, join: ManyToMany)? {
        for entity in new.entityOrder.compactMap({ new.entities[$0] }) {
            for (property, schema) in entity.properties.sorted(by: { $0.key < $1.key }) {
                if case .manyToMany(let join) = schema, join.joinTable == name { return (entity, property, join) }
            }
        }
        return nil
    }

    /// The source's relationships that a destination's comes from: of the entity and, if it moved up, of those below.
    func formerSides(_ entity: EntitySchema, _ name: String) -> [(entity: EntitySchema, name: String)] {
        family(entity).compactMap { member in
            guard let pair = pair(member.name), let source = pair.pair.source(of: name) else { return nil }
            return (pair.old, source)
        }
    }

    /// All former pairs of a relationship, from its own side or from its inverse's.
    private func formerPairs(_ entity: EntitySchema, _ name: String, _ destination: String, _ inverse: String?)
        -> [OldPairs]
    {
        var result: [OldPairs] = []
        var seen: Set<String> = []
        func add(_ side: (entity: EntitySchema, name: String), isReversed: Bool) {
            guard var pairs = oldPairs(side.entity, side.name) else { return }
            pairs.isReversed = isReversed
            if seen.insert(pairs.text).inserted { result.append(pairs) }
        }
        for side in formerSides(entity, name) { add(side, isReversed: false) }
        if result.isEmpty, let inverse, let destinationEntity = new.entities[destination] {
            for side in formerSides(destinationEntity, inverse) { add(side, isReversed: true) }
        }
        return result
    }

    /// The name of a join table that can stay; nil for one that has to be rebuilt.
    private func sameJoin(_ table: JoinTableSchema, _ join: ManyToMany, _ entity: EntitySchema, _ name: String)
        -> String?
    {
        guard let former = old.joinTables.first(where: { $0.name == table.name }),
            former.columns == table.columns, former.primaryKey == table.primaryKey
        else { return nil }
        let sides = formerSides(entity, name)
        guard !sides.isEmpty else { return nil }
        for side in sides {
            guard case .manyToMany(let before)? = side.entity.properties[side.name],
                before.joinTable == join.joinTable, before.ownColumn == join.ownColumn,
                before.otherColumn == join.otherColumn, before.orderColumn == join.orderColumn,
                before.inverseOrderColumn == join.inverseOrderColumn
            else { return nil }
        }
        return table.name
    }

    private mutating func fillJoin(_ table: JoinTableSchema, _ join: ManyToMany, _ entity: EntitySchema, _ name: String)
    {
        let names =
            [join.ownColumn, join.otherColumn] + [join.orderColumn, join.inverseOrderColumn].compactMap(\.self)
        let values =
            ["O", "M"]
            + [join.orderColumn.map { _ in "P" }, join.inverseOrderColumn.map { _ in "Q" }]
            .compactMap(\.self)
        let sources = formerPairs(entity, name, join.destination, join.inverse)
        for source in sources {
            plan.statements.append(
                SQLStatement(
                    "INSERT INTO \(named(table.name)) (\(dialect.identifiers(names))) SELECT "
                        + "\(values.joined(separator: ", ")) FROM (\(source.text)) AS _x WHERE TRUE ON CONFLICT DO NOTHING"
                )
            )
        }
        guard !sources.isEmpty else { return }
        for (order, key, member) in [
            (join.orderColumn, join.ownColumn, join.otherColumn),
            (join.inverseOrderColumn, join.otherColumn, join.ownColumn),
        ] {
            if let order {
                number(order, in: table.name, key: dialect.rowIdentifier, of: quoted(key), by: quoted(member))
            }
        }
    }

    /// Gives the members of each owner places, if they have none yet: a list that had no order gets that of its keys.
    ///
    /// Key, owner and other are written as they are to appear.
    private mutating func number(_ order: String, in table: String, key: String, of owner: String, by member: String) {
        let (order, table) = (quoted(order), named(table))
        plan.statements.append(
            SQLStatement(
                "UPDATE \(table) SET \(order) = _x.R FROM (SELECT \(key) AS K, 1024 * ROW_NUMBER() OVER "
                    + "(PARTITION BY \(owner) ORDER BY \(order) IS NULL, \(order), \(member)) AS R FROM \(table) WHERE "
                    + "\(owner) IN (SELECT \(owner) FROM \(table) WHERE \(order) IS NULL AND \(owner) IS NOT NULL)) AS _x "
                    + "WHERE _x.K = \(table).\(key)"
            )
        )
    }

    /// Deletes pairs of which an object no longer exists.
    private mutating func cleanJoins() {
        for table in new.joinTables {
            guard let declared = declaration(ofJoin: table.name) else { continue }
            for (key, destination) in [
                (declared.join.otherColumn, declared.join.destinationTable),
                (declared.join.ownColumn, declared.entity.tableName),
            ] where loses(destination) {
                plan.statements.append(
                    SQLStatement(
                        "DELETE FROM \(named(table.name)) WHERE \(quoted(key)) NOT IN (\(keys(ofNew: destination)))"
                    )
                )
            }
        }
    }

    /// Whether rows of the table that a destination's table comes from are gone or elsewhere.
    func loses(_ table: String) -> Bool {
        guard let index = new.tables.firstIndex(where: { $0.name == table }), let feed = feeds[index] else {
            return true
        }
        return feeds.filter { $0 == feed }.count > 1
            || old.entities.values.contains { $0.table == feed && mapping.destination(of: $0.name) == nil }
    }

    // MARK: Columns

    private mutating func fillToOne() {
        for entity in new.entityOrder.compactMap({ new.entities[$0] }) where feeds[entity.table] != nil {
            for (name, property) in entity.properties.sorted(by: { $0.key < $1.key }) {
                guard case .toOne(let toOne) = property, isDeclared(name, by: entity) else { continue }
                let members = family(entity).filter { pair($0.name) != nil }
                let sources = members.compactMap { columns[$0.name]?[toOne.column] }
                var isFilled = sources.contains { $0.isCopy }
                if sources.contains(where: { $0.isLater }) {
                    for former in formerPairs(entity, name, toOne.destination, toOne.inverse) where former.isReversed {
                        setKeys(entity.tableName, toOne.column, toOne.orderColumn, former)
                        isFilled = true
                    }
                }
                if isFilled { finish(entity, toOne, members) }
            }
        }
    }

    /// Further conversions of a to-one column: keys of rows that are gone, numbers of entities, places.
    private mutating func finish(_ entity: EntitySchema, _ toOne: ToOneColumn, _ members: [EntitySchema]) {
        guard !members.isEmpty, let destination = new.entities[toOne.destination] else { return }
        let (table, foreignKey) = (named(entity.tableName), quoted(toOne.column))
        if loses(destination.tableName) {
            let all = [toOne.column, toOne.entityColumn, toOne.orderColumn].compactMap { $0.map(quoted) }
            plan.statements.append(
                SQLStatement(
                    "UPDATE \(table) SET \(all.map { "\($0) = NULL" }.joined(separator: ", ")) WHERE \(foreignKey) "
                        + "IS NOT NULL AND \(foreignKey) NOT IN (\(keys(ofNew: destination.tableName)))"
                )
            )
        }
        if let column = toOne.entityColumn {
            let isKnown = members.allSatisfy { member in
                columns[member.name]?[column]?.isCopy == true && hasSameNumbers(toOne.destination)
            }
            if !isKnown {
                markChanged(entity.tableName)
                let number = destination.own.entityNumber.map { "_d.\(quoted($0))" } ?? "\(destination.number)"
                plan.statements.append(
                    SQLStatement(
                        "UPDATE \(table) SET \(quoted(column)) = (SELECT \(number) FROM "
                            + "\(named(destination.tableName)) AS _d WHERE _d.\(key(destination)) = \(table).\(foreignKey)) "
                            + "WHERE \(foreignKey) IS NOT NULL"
                    )
                )
            }
        }
        if let order = toOne.orderColumn {
            let isKnown = members.allSatisfy { columns[$0.name]?[order]?.isCopy == true }
            if !isKnown {
                markChanged(entity.tableName)
                number(order, in: entity.tableName, key: key(entity), of: foreignKey, by: key(entity))
            }
        }
    }

    private mutating func fillOwners() {
        for entity in new.entityOrder.compactMap({ new.entities[$0] }) {
            for (name, property) in entity.properties.sorted(by: { $0.key < $1.key }) {
                guard case .toManyInverse(let toMany) = property, toMany.inverse.isEmpty,
                    isDeclared(name, by: entity), let destination = new.entities[toMany.destination],
                    feeds[destination.table] != nil
                else { continue }
                let isLater = family(destination).contains { columns[$0.name]?[toMany.column]?.isLater == true }
                let owner = quoted(toMany.column)
                if isLater {
                    for var former in formerPairs(entity, name, toMany.destination, nil) {
                        former.isReversed.toggle()
                        setKeys(toMany.destinationTable, toMany.column, toMany.orderColumn, former)
                    }
                }
                if loses(entity.tableName), !formerSides(entity, name).isEmpty {
                    plan.statements.append(
                        SQLStatement(
                            "UPDATE \(named(toMany.destinationTable)) SET \(owner) = NULL WHERE \(owner) IS NOT NULL "
                                + "AND \(owner) NOT IN (\(keys(ofNew: entity.tableName)))"
                        )
                    )
                }
                if let order = toMany.orderColumn,
                    family(destination).contains(where: { columns[$0.name]?[order]?.isLater == true })
                {
                    markChanged(toMany.destinationTable)
                    let destinationKey = key(destination)
                    number(order, in: toMany.destinationTable, key: destinationKey, of: owner, by: destinationKey)
                }
            }
        }
    }

    /// Sets a key column of rows `O` to `M`.
    private mutating func setKeys(_ table: String, _ column: String, _ order: String?, _ pairs: OldPairs) {
        markChanged(table)
        let assignments = ["\(quoted(column)) = _x.M"] + (order.map { ["\(quoted($0)) = _x.Q"] } ?? [])
        let (key, name) = (quoted(new.key(of: table)), named(table))
        plan.statements.append(
            SQLStatement(
                "UPDATE \(name) SET \(assignments.joined(separator: ", ")) FROM (\(pairs.text)) AS _x WHERE _x.O = "
                    + "\(name).\(key) AND \(name).\(quoted(column)) IS NULL"
            )
        )
    }

    mutating func markChanged(_ table: String) {
        if plan.paths[table] == .untouched { plan.paths[table] = .inPlace }
    }

    /// Whether an entity has a property that the one above it lacks.
    func isDeclared(_ name: String, by entity: EntitySchema) -> Bool {
        newModel.entity(named: entity.name)?.properties.contains { $0.name == name } == true
    }
}

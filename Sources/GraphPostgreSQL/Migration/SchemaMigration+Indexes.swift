// The indexes of a migrated schema. Indexes of the old model are dropped unless the new model has the same ones over
// the same columns; indexes that people have created stay with their tables.
import GraphModel
import GraphSQL

extension SchemaMigration {
    /// The statements that drop the indexes missing in the new version, and those that create its new ones.
    func indexChanges(_ plan: MigrationPlan) -> (dropped: [String], made: [String]) {
        func statements(_ schema: StoreSchema) -> [(table: String, text: String)] {
            schema.tables.flatMap { table in table.indexStatements.map { (table.name, $0) } }
                + schema.joinTables.flatMap { table in table.indexStatements.map { (table.name, $0) } }
        }
        let required = statements(plan.destination)
        let texts = Set(required.map(\.text))
        var unchanged: Set<String> = []
        var dropped: [String] = []
        for (table, statement) in statements(plan.source) {
            if texts.contains(statement), isSame(table, statement, plan) {
                unchanged.insert(statement)
            } else if let name = Self.name(ofIndex: statement) {
                dropped.append("DROP INDEX IF EXISTS \(dialect.table(name))")
            }
        }
        return (dropped, required.map(\.text).filter { !unchanged.contains($0) })
    }

    /// Whether a table stays, with the columns that an index has.
    private func isSame(_ table: String, _ statement: String, _ plan: MigrationPlan) -> Bool {
        if plan.keptJoins.contains(table) { return true }
        guard plan.feeds[table] == table, let path = plan.paths[table], [.untouched, .inPlace].contains(path),
            let feed = plan.source.tables.first(where: { $0.name == table }),
            let own = plan.destination.tables.first(where: { $0.name == table })?.own, own == feed.own
        else { return false }
        return feed.columns.allSatisfy { column in
            plan.keptColumns[table]?[column.name] == column.name || !statement.contains(dialect.identifier(column.name))
        }
    }

    /// Makes indexes; the failure of a unique one names the values that are there twice.
    func makeIndexes(_ statements: [String], _ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws {
        for statement in statements {
            let isUnique = statement.hasPrefix("CREATE UNIQUE")
            if isUnique { try connection.execute("SAVEPOINT migration") }
            do {
                try connection.execute(statement)
            } catch let error as PostgreSQLError where isUnique && error.kind == .uniqueValue {
                try connection.execute("ROLLBACK TO SAVEPOINT migration")
                throw try duplicates(statement, plan, connection) ?? error
            }
        }
    }

    /// The failure of a uniqueness constraint's index: the number of duplicate values, and one object that has one.
    private func duplicates(_ statement: String, _ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws
        -> (any Error)?
    {
        let name = Self.name(ofIndex: statement)
        for entity in destination.entities {
            for names in entity.uniquenessConstraints
            where dialect.naming.uniqueIndex(entity: entity.name, names: names) == name {
                guard let place = plan.destination.entities[entity.name] else { continue }
                let columns = names.compactMap { name -> String? in
                    switch place.properties[name] {
                    case .attribute(let attribute)?: dialect.identifier(attribute.column)
                    case .toOne(let toOne)?: dialect.identifier(toOne.column)
                    default: nil
                    }
                }
                let key = dialect.identifier(place.own.key)
                let isThere = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
                let result = try connection.execute(
                    "SELECT COUNT(*), MIN(k) FROM (SELECT MIN(\(key)) AS k FROM \(dialect.table(place.tableName)) WHERE "
                        + "\(isThere) GROUP BY \(columns.joined(separator: ", ")) HAVING COUNT(*) > 1) AS _x"
                )
                let (count, example) = (try result.integer(0, 0) ?? 0, try result.integer(1, 0) ?? 0)
                return MigrationFailure(
                    .constraint,
                    entity: entity.name,
                    property: names.joined(separator: ", "),
                    reason: "objects have the same values, which the new model's uniqueness constraint forbids: "
                        + "\(count) values are there more than once, such as that of the object with the key \(example)"
                )
            }
        }
        return nil
    }

    /// The name of the index that a statement makes.
    private static func name(ofIndex statement: String) -> String? {
        guard let start = statement.range(of: "INDEX \""), let end = statement.range(of: "\" ON ") else { return nil }
        return String(statement[start.upperBound..<end.lowerBound]).replacing("\"\"", with: "\"")
    }
}

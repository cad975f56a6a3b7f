// Runs the plan of a lightweight migration in one transaction of the store's own file: the file is the old store until
// the commit and the new one after it, even if the process ends. Called by the coordinator's migration. The plan
// determines the statements.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// A lightweight migration of one file.
package struct StoreMigration {
    let plan: MigrationPlan
    private let source: StoreSchema
    private let destination: StoreSchema
    /// Statements that recompute derived attributes.
    private let derivations: [String]
    /// The metadata after the migration.
    private let metadata: StoreMetadata
    private let modelCache: Data?
    /// The entity and properties of each uniqueness constraint, by index name.
    private let constraints: [String: (entity: String, properties: [String])]

    /// Describes a migration.
    ///
    /// - Parameters:
    ///   - plan: The statements.
    ///   - sourceModel: The store's current model.
    ///   - destinationModel: The model to migrate to.
    ///   - metadata: The metadata to store.
    ///   - modelCache: The model to store in the file.
    package init(
        plan: MigrationPlan,
        from sourceModel: Model,
        to destinationModel: Model,
        metadata: StoreMetadata,
        modelCache: Data? = nil
    ) {
        self.plan = plan
        source = plan.source
        destination = plan.destination
        self.metadata = metadata
        self.modelCache = modelCache
        derivations = plan.destination.derivedValueStatements(from: sourceModel, to: destinationModel)
        var constraints: [String: (entity: String, properties: [String])] = [:]
        for entity in destinationModel.entities {
            for names in entity.uniquenessConstraints {
                constraints["Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))"] = (entity.name, names)
            }
        }
        self.constraints = constraints
    }

    /// Migrates the open store.
    ///
    /// - Parameters:
    ///   - connection: In a transaction that the caller commits, or rolls back if this throws; with the SQL functions
    ///     that indexes and derivations call.
    ///   - progress: Called with the completed fraction, from 0 to 1.
    /// - Throws: `MigrationFailure`, `SQLiteError`, or any error that `progress` throws.
    package func run(_ connection: Connection, progress: (Double) throws -> Void = { _ in }) throws {
        try checkSource(connection)
        try refuse(connection)
        try DeferredMigration.finish(connection, keeping: source)
        let before = try plan.checks.map { try Self.count($0.before, connection) }
        let keys = try greatestKeys(connection)
        try dropTriggers(connection)
        let steps = Double(plan.statements.count + 4)
        for (number, statement) in plan.statements.enumerated() {
            try connection.run(statement.text, statement.bindings)
            try progress(Double(number + 1) / steps)
        }
        try writeEntities(keys, connection)
        try writeHistory(connection)
        try StoreFile.writeMetadata(DeferredMigration.noting(plan.leftovers, in: metadata), connection)
        try StoreFile.writeModelCache(modelCache, connection)
        try progress((steps - 3) / steps)
        try makeIndexes(connection)
        try progress((steps - 2) / steps)
        for statement in derivations { try connection.execute(statement) }
        for trigger in destination.triggers { try connection.execute(trigger) }
        try progress((steps - 1) / steps)
        try verify(before, connection)
        try progress(1)
    }

    // MARK: Before

    /// Requires that the file's tables match the source model.
    private func checkSource(_ connection: Connection) throws {
        let numbers = try StoreFile.entityNumbers(connection)
        var owners: [Int64: String] = [:]
        for entity in source.entityOrder.compactMap({ source.entities[$0] }) {
            // Apple's framework keeps the former name of a renamed entity there.
            let isRenamed =
                numbers[entity.name] == nil
                && numbers.contains { $0.value == entity.number && source.entities[$0.key] == nil }
            guard numbers[entity.name] == entity.number || isRenamed else {
                throw MigrationFailure(
                    .sourceStore,
                    entity: entity.name,
                    reason: "the store gives the entity no number"
                )
            }
            if let previousOwner = owners.updateValue(entity.name, forKey: entity.number) {
                throw MigrationFailure(
                    .sourceStore,
                    entity: entity.name,
                    reason: "the store gives the entity the number \(entity.number), which \(previousOwner) has"
                )
            }
        }
        let tables = source.tables.map { ($0.name, $0.columns) } + source.joinTables.map { ($0.name, $0.columns) }
        for (table, columns) in tables {
            let existing = Set(try connection.columnNames(of: table).map { $0.uppercased() })
            for column in columns where !existing.contains(column.name.uppercased()) {
                throw MigrationFailure(.sourceStore, reason: "the store has no column \(table).\(column.name)")
            }
        }
    }

    /// Throws if rows violate the new model's rules; nothing has been written yet.
    private func refuse(_ connection: Connection) throws {
        for refusal in plan.refusals {
            let refused = try Self.rows(of: refusal, connection)
            guard refused.count > 0 else { continue }
            throw MigrationFailure(
                .content,
                entity: refusal.entity,
                property: refusal.property,
                reason: "\(refusal.reason): \(refused.count), such as the object with the key \(refused.example)"
            )
        }
    }

    /// The number of rows that violate a rule of the new model, and the key of one of them.
    ///
    /// - Parameters:
    ///   - refusal: The rule, of a plan for this store.
    ///   - connection: The store before the migration.
    /// - Returns: The number of rows, and the smallest key; 0 if there are none.
    /// - Throws: `SQLiteError`.
    package static func rows(of refusal: MigrationPlan.Refusal, _ connection: Connection) throws -> (
        count: Int64, example: Int64
    ) {
        let row = try connection.rows(refusal.countAndExample).first
        guard case .integer(let count)? = row?.first, case .integer(let key)? = row?.last else { return (0, 0) }
        return (count, key)
    }

    private static func count(_ sql: String, _ connection: Connection) throws -> Int64 {
        guard case .integer(let count)? = try connection.rows(sql).first?.first else { return 0 }
        return count
    }

    /// The facts about an open store that a plan requires.
    ///
    /// - Parameter connection: The store.
    /// - Returns: Its numbers, names and default values; O(tables).
    /// - Throws: `SQLiteError`.
    package static func file(_ connection: Connection) throws -> MigrationFile {
        var file = MigrationFile(
            numbers: try StoreFile.entityNumbers(connection),
            tables: try StoreFile.tables(connection)
        )
        for row in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '% DEFAULT %'")
        {
            guard case .text(let table)? = row.first else { continue }
            let columns = try connection.rows(
                "SELECT name FROM pragma_table_info(?) WHERE dflt_value NOT NULL",
                [.text(table)]
            )
            file.defaults[table.uppercased()] = columns.compactMap {
                if case .text(let name)? = $0.first { name } else { nil }
            }
        }
        try addConstraints(to: &file, connection)
        return file
    }

    /// Notes the uniqueness constraints of the tables' declarations.
    private static func addConstraints(to file: inout MigrationFile, _ connection: Connection) throws {
        let indexes = try connection.rows(
            "SELECT t.name, i.name FROM sqlite_master t JOIN pragma_index_list(t.name) i ON i.origin = 'u' "
                + "WHERE t.type = 'table' AND t.sql LIKE '%UNIQUE%'"
        )
        for index in indexes {
            guard case .text(let table) = index[0], case .text(let name) = index[1] else { continue }
            let columns = try connection.rows("SELECT name FROM pragma_index_info(?) ORDER BY seqno", [.text(name)])
            file.constraints[table.uppercased(), default: []].append(
                columns.compactMap { if case .text(let column)? = $0.first { column } else { nil } }
            )
        }
    }

    /// The greatest key ever assigned in each source table.
    private func greatestKeys(_ connection: Connection) throws -> [String: Int64] {
        var result: [String: Int64] = [:]
        for table in source.tables {
            let number = source.entities[table.rootEntity]?.number ?? 0
            let reserved = try Self.count("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)", connection)
            result[table.name] = max(
                reserved,
                try Self.count("SELECT MAX(Z_PK) FROM \(table.name.sqliteName)", connection)
            )
        }
        return result
    }

    /// Drops the triggers, which name tables and columns that change; they are created again at the end.
    private func dropTriggers(_ connection: Connection) throws {
        let tables = Set((source.tables.map(\.name) + source.joinTables.map(\.name)).map { $0.uppercased() })
        for row in try connection.rows("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'") {
            // A trigger of another program has the table's name as its statement spells it.
            guard case .text(let name) = row[0], case .text(let table) = row[1],
                tables.contains(table.uppercased())
            else { continue }
            try connection.execute("DROP TRIGGER \(name.quotedName)")
        }
    }

    // MARK: After

    /// Rewrites the entity rows of Z_PRIMARYKEY; those of the framework's own tables stay.
    private func writeEntities(_ keys: [String: Int64], _ connection: Connection) throws {
        for entity in source.entityOrder.compactMap({ source.entities[$0] }) {
            try connection.run(
                "DELETE FROM Z_PRIMARYKEY WHERE (Z_NAME = ? OR Z_ENT = ?) AND Z_ENT < ?",
                [.text(entity.name), .integer(entity.number), .integer(HistorySchema.changeNumber)]
            )
        }
        for entity in destination.entityOrder.compactMap({ destination.entities[$0] }) {
            let feed = plan.feeds[entity.tableName]
            let greatest = entity.superNumber == 0 ? feed.flatMap { keys[$0] } ?? 0 : 0
            try connection.run(
                "INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, ?, ?)",
                [.integer(entity.number), .text(entity.name), .integer(entity.superNumber), .integer(greatest)]
            )
        }
    }

    /// Makes the indexes match those of a new store.
    private func makeIndexes(_ connection: Connection) throws {
        let tables = Set(destination.tables.map(\.name) + destination.joinTables.map(\.name))
        let indexStatements =
            destination.tables.flatMap(\.indexStatements) + destination.joinTables.flatMap(\.indexStatements)
        var missing = Set(indexStatements.map(Self.plain))
        for row in try connection.rows("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index'") {
            guard case .text(let name) = row[0], case .text(let table) = row[1], case .text(let sql) = row[2],
                tables.contains(table), missing.remove(Self.plain(sql)) == nil
            else { continue }
            try connection.execute("DROP INDEX \(name.quotedName)")
        }
        for statement in indexStatements where missing.contains(Self.plain(statement)) {
            do {
                try connection.execute(statement)
            } catch let error as SQLiteError where error.kind == .uniqueConstraint {
                throw try duplicates(statement, connection)
            }
        }
    }

    /// A statement without spaces and the quotes that SQLite adds on a rename.
    private static func plain(_ statement: String) -> String {
        statement.filter { $0 != "\"" && $0 != " " }
    }

    /// The failure of a uniqueness constraint's index: the number of duplicate values, and one object that has one.
    private func duplicates(_ statement: String, _ connection: Connection) throws -> MigrationFailure {
        let constraint = constraints.first { statement.contains(" \($0.key.sqliteName) ON ") }?.value
        let properties = constraint?.properties.joined(separator: ", ")
        var example = ""
        if let constraint, let entity = destination.entities[constraint.entity] {
            let columns = constraint.properties.compactMap { name -> String? in
                switch entity.properties[name] {
                case .attribute(let attribute): attribute.column.sqliteName
                case .toOne(let toOne): toOne.column.sqliteName
                case .toManyInverse, .manyToMany, nil: nil
                }
            }
            let isThere = columns.map { "\($0) NOT NULL" }.joined(separator: " AND ")
            let row = try connection.rows(
                "SELECT COUNT(*), MIN(A), MIN(B) FROM (SELECT MIN(Z_PK) AS A, MAX(Z_PK) AS B FROM "
                    + "\(entity.tableName.sqliteName) WHERE \(isThere) GROUP BY \(columns.joined(separator: ", ")) HAVING COUNT(*) > 1)"
            )
            .first
            if case .integer(let count)? = row?[0], case .integer(let exampleKey)? = row?[1], count > 0 {
                example =
                    ": \(count) values are there more than once, such as that of the object with the key \(exampleKey)"
            }
        }
        return MigrationFailure(
            .constraint,
            entity: constraint?.entity,
            property: properties,
            reason: "objects have the same values, which the new model's uniqueness constraint forbids\(example)"
        )
    }

    private func verify(_ before: [Int64], _ connection: Connection) throws {
        for (check, expected) in zip(plan.checks, before) {
            let actual = try Self.count(check.after, connection)
            guard actual != expected else { continue }
            let things = check.property == nil ? "objects" : "related objects"
            throw MigrationFailure(
                .content,
                entity: check.entity,
                property: check.property,
                reason: "\(expected) \(things) were there before and \(actual) would be afterwards"
            )
        }
        guard plan.copiesRows else { return }
        guard let problem = try connection.firstProblem(checksIndexes: true) else { return }
        throw MigrationFailure(.content, reason: "the migrated store is damaged: \(problem)")
    }
}

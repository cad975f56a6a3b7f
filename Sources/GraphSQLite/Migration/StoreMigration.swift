// Runs the plan of a lightweight migration in one transaction of the store's own file: until its commit the file is the old
// store, after it the new one, whatever happens to the process. Called by the coordinator's migration. What the
// statements are is the plan's business.
import Foundation
import GraphModel
import GraphSQL

/// A lightweight migration of one file.
package struct StoreMigration {
    private let plan: MigrationPlan
    private let source: StoreSchema
    private let destination: StoreSchema
    /// Attributes to be derived anew, as statements.
    private let derivations: [String]
    /// The store's metadata afterwards.
    private let metadata: StoreMetadata
    private let modelCache: Data?
    /// Entities by the names of the indexes of their uniqueness constraints.
    private let constraints: [String: (entity: String, properties: [String])]

    /// Describes a migration.
    ///
    /// - Parameters:
    ///   - plan: The statements.
    ///   - sourceModel: The model of the store as it is.
    ///   - destinationModel: The model it is to have.
    ///   - metadata: The metadata it is to have.
    ///   - modelCache: The model it is to hold.
    package init(
        plan: MigrationPlan,
        from sourceModel: Model,
        to destinationModel: Model,
        metadata: StoreMetadata,
        modelCache: Data? = nil
    ) {
        self.plan = plan
        source = StoreSchema(model: sourceModel)
        destination = StoreSchema(model: destinationModel)
        self.metadata = metadata
        self.modelCache = modelCache
        let old = Self.derivations(sourceModel)
        let names = Set(destinationModel.entities.map(\.name))
        let isSame = sourceModel.entities.allSatisfy { names.contains($0.name) }
        let new = Self.derivations(destinationModel)
        derivations = StoreSchema(model: destinationModel).derivedValueStatements(destinationModel) {
            entity,
            attribute in
            // Objects that are gone no longer count; else what was computed once is right.
            !isSame || old["\(entity).\(attribute)"] != new["\(entity).\(attribute)"]
        }
        var constraints: [String: (entity: String, properties: [String])] = [:]
        for entity in destinationModel.entities {
            for names in entity.uniquenessConstraints {
                constraints["Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))"] = (entity.name, names)
            }
        }
        self.constraints = constraints
    }

    private static func derivations(_ model: Model) -> [String: String] {
        var result: [String: String] = [:]
        for entity in model.entities {
            for attribute in entity.attributes {
                result["\(entity.name).\(attribute.name)"] = attribute.derivationExpressionFormat
            }
        }
        return result
    }

    /// Migrates the open store.
    ///
    /// - Parameters:
    ///   - connection: In a transaction that the caller commits, or rolls back where this throws; with the SQL functions that
    ///     indexes and derivations call.
    ///   - progress: Told how much is done, from 0 to 1.
    /// - Throws: `MigrationFailure`, `SQLiteError`, or what `progress` throws.
    package func run(_ connection: Connection, progress: (Double) throws -> Void = { _ in }) throws {
        try checkSource(connection)
        try refuse(connection)
        let before = try plan.checks.map { try Self.count($0.before, connection) }
        let keys = try greatestKeys(connection)
        try dropTriggers(connection)
        let steps = Double(plan.statements.count + 4)
        for (number, statement) in plan.statements.enumerated() {
            try connection.run(statement.text, statement.bindings)
            try progress(Double(number + 1) / steps)
        }
        try writeEntities(keys, connection)
        try StoreFile.writeMetadata(metadata, connection)
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

    /// The file's tables have to be what the source model says.
    private func checkSource(_ connection: Connection) throws {
        var numbers: [String: Int64] = [:]
        for row in try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") {
            if case .text(let name) = row[0], case .integer(let number) = row[1] { numbers[name] = number }
        }
        for name in source.entityOrder where numbers[name] != source.entities[name]?.number {
            throw MigrationFailure(
                .sourceStore,
                entity: name,
                reason:
                    "the store numbers the entity \(numbers[name].map(String.init) ?? "not at all"), where its model's order "
                    + "gives \(source.entities[name]?.number ?? 0)"
            )
        }
        let tables = source.tables.map { ($0.name, $0.columns) } + source.joinTables.map { ($0.name, $0.columns) }
        for (table, columns) in tables {
            let found = Set(try connection.columnNames(of: table))
            for column in columns where !found.contains(column.name) {
                throw MigrationFailure(.sourceStore, reason: "the store has no column \(table).\(column.name)")
            }
        }
    }

    private func refuse(_ connection: Connection) throws {
        for refusal in plan.refusals {
            let count = try Self.count(refusal.count, connection)
            guard count > 0 else { continue }
            throw MigrationFailure(.content, entity: refusal.entity, reason: "\(refusal.reason) (\(count))")
        }
    }

    private static func count(_ sql: String, _ connection: Connection) throws -> Int64 {
        guard case .integer(let count)? = try connection.rows(sql).first?.first else { return 0 }
        return count
    }

    /// For each source table the greatest key ever given.
    private func greatestKeys(_ connection: Connection) throws -> [String: Int64] {
        var result: [String: Int64] = [:]
        for table in source.tables {
            let number = source.entities[table.rootEntity]?.number ?? 0
            let given = try Self.count("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)", connection)
            result[table.name] = max(given, try Self.count("SELECT MAX(Z_PK) FROM \(table.name)", connection))
        }
        return result
    }

    /// Triggers name tables and columns that change: they are made anew at the end.
    private func dropTriggers(_ connection: Connection) throws {
        let tables = Set(source.tables.map(\.name) + source.joinTables.map(\.name))
        for row in try connection.rows("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'") {
            guard case .text(let name) = row[0], case .text(let table) = row[1], tables.contains(table) else {
                continue
            }
            try connection.execute("DROP TRIGGER \"\(name)\"")
        }
    }

    // MARK: After

    /// The rows of Z_PRIMARYKEY; those of the framework's own tables stay.
    private func writeEntities(_ keys: [String: Int64], _ connection: Connection) throws {
        for name in source.entityOrder {
            try connection.run("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = ?", [.text(name)])
        }
        for entity in destination.entityOrder.compactMap({ destination.entities[$0] }) {
            let feed = plan.feeds[entity.tableName]
            let greatest = entity.superNumber == 0 ? feed.flatMap { keys[$0] } ?? 0 : 0
            try connection.run(
                "INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, ?, ?)",
                [.integer(entity.number), .text(entity.name), .integer(entity.superNumber), .integer(greatest)]
            )
        }
        let moved = plan.numbers.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
        guard !moved.isEmpty, try !connection.columnNames(of: "ACHANGE").isEmpty else { return }
        let cases = moved.map { "WHEN \($0.value) THEN \($0.key)" }.joined(separator: " ")
        try connection.execute("UPDATE ACHANGE SET ZENTITY = CASE ZENTITY \(cases) ELSE ZENTITY END")
    }

    /// Makes the indexes those that a new store would have.
    private func makeIndexes(_ connection: Connection) throws {
        let tables = Set(destination.tables.map(\.name) + destination.joinTables.map(\.name))
        let wanted = destination.tables.flatMap(\.indexStatements) + destination.joinTables.flatMap(\.indexStatements)
        var missing = Set(wanted.map(Self.plain))
        for row in try connection.rows("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index'") {
            guard case .text(let name) = row[0], case .text(let table) = row[1], case .text(let text) = row[2],
                tables.contains(table), missing.remove(Self.plain(text)) == nil
            else { continue }
            try connection.execute("DROP INDEX \"\(name)\"")
        }
        for statement in wanted where missing.contains(Self.plain(statement)) {
            do {
                try connection.execute(statement)
            } catch let error as SQLiteError where error.kind == .uniqueConstraint {
                throw duplicates(statement)
            }
        }
    }

    /// A statement without the quotes that SQLite adds when it renames.
    private static func plain(_ statement: String) -> String {
        statement.filter { $0 != "\"" && $0 != " " }
    }

    private func duplicates(_ statement: String) -> MigrationFailure {
        let name = statement.split(separator: " ").first { constraints[String($0)] != nil }.map(String.init) ?? ""
        let found = constraints[name]
        let properties = found?.properties.joined(separator: ", ")
        return MigrationFailure(
            .constraint,
            entity: found?.entity,
            property: properties,
            reason: "objects have the same values, which the new model's uniqueness constraint forbids"
        )
    }

    private func verify(_ before: [Int64], _ connection: Connection) throws {
        for (check, expected) in zip(plan.checks, before) {
            let found = try Self.count(check.after, connection)
            guard found != expected else { continue }
            let things = check.property == nil ? "objects" : "related objects"
            throw MigrationFailure(
                .content,
                entity: check.entity,
                property: check.property,
                reason: "\(expected) \(things) were there before and \(found) would be afterwards"
            )
        }
        guard plan.copiesRows else { return }
        let rows = try connection.rows("PRAGMA integrity_check(1)")
        guard case .text(let text)? = rows.first?.first, text != "ok" else { return }
        throw MigrationFailure(.content, reason: "the migrated store is damaged: \(text)")
    }
}

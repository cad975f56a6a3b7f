// Makes a second version of a store beside the first, over one set of tables, so that programs of both run side by side;
// reverts this, or removes the first. The views are in +Views, triggers and the filling of rows in +Filling, the
// transactions in +Locks.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// A second version of the store at an address.
package struct VersionExpansion {
    /// The lightweight migration that the two versions spread over time.
    var migration: SchemaMigration
    /// The schema of the views.
    let schema: String
    let views: PostgreSQLDialect
    /// The greatest number of rows that one transaction fills.
    package var portion = 10_000
    /// The time for which a transaction is retried while other sessions hold locks that it needs.
    package var lockLimit: Duration = .seconds(600)

    var address: DatabaseAddress { migration.address }
    var dialect: PostgreSQLDialect { migration.dialect }
    var own: OwnTables { migration.own }

    /// Describes a second version.
    ///
    /// - Parameter migration: The migration that would replace the first.
    package init(_ migration: SchemaMigration) {
        self.migration = migration
        let hashes = migration.fresh.versionHashes.sorted { $0.key < $1.key }.flatMap { Array($0.value) }
        let number = hashes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        schema = ModelNaming().limited("_version_\(String(number, radix: 36))_\(migration.address.schema)")
        views = PostgreSQLDialect(schema: schema)
    }

    // MARK: Expanding

    /// Creates the second version, or continues an interrupted creation; it can be opened when this returns.
    ///
    /// - Throws: `MigrationFailure` if a change has no form for both versions, or rows violate the new one's rules;
    ///   `EngineError`, also if other sessions hold the tables for longer than `lockLimit`.
    package func expand() throws {
        try EngineError.mappingPostgreSQL {
            let connection = try connect()
            defer { connection.close() }
            guard let plan = try inTransaction(connection, { try begin(connection) }) else { return }
            try fill(plan, connection)
            _ = try inTransaction(connection) {
                try connection.execute("UPDATE \(own.store) SET next_stage = 'expanded' WHERE next_stage = 'expanding'")
            }
        }
    }

    /// Makes columns, tables, triggers and views in one transaction; nil if the second version is there.
    private func begin(_ connection: PostgreSQLConnection) throws -> ExpansionPlan? {
        let metadata = try lock(connection)
        let plan = try plan(connection)
        if let state = try SideBySide.state(connection, own) {
            guard state.metadata.versionHashes == migration.fresh.versionHashes else {
                throw MigrationFailure(.sourceStore, reason: "the store has a second version already, of another model")
            }
            return state.stage == .expanding ? plan : nil
        }
        try migration.refuse(plan.migration, connection)
        // Programs that still have views of an earlier second version open must have been restarted by now.
        try SideBySide.end(connection, own, dialect)
        for sequence in keys(plan, of: views) { try sequence.lock(connection) }
        // Rows of one version may break rules of the other.
        try PostgreSQLEngine.dropRules(connection, dialect)
        for statement in additions(plan) { try connection.execute(statement) }
        for statement in triggers(plan) { try connection.execute(statement) }
        try noteVersion(metadata, connection)
        for statement in try viewStatements(plan) { try connection.execute(statement) }
        try shareKeys(plan, connection)
        return plan
    }

    private func connect() throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address)
        migration.prepare(connection)
        return connection
    }

    /// Keeps other migrators out until the transaction ends; returns the store's metadata.
    private func lock(_ connection: PostgreSQLConnection) throws -> StoreMetadata {
        try connection.execute("SELECT 1 FROM \(own.store) FOR UPDATE")
        let state = try PostgreSQLEngine.readState(connection, dialect)
        try PostgreSQLEngine.refuseMigration(of: state)
        guard let metadata = state?.metadata, metadata.versionHashes == migration.source.versionHashes()
        else { throw MigrationFailure(.sourceStore, reason: "the store is of another version by now") }
        return metadata
    }

    func plan(_ connection: PostgreSQLConnection) throws -> ExpansionPlan {
        if let tables = try PostgreSQLEngine.readState(connection, dialect)?.tables {
            throw MigrationFailure(
                .sourceStore,
                reason: "the store is over the tables of the schema \(tables), which it leaves as they are. Open it "
                    + "with the new model to make its views anew"
            )
        }
        let plan = MigrationPlanner.expansion(
            migration.mapping,
            from: migration.source,
            to: migration.destination,
            file: try migration.file(connection)
        )
        if let first = plan.obstacles.first {
            throw MigrationFailure(
                .content,
                entity: first.entity,
                property: first.property,
                reason: "\(first.reason), so that two versions cannot stand side by side. Migrate the store at once"
            )
        }
        let derivedValueStatements = plan.migration.destination.derivedValueStatements(
            from: migration.source,
            to: migration.destination
        )
        if !derivedValueStatements.isEmpty {
            throw MigrationFailure(
                .content,
                reason: "derived attributes are to be computed anew, so that two versions cannot stand side by side. "
                    + "Migrate the store at once"
            )
        }
        if plan.migration.history.contains(where: { $0.tombstones != nil }) {
            throw MigrationFailure(
                .content,
                reason: "the attributes that the history preserves on deletion are others, so that two versions cannot "
                    + "stand side by side. Migrate the store at once"
            )
        }
        return plan
    }

    private func additions(_ plan: ExpansionPlan) -> [String] {
        var statements = plan.tables.flatMap { TableStatements.create($0.table, dialect) }
        statements += plan.joinTables.map { $0.table.createStatement(in: dialect) }
        statements += plan.added.map { column in
            "ALTER TABLE \(dialect.table(column.table)) ADD COLUMN \(dialect.identifier(column.name)) \(column.type)"
                + (column.value.map { " DEFAULT \($0)" } ?? "")
        }
        statements += plan.values.map { table, column, value in
            "ALTER TABLE \(dialect.table(table)) ALTER COLUMN \(dialect.identifier(column)) SET DEFAULT \(value)"
        }
        return statements + plan.firstReferences.map { $0.statement(in: dialect) }
    }

    private func noteVersion(_ storedMetadata: StoreMetadata, _ connection: PostgreSQLConnection) throws {
        var metadata = storedMetadata
        metadata.takeModel(of: migration.fresh)
        let data = try PropertyListSerialization.data(fromPropertyList: metadata.values, format: .binary, options: 0)
        for column in SideBySide.columns {
            try connection.execute("ALTER TABLE \(own.store) ADD COLUMN IF NOT EXISTS \(column)")
        }
        try connection.execute(
            SQLStatement(
                "UPDATE \(own.store) SET next_stage = 'expanding', next_schema = $1, next_metadata = $2, next_model = $3, "
                    + "next_generation = generation + 1",
                [.text(schema), .blob(data), migration.model.map(SQLValue.blob) ?? .null]
            ),
            prepares: false
        )
        // A save of the second version that is not its own any more leaves it out.
        try connection.execute("ALTER TABLE \(own.store) ALTER COLUMN next_metadata SET NOT NULL")
    }

    /// Gives each version its own blocks of keys, which alternate.
    private func shareKeys(_ plan: ExpansionPlan, _ connection: PostgreSQLConnection) throws {
        for sequence in keys(plan, of: views) {
            for name in sequence.others { try connection.execute("CREATE SEQUENCE \(name)") }
            try sequence.alternate(connection)
        }
    }

    /// The sequences of the tables, with those of the views over them.
    private func keys(_ plan: ExpansionPlan, of views: PostgreSQLDialect) -> [KeySequence] {
        let names = Set(plan.migration.destination.tables.map(\.name))
        return plan.views.filter { names.contains($0.name) }
            .map { view in
                KeySequence(
                    dialect.table(TableStatements.sequence(of: view.table)),
                    others: [views.table(TableStatements.sequence(of: view.name))]
                )
            }
    }

    // MARK: Contracting and going back

    /// Removes the first version; afterwards only the second uses the tables.
    ///
    /// Programs of the second version continue; those of the first get an error on their next save.
    ///
    /// - Throws: `MigrationFailure` if there is no second version, or rows violate its rules; `EngineError`, also if
    ///   other sessions hold the tables for longer than `lockLimit`.
    package func contract() throws {
        try EngineError.mappingPostgreSQL {
            let connection = try connect()
            defer { connection.close() }
            try inTransaction(connection) { try contract(connection) }
        }
    }

    private func contract(_ connection: PostgreSQLConnection) throws {
        let metadata = try lock(connection)
        guard let state = try SideBySide.state(connection, own), state.stage == .expanded,
            state.metadata.versionHashes == migration.fresh.versionHashes
        else {
            throw MigrationFailure(.sourceStore, reason: "there is no second version of this model; expand first")
        }
        var migration = migration
        let plan = try plan(connection)
        migration.expansion = plan
        // The two sequences stay apart: programs that have the views open continue with theirs.
        for sequence in keys(plan, of: views) { try sequence.alternate(connection) }
        let names = plan.views.map { dialect.table($0.table) }.sorted().joined(separator: ", ")
        try connection.execute("LOCK TABLE \(names) IN ACCESS EXCLUSIVE MODE")
        for statement in triggerRemovals(plan) { try connection.execute(statement) }
        for statement in changeViewStatements(renumbers: false) { try connection.execute(statement) }
        try migration.migrate(metadata, connection) { _ in }
        try connection.execute("UPDATE \(own.store) SET metadata = next_metadata, next_stage = 'contracted'")
    }

    /// Removes the second version.
    ///
    /// - Throws: `MigrationFailure` if there is none of this model; `EngineError`, also if other sessions hold the tables
    ///   for longer than `lockLimit`.
    package func abandon() throws {
        try EngineError.mappingPostgreSQL {
            let connection = try connect()
            defer { connection.close() }
            try inTransaction(connection) { try abandon(connection) }
        }
    }

    private func abandon(_ connection: PostgreSQLConnection) throws {
        _ = try lock(connection)
        guard let state = try SideBySide.state(connection, own) else {
            throw MigrationFailure(.sourceStore, reason: "there is no second version")
        }
        // Its columns and triggers are known from its model alone.
        guard state.metadata.versionHashes == migration.fresh.versionHashes else {
            throw MigrationFailure(
                .sourceStore,
                reason: "the second version is of another model. Name that model to remove it"
            )
        }
        let plan = try plan(connection)
        for sequence in keys(plan, of: PostgreSQLDialect(schema: state.schema)) { try sequence.takeOver(connection) }
        try connection.execute("DROP SCHEMA IF EXISTS \(dialect.identifier(state.schema)) CASCADE")
        for statement in triggerRemovals(plan) { try connection.execute(statement) }
        for column in plan.added {
            try connection.execute(
                "ALTER TABLE \(dialect.table(column.table)) DROP COLUMN \(dialect.identifier(column.name))"
            )
        }
        for (table, column, _) in plan.values {
            try connection.execute(
                "ALTER TABLE \(dialect.table(table)) ALTER COLUMN \(dialect.identifier(column)) DROP DEFAULT"
            )
        }
        for table in plan.joinTables.map(\.table.name) + plan.tables.map(\.table.name) {
            try connection.execute("DROP TABLE \(dialect.table(table))")
        }
        try connection.execute("ALTER TABLE \(own.store) ALTER COLUMN next_metadata DROP NOT NULL")
        try connection.execute(
            "UPDATE \(own.store) SET next_stage = NULL, next_schema = NULL, next_metadata = NULL, next_model = NULL"
        )
    }
}

// A lightweight migration of a schema, in one transaction: the tables are those of the old version until the commit and
// of the new one after it, even if the process or the server ends. Called by the coordinator's migration. The plan
// determines the statements; indexes are in +Indexes, references in +References, the history in +History, the forecast in
// +Forecast.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// A lightweight migration of the store at an address.
package struct SchemaMigration {
    let address: DatabaseAddress
    let mapping: ModelMapping
    let source: Model
    let destination: Model
    /// The entries about the new model.
    let fresh: StoreMetadata
    /// The new model, as the store contains it.
    let model: Data?
    let dialect: PostgreSQLDialect
    let own: OwnTables
    /// Called with each connection that is made.
    package var prepare: (PostgreSQLConnection) -> Void = { _ in }
    /// The new version that is in use beside the old one; nil for an ordinary migration.
    var expansion: ExpansionPlan?

    /// Describes a migration.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - mapping: The inferred mapping.
    ///   - source: The store's model.
    ///   - destination: The model to migrate to.
    ///   - fresh: The metadata of a new store of it.
    ///   - model: The model to store.
    package init(
        _ address: DatabaseAddress,
        _ mapping: ModelMapping,
        from source: Model,
        to destination: Model,
        fresh: StoreMetadata,
        model: Data?
    ) {
        self.address = address
        self.mapping = mapping
        self.source = source
        self.destination = destination
        self.fresh = fresh
        self.model = model
        dialect = PostgreSQLDialect(schema: address.schema)
        own = OwnTables(dialect)
    }

    /// The most times that a migration gives way to other transactions and begins again.
    private static let attempts = 10

    /// Migrates the store; does nothing if another process has migrated it in the meantime.
    ///
    /// - Parameter progress: Called with the completed fraction, from 0 to 1.
    /// - Throws: `MigrationFailure`, `EngineError`, or any error that `progress` throws; the store is then unchanged.
    package func run(progress: (Double) throws -> Void = { _ in }) throws {
        try EngineError.mappingPostgreSQL {
            for attempt in 1... {
                do {
                    return try runOnce(progress)
                } catch let error as PostgreSQLError where error.isRetryable && attempt < Self.attempts {
                    continue
                }
            }
        }
    }

    private func runOnce(_ progress: (Double) throws -> Void) throws {
        let connection = try PostgreSQLConnection(address)
        // The server rolls an open transaction back.
        defer { connection.close() }
        prepare(connection)
        try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        // A second migrator waits here, and finds the store migrated.
        try connection.execute("SELECT 1 FROM \(own.store) FOR UPDATE")
        guard let metadata = try PostgreSQLEngine.readStore(connection, dialect),
            metadata.versionHashes == source.versionHashes()
        else { return }
        try PostgreSQLEngine.refuseMigration(of: try PostgreSQLEngine.readState(connection, dialect))
        try SideBySide.end(connection, own, dialect)
        try migrate(metadata, connection, progress)
        // A cancellation that it throws must leave the store unchanged.
        try progress(1)
        try connection.execute("COMMIT")
    }

    // MARK: In the transaction

    func migrate(
        _ metadata: StoreMetadata,
        _ connection: PostgreSQLConnection,
        _ progress: (Double) throws -> Void
    ) throws {
        let plan = MigrationPlanner.plan(mapping, from: source, to: destination, file: try file(connection))
        if let tables = try PostgreSQLEngine.readState(connection, dialect)?.tables {
            return try replaceViews(over: tables, metadata, plan, connection)
        }
        try lock(plan, connection)
        try PostgreSQLEngine.dropRules(connection, dialect)
        try checkSource(plan, connection)
        try refuse(plan, connection)
        let before = try plan.checks.map { try count($0.before, connection) }
        let keys = try firstKeys(plan, connection)
        let references = try referenceChanges(plan, connection)
        for statement in references.dropped { try connection.execute(statement) }
        let indexes = indexChanges(plan)
        for statement in indexes.dropped { try connection.execute(statement) }
        // Rows that are written must not leave work for the end, which ALTER TABLE would refuse.
        try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        let statements = expansion?.contraction ?? plan.statements
        let steps = Double(statements.count + 4)
        for (number, statement) in statements.enumerated() {
            try connection.execute(statement, prepares: false)
            try progress(Double(number + 1) / steps)
        }
        if expansion == nil { try continueKeys(keys, connection) }
        try writeHistory(plan, connection)
        try progress((steps - 3) / steps)
        try makeIndexes(indexes.made, plan, connection)
        try progress((steps - 2) / steps)
        let expansionReferences = expansion?.references ?? []
        for reference in references.made where !expansionReferences.contains(reference) {
            try connection.execute(reference.statement(in: dialect))
        }
        for statement in plan.destination.derivedValueStatements(from: source, to: destination) {
            try connection.execute(statement)
        }
        try progress((steps - 1) / steps)
        try verify(plan, before, connection)
        let comments = TableStatements(model: destination, schema: plan.destination, hasForeignKeys: true).comments
        for comment in comments { try connection.execute(comment) }
        try writeOwnTables(metadata, plan, connection)
    }

    /// The facts about the schema that a plan requires.
    func file(_ connection: PostgreSQLConnection) throws -> MigrationFile {
        let result = try connection.execute("SELECT name, number FROM \(own.entity)")
        var numbers: [String: Int64] = [:]
        for row in 0..<result.count { numbers[try result.string(0, row) ?? ""] = try result.integer(1, row) }
        return file(numbers: numbers)
    }

    /// The facts about a schema whose entities have these numbers.
    func file(numbers: [String: Int64]) -> MigrationFile {
        let dialect = dialect
        return MigrationFile(
            MigratedDatabase(
                dialect: dialect,
                create: { TableStatements.create($0, dialect) },
                sequence: TableStatements.sequence
            ),
            numbers: numbers
        )
    }

    /// Keeps others out of the tables that change, and writers out of all.
    private func lock(_ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws {
        let paths = Dictionary(plan.feeds.map { ($1, plan.paths[$0]) }) { first, second in
            first == .untouched ? second : first
        }
        let tables = plan.source.tables.map { ($0.name, paths[$0.name] == .untouched) }
        let joins = plan.source.joinTables.map { ($0.name, plan.keptJoins.contains($0.name)) }
        for (isRead, mode) in [(false, "ACCESS EXCLUSIVE"), (true, "SHARE")] {
            let names = (tables + joins).filter { $0.1 == isRead }.map { dialect.table($0.0) }.sorted()
            guard !names.isEmpty else { continue }
            try connection.execute("LOCK TABLE \(names.joined(separator: ", ")) IN \(mode) MODE")
        }
    }

    /// Requires that the tables match the source model.
    func checkSource(_ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws {
        let result = try connection.execute(
            SQLStatement(
                "SELECT r.relname::text, a.attname::text FROM pg_class AS r JOIN pg_namespace AS n "
                    + "ON n.oid = r.relnamespace JOIN pg_attribute AS a ON a.attrelid = r.oid "
                    + "WHERE n.nspname = $1 AND a.attnum > 0 AND NOT a.attisdropped AND r.relkind IN ('r', 'p')",
                [.text(address.schema)]
            )
        )
        var existingColumns: [String: Set<String>] = [:]
        for row in 0..<result.count {
            existingColumns[try result.string(0, row) ?? "", default: []].insert(try result.string(1, row) ?? "")
        }
        let tables = plan.source.tables.map { ($0.name, $0.own.names + $0.columns.map(\.name)) }
        let joins = plan.source.joinTables.map { ($0.name, $0.columns.map(\.name)) }
        for (table, columns) in tables + joins {
            for column in columns where existingColumns[table]?.contains(column) != true {
                throw MigrationFailure(.sourceStore, reason: "the store has no column \(table).\(column)")
            }
        }
    }

    /// Throws if rows violate the new model's rules; nothing has been written yet.
    func refuse(_ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws {
        for refusal in plan.refusals {
            let result = try connection.execute(refusal.countAndExample)
            guard let count = try result.integer(0, 0), count > 0, let key = try result.integer(1, 0) else { continue }
            throw MigrationFailure(
                .content,
                entity: refusal.entity,
                property: refusal.property,
                reason: "\(refusal.reason): \(count), such as the object with the key \(key)"
            )
        }
    }

    private func count(_ sql: String, _ connection: PostgreSQLConnection) throws -> Int64 {
        try connection.execute(sql).integer(0, 0) ?? 0
    }

    private func verify(_ plan: MigrationPlan, _ before: [Int64], _ connection: PostgreSQLConnection) throws {
        for (check, expected) in zip(plan.checks, before) {
            let actual = try count(check.after, connection)
            guard actual != expected else { continue }
            throw MigrationFailure(
                .content,
                entity: check.entity,
                property: check.property,
                reason: "\(expected) \(check.property == nil ? "objects" : "related objects") were there before and "
                    + "\(actual) would be afterwards"
            )
        }
    }

    // MARK: Keys

    /// The next keys of tables that are copied, by the new tables.
    private func firstKeys(_ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws -> [(String, Int64)] {
        try plan.feeds.filter { plan.paths[$0.key] == .rewritten }.sorted { $0.key < $1.key }
            .map { table, feed in
                let sequence = KeySequence(dialect.table(TableStatements.sequence(of: feed)))
                return (table, try sequence.next(connection))
            }
    }

    /// Sets the sequences of copied tables to start after the keys of the original tables.
    private func continueKeys(_ keys: [(String, Int64)], _ connection: PostgreSQLConnection) throws {
        for (table, first) in keys {
            let sequence = dialect.literal(.text(dialect.table(TableStatements.sequence(of: table))))
            try connection.execute("SELECT setval(\(sequence)::regclass, \(first), FALSE)")
        }
    }

    // MARK: The store's own tables

    func writeOwnTables(
        _ metadata: StoreMetadata,
        _ plan: MigrationPlan,
        _ connection: PostgreSQLConnection
    ) throws {
        var metadata = metadata
        metadata.takeModel(of: fresh)
        let data = try PropertyListSerialization.data(fromPropertyList: metadata.values, format: .binary, options: 0)
        var batch = ["DELETE FROM \(own.entity)", "DELETE FROM \(own.table)"].map { SQLStatement($0) }
        batch += own.entityStatements(plan.destination) + own.tableStatements(plan.destination)
        batch.append(
            SQLStatement(
                "UPDATE \(own.store) SET metadata = $1, model = $2, generation = generation + 1",
                [.blob(data), model.map(SQLValue.blob) ?? .null]
            )
        )
        _ = try connection.pipeline(batch, prepares: false)
    }
}

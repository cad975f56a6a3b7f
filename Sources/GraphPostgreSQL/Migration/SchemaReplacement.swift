// Puts the tables of another schema in the place of a store's, in one transaction: for migrations that run code
// of the program. The other schema is made beside it; until the commit other programs can read the store, but not write
// it. The next migration removes a schema that a killed one has left.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// A replacement of the store at an address.
package struct SchemaReplacement {
    let address: DatabaseAddress
    let dialect: PostgreSQLDialect
    let own: OwnTables
    /// The schema that is made beside.
    package let otherSchema: String
    let other: PostgreSQLDialect
    /// Called with each connection that is made.
    package var prepare: (PostgreSQLConnection) -> Void = { _ in }

    /// Describes a replacement.
    ///
    /// - Parameter address: The store.
    package init(_ address: DatabaseAddress) {
        self.address = address
        dialect = PostgreSQLDialect(schema: address.schema)
        own = OwnTables(dialect)
        otherSchema = ModelNaming().limited("_migration_\(address.schema)")
        other = PostgreSQLDialect(schema: otherSchema)
    }

    /// Replaces the store.
    ///
    /// - Parameters:
    ///   - hashes: The version hashes that the store has to have; nothing is done if it has others by now.
    ///   - isCopy: Whether the other schema begins with a copy of the store; it is empty otherwise.
    ///   - body: Makes or changes the store in the other schema.
    /// - Throws: `EngineError`, the errors of `body`; the store is then unchanged.
    package func run(of hashes: [String: Data], isCopy: Bool, _ body: () throws -> Void) throws {
        try EngineError.mappingPostgreSQL {
            let connection = try connect()
            // The server rolls an open transaction back.
            defer { connection.close() }
            try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            // A second migrator waits here, and finds the store migrated.
            try connection.execute("SELECT 1 FROM \(own.store) FOR UPDATE")
            guard let state = try PostgreSQLEngine.readState(connection, dialect),
                state.metadata.versionHashes == hashes
            else { return }
            try PostgreSQLEngine.refuseMigration(of: state)
            guard state.tables == nil else {
                throw MigrationFailure(
                    .sourceStore,
                    reason:
                        "the store is over the tables of other programs, which only lightweight migrations leave as they are"
                )
            }
            try SideBySide.end(connection, own, dialect)
            let tables = try Self.tables(connection, own)
            let names = (tables.map(dialect.table) + [own.entity, own.transaction, own.change, own.table]).sorted()
            try connection.execute("LOCK TABLE \(names.joined(separator: ", ")) IN SHARE MODE")
            let copy = SchemaCopy(
                address,
                to: otherSchema,
                comment: "An unfinished migration of ManagedGraph; it may be dropped.",
                prepare: prepare
            )
            try copy.make(isCopy ? tables : nil, keys: try nextKeys(tables, connection))
            do {
                try body()
                try replace(tables, state, connection)
                try connection.execute("COMMIT")
            } catch {
                // The lock ends first: the other schema's tables may be in its way.
                connection.close()
                try? copy.drop()
                throw error
            }
        }
    }

    private func connect() throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address)
        prepare(connection)
        return connection
    }

    /// The tables of a store's rows.
    static func tables(_ connection: PostgreSQLConnection, _ own: OwnTables) throws -> [String] {
        let result = try connection.execute("SELECT name FROM \(own.table) ORDER BY name")
        return try (0..<result.count).map { try result.string(0, $0) ?? "" }
    }

    /// The next keys of tables whose writers wait; other connections cannot see which keys of removed views are taken.
    private func nextKeys(_ tables: [String], _ connection: PostgreSQLConnection) throws -> [String: Int64] {
        var keys: [String: Int64] = [:]
        for table in tables {
            keys[table] = try KeySequence(dialect.table(TableStatements.sequence(of: table))).next(connection)
        }
        return keys
    }

    // MARK: In its place

    private func replace(_ tables: [String], _ state: StoredState, _ connection: PostgreSQLConnection) throws {
        let otherTables = OwnTables(other)
        let result = try connection.execute(
            "SELECT GREATEST(purged_through, (SELECT COALESCE(max(number), 0) FROM \(own.transaction))), history_base "
                + "FROM \(own.store)"
        )
        let (last, base) = (try result.integer(0, 0) ?? 0, try result.integer(1, 0) ?? 0)
        let hasHistory = try connection.execute(
            "SELECT EXISTS (SELECT 1 FROM \(otherTables.store) WHERE generation > 0 OR uuid = "
                + "\(dialect.literal(.text(state.metadata.uuid))))"
        )
        // A newly created store has no earlier changes, so older tokens have expired.
        let purgedThrough = try hasHistory.boolean(0, 0) == true ? "purged_through" : "\(last)"
        try connection.execute(
            SQLStatement(
                "UPDATE \(otherTables.store) SET uuid = $1, generation = $2, purged_through = \(purgedThrough), "
                    + "history_base = $3",
                [.text(state.metadata.uuid), .integer(state.generation + 1), .integer(base)]
            ),
            prepares: false
        )
        let new = try Self.tables(connection, otherTables)
        let names = ["_store", "_entity", "_table", "_transaction", "_change"]
        let grants = try self.grants(new.filter(tables.contains), names, connection)
        let dropped = (tables + names).map(dialect.table).joined(separator: ", ")
        try connection.execute("DROP TABLE \(dropped)")
        for table in new + names {
            try connection.execute(
                "ALTER TABLE \(other.table(table)) SET SCHEMA \(dialect.identifier(address.schema))"
            )
        }
        for grant in grants { try connection.execute(grant) }
        try connection.execute("DROP SCHEMA \(dialect.identifier(otherSchema)) CASCADE")
    }

    /// The statements that give other users the rights that they have in tables which are about to be replaced, and in the
    /// sequences of their keys.
    private func grants(_ tables: [String], _ own: [String], _ connection: PostgreSQLConnection) throws -> [String] {
        let relations = tables + tables.map(TableStatements.sequence) + own
        let result = try connection.execute(
            SQLStatement(
                """
                SELECT format('GRANT %s ON %s %I.%I TO %s%s', a.privilege_type, \
                CASE WHEN c.relkind = 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, n.nspname, c.relname, \
                CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END, \
                CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) FROM pg_class AS c \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace CROSS JOIN LATERAL aclexplode(COALESCE(c.relacl, \
                acldefault((CASE WHEN c.relkind = 'S' THEN 's' ELSE 'r' END)::"char", c.relowner))) AS a \
                LEFT JOIN pg_roles AS r ON r.oid = a.grantee WHERE n.nspname = $1 AND c.relname = ANY($2) \
                AND c.relkind IN ('r', 'p', 'S') AND (a.grantee = 0 OR r.rolname <> current_user) ORDER BY 1
                """,
                [.text(address.schema), .typed(.list(relations.map(SQLValue.text), .text))]
            ),
            prepares: false
        )
        return try (0..<result.count).compactMap { try result.string(0, $0) }
    }
}

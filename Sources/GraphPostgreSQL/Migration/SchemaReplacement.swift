// Puts the tables of another schema in the place of a store's, in one transaction: for migrations in which the program
// has its say. The other schema is made beside; until the commit other programs can read the store, and none can write it. A
// schema that a killed migration has left is removed by the next one.
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

    /// The comment of a schema that belongs to a migration.
    private static let comment = "An unfinished migration of ManagedGraph; it may be dropped."

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
            guard let found = try PostgreSQLEngine.readState(connection, dialect),
                found.metadata.versionHashes == hashes
            else { return }
            try PostgreSQLEngine.refuseMigration(of: found)
            guard found.tables == nil else {
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
            try prepareOther(isCopy ? tables : nil)
            do {
                try body()
                try replace(tables, found, connection)
                try connection.execute("COMMIT")
            } catch {
                // The lock ends first: the other schema's tables may be in its way.
                connection.close()
                try? dropOther()
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
    private static func tables(_ connection: PostgreSQLConnection, _ own: OwnTables) throws -> [String] {
        let result = try connection.execute("SELECT name FROM \(own.table) ORDER BY name")
        return try (0..<result.count).map { try result.string(0, $0) ?? "" }
    }

    // MARK: The other schema

    /// Makes the other schema, with a copy of the store if it is to begin with one.
    private func prepareOther(_ tables: [String]?) throws {
        try dropOther()
        let connection = try connect()
        defer { connection.close() }
        let name = dialect.identifier(otherSchema)
        try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        try connection.execute("CREATE SCHEMA \(name)")
        try connection.execute("COMMENT ON SCHEMA \(name) IS \(dialect.literal(.text(Self.comment)))")
        if let tables { try copy(tables, connection) }
        try connection.execute("COMMIT")
    }

    private func dropOther() throws {
        let connection = try connect()
        defer { connection.close() }
        let result = try connection.execute(
            SQLStatement(
                "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = $1",
                [.text(otherSchema)]
            )
        )
        guard result.count > 0 else { return }
        guard try result.string(0, 0) == Self.comment else {
            throw EngineError(
                .cannotOpen,
                "The migration needs the schema \(otherSchema), which has other content.",
                remedy: "Rename that schema."
            )
        }
        try connection.execute("DROP SCHEMA \(dialect.identifier(otherSchema)) CASCADE")
    }

    /// Copies tables with their rows, keys, indexes and references.
    private func copy(_ tables: [String], _ connection: PostgreSQLConnection) throws {
        for statement in PostgreSQLFunctions(other).statements { try connection.execute(statement) }
        let others = OwnTables(other)
        for statement in others.createStatements { try connection.execute(statement) }
        let columns = "id, version, uuid, metadata, model, history_base, purged_through, generation"
        try connection.execute("INSERT INTO \(others.store) (\(columns)) SELECT \(columns) FROM \(own.store)")
        for (new, old) in [
            (others.entity, own.entity), (others.table, own.table), (others.transaction, own.transaction),
            (others.change, own.change),
        ] { try connection.execute("INSERT INTO \(new) SELECT * FROM \(old)") }
        for table in tables {
            try connection.execute(
                "CREATE TABLE \(other.table(table)) (LIKE \(dialect.table(table)) INCLUDING ALL EXCLUDING "
                    + "INDEXES EXCLUDING CONSTRAINTS)"
            )
            try connection.execute("INSERT INTO \(other.table(table)) SELECT * FROM \(dialect.table(table))")
            try copySequence(of: table, connection)
        }
        try copyIndexes(tables, connection)
        try copyReferences(tables, connection)
    }

    /// Copies keys and indexes under their names.
    private func copyIndexes(_ tables: [String], _ connection: PostgreSQLConnection) throws {
        let indexes = try connection.execute(
            SQLStatement(
                "SELECT r.relname::text, c.conname::text, pg_get_constraintdef(c.oid), pg_get_indexdef(x.indexrelid) "
                    + "FROM pg_index AS x JOIN pg_class AS r ON r.oid = x.indrelid JOIN pg_namespace AS n "
                    + "ON n.oid = r.relnamespace LEFT JOIN pg_constraint AS c ON c.conindid = x.indexrelid "
                    + "AND c.contype IN ('p', 'u', 'x') WHERE n.nspname = $1 AND r.relname = ANY($2) "
                    + "ORDER BY x.indexrelid",
                [.text(address.schema), .typed(.list(tables.map(SQLValue.text), .text))]
            )
        )
        for row in 0..<indexes.count {
            guard let table = try indexes.string(0, row), let text = try indexes.string(3, row) else { continue }
            if let name = try indexes.string(1, row), let key = try indexes.string(2, row) {
                let constraint = "\(dialect.identifier(name)) \(key)"
                try connection.execute("ALTER TABLE \(other.table(table)) ADD CONSTRAINT \(constraint)")
            } else if let on = text.range(of: " ON "), let using = text.range(of: " USING ") {
                try connection.execute(
                    "\(text[..<on.upperBound])\(other.table(table))\(text[using.lowerBound...])"
                )
            }
        }
    }

    private func copyReferences(_ tables: [String], _ connection: PostgreSQLConnection) throws {
        let references = try connection.execute(
            SQLStatement(
                "SELECT r.relname::text, c.conname::text, f.relname::text, pg_get_constraintdef(c.oid) "
                    + "FROM pg_constraint AS c JOIN pg_class AS r ON r.oid = c.conrelid "
                    + "JOIN pg_class AS f ON f.oid = c.confrelid JOIN pg_namespace AS n ON n.oid = r.relnamespace "
                    + "AND n.oid = f.relnamespace WHERE c.contype = 'f' AND n.nspname = $1 AND c.conparentid = 0 "
                    + "AND r.relname = ANY($2) AND f.relname = ANY($2) ORDER BY c.oid",
                [.text(address.schema), .typed(.list(tables.map(SQLValue.text), .text))]
            )
        )
        for row in 0..<references.count {
            guard let table = try references.string(0, row), let name = try references.string(1, row),
                let destination = try references.string(2, row), let text = try references.string(3, row),
                let start = text.range(of: "REFERENCES "),
                let list = text.range(of: "(", range: start.upperBound..<text.endIndex)
            else { continue }
            try connection.execute(
                "ALTER TABLE \(other.table(table)) ADD CONSTRAINT \(dialect.identifier(name)) "
                    + "\(text[..<start.upperBound])\(other.table(destination))\(text[list.lowerBound...])"
            )
        }
    }

    private func copySequence(of table: String, _ connection: PostgreSQLConnection) throws {
        let sequence = TableStatements.sequence(of: table)
        let (old, new) = (dialect.table(sequence), other.table(sequence))
        let exists = try connection.execute(SQLStatement("SELECT to_regclass($1) IS NOT NULL", [.text(old)]))
        guard try exists.boolean(0, 0) == true else { return }
        let column = try connection.execute(
            SQLStatement(
                "SELECT a.attname::text FROM pg_attrdef AS d JOIN pg_attribute AS a ON a.attrelid = d.adrelid "
                    + "AND a.attnum = d.adnum WHERE d.adrelid = $1::regclass "
                    + "AND pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%'",
                [.text(other.table(table))]
            )
        )
        try connection.execute("CREATE SEQUENCE \(new) INCREMENT BY \(KeyBlocks.size)")
        let text = dialect.literal(.text(new))
        try connection.execute("SELECT setval(\(text)::regclass, last_value, is_called) FROM \(old)")
        guard column.count > 0, let key = try column.string(0, 0).map(dialect.identifier) else { return }
        try connection.execute(
            "ALTER TABLE \(other.table(table)) ALTER COLUMN \(key) SET DEFAULT nextval(\(text)::regclass)"
        )
        try connection.execute("ALTER SEQUENCE \(new) OWNED BY \(other.table(table)).\(key)")
    }

    // MARK: In its place

    private func replace(_ tables: [String], _ found: StoredState, _ connection: PostgreSQLConnection) throws {
        let others = OwnTables(other)
        let result = try connection.execute(
            "SELECT GREATEST(purged_through, (SELECT COALESCE(max(number), 0) FROM \(own.transaction))), history_base "
                + "FROM \(own.store)"
        )
        let (last, base) = (try result.integer(0, 0) ?? 0, try result.integer(1, 0) ?? 0)
        let hasHistory = try connection.execute(
            "SELECT EXISTS (SELECT 1 FROM \(others.store) WHERE generation > 0 OR uuid = "
                + "\(dialect.literal(.text(found.metadata.uuid))))"
        )
        // A store that was made anew has no changes from before: tokens from then have expired.
        let purged = try hasHistory.boolean(0, 0) == true ? "purged_through" : "\(last)"
        try connection.execute(
            SQLStatement(
                "UPDATE \(others.store) SET uuid = $1, generation = $2, purged_through = \(purged), history_base = $3",
                [.text(found.metadata.uuid), .integer(found.generation + 1), .integer(base)]
            ),
            prepares: false
        )
        let new = try Self.tables(connection, others)
        let names = ["_store", "_entity", "_table", "_transaction", "_change"]
        let dropped = (tables + names).map(dialect.table).joined(separator: ", ")
        try connection.execute("DROP TABLE \(dropped)")
        for table in new + names {
            try connection.execute(
                "ALTER TABLE \(other.table(table)) SET SCHEMA \(dialect.identifier(address.schema))"
            )
        }
        try connection.execute("DROP SCHEMA \(dialect.identifier(otherSchema)) CASCADE")
    }
}

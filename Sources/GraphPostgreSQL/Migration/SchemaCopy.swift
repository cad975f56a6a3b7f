// Makes a schema beside that of a store, with a copy of it or empty, and drops it again. Called by replacements and
// rehearsals of migrations. A comment marks the schema, so that none with other content is dropped.
import Foundation
import GraphEngine
import GraphSQL

/// A schema beside that of a store.
struct SchemaCopy {
    let address: DatabaseAddress
    let dialect: PostgreSQLDialect
    let own: OwnTables
    /// The name of the schema.
    let name: String
    let other: PostgreSQLDialect
    /// The comment of the schema.
    let comment: String
    /// Called with each connection that is made.
    let prepare: (PostgreSQLConnection) -> Void

    init(
        _ address: DatabaseAddress,
        to name: String,
        comment: String,
        prepare: @escaping (PostgreSQLConnection) -> Void
    ) {
        self.address = address
        self.name = name
        self.comment = comment
        self.prepare = prepare
        dialect = PostgreSQLDialect(schema: address.schema)
        own = OwnTables(dialect)
        other = PostgreSQLDialect(schema: name)
    }

    /// Creates the schema in one transaction, after dropping a schema left by a killed migration.
    ///
    /// - Parameters:
    ///   - tables: The tables to copy; nil for an empty schema.
    ///   - keys: The next keys of tables; the other tables give keys after those that the store has now.
    ///   - snapshot: The exported snapshot to copy; the store as it is now if nil.
    /// - Throws: `PostgreSQLError`, `EngineError` if a schema with other content has the name.
    func make(_ tables: [String]?, keys: [String: Int64] = [:], of snapshot: String? = nil) throws {
        try drop()
        let connection = try connect()
        defer { connection.close() }
        let schema = dialect.identifier(name)
        try connection.execute("BEGIN ISOLATION LEVEL \(snapshot == nil ? "READ COMMITTED" : "REPEATABLE READ")")
        if let snapshot { try connection.execute("SET TRANSACTION SNAPSHOT \(dialect.literal(.text(snapshot)))") }
        try connection.execute("CREATE SCHEMA \(schema)")
        try connection.execute("COMMENT ON SCHEMA \(schema) IS \(dialect.literal(.text(comment)))")
        if let tables { try copy(tables, keys, connection) }
        try connection.execute("COMMIT")
    }

    /// Drops the schema if it exists.
    ///
    /// - Throws: `PostgreSQLError`, `EngineError` if it has other content.
    func drop() throws {
        let connection = try connect()
        defer { connection.close() }
        // Nothing is to be left after a cancellation.
        connection.isWanted = nil
        let result = try connection.execute(
            SQLStatement(
                "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = $1",
                [.text(name)]
            )
        )
        guard result.count > 0 else { return }
        guard try result.string(0, 0) == comment else {
            throw EngineError(
                .cannotOpen,
                "The migration needs the schema \(name), which has other content.",
                remedy: "Rename that schema."
            )
        }
        try connection.execute("DROP SCHEMA \(dialect.identifier(name)) CASCADE")
    }

    private func connect() throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address)
        prepare(connection)
        return connection
    }

    // MARK: Copying

    /// Copies tables with their rows, keys, indexes and references.
    private func copy(_ tables: [String], _ keys: [String: Int64], _ connection: PostgreSQLConnection) throws {
        for statement in PostgreSQLFunctions(other).statements { try connection.execute(statement) }
        let otherTables = OwnTables(other)
        for statement in otherTables.createStatements { try connection.execute(statement) }
        // Tables of earlier versions lack columns, or have got them after the others.
        let copies: [(new: String, old: String, columns: String, added: String, value: String)] = [
            (
                otherTables.store, own.store, "id, version, uuid, metadata, model, history_base, purged_through",
                ", generation", ", COALESCE((to_jsonb(c) ->> 'generation')::bigint, 0)"
            ),
            (otherTables.entity, own.entity, "number, name, super_number", "", ""),
            (otherTables.table, own.table, "name", "", ""),
            (otherTables.transaction, own.transaction, "number, at, author, bundle, context, process", "", ""),
            (
                otherTables.change, own.change, "transaction, position, type, entity, key, properties, preserved",
                ", count", ", COALESCE((to_jsonb(c) ->> 'count')::integer, 1)"
            ),
        ]
        for copy in copies {
            try connection.execute(
                "INSERT INTO \(copy.new) (\(copy.columns)\(copy.added)) SELECT \(copy.columns)\(copy.value) "
                    + "FROM \(copy.old) AS c"
            )
        }
        for table in tables {
            try connection.execute(
                "CREATE TABLE \(other.table(table)) (LIKE \(dialect.table(table)) INCLUDING ALL EXCLUDING "
                    + "INDEXES EXCLUDING CONSTRAINTS)"
            )
            try connection.execute("INSERT INTO \(other.table(table)) SELECT * FROM \(dialect.table(table))")
            try copySequence(of: table, keys[table], connection)
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
            guard let table = try indexes.string(0, row), let definition = try indexes.string(3, row) else { continue }
            if let name = try indexes.string(1, row), let key = try indexes.string(2, row) {
                let constraint = "\(dialect.identifier(name)) \(key)"
                try connection.execute("ALTER TABLE \(other.table(table)) ADD CONSTRAINT \(constraint)")
            } else if let on = definition.range(of: " ON "), let using = definition.range(of: " USING ") {
                try connection.execute(
                    "\(definition[..<on.upperBound])\(other.table(table))\(definition[using.lowerBound...])"
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
                let destination = try references.string(2, row), let definition = try references.string(3, row),
                let start = definition.range(of: "REFERENCES "),
                let list = definition.range(of: "(", range: start.upperBound..<definition.endIndex)
            else { continue }
            try connection.execute(
                "ALTER TABLE \(other.table(table)) ADD CONSTRAINT \(dialect.identifier(name)) "
                    + "\(definition[..<start.upperBound])\(other.table(destination))\(definition[list.lowerBound...])"
            )
        }
    }

    /// Sets the sequence of a copied table to start at `first`, or after the keys of the original table.
    private func copySequence(of table: String, _ first: Int64?, _ connection: PostgreSQLConnection) throws {
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
        let next = try first ?? KeySequence(old).next(connection)
        try connection.execute("CREATE SEQUENCE \(new) INCREMENT BY \(KeyBlocks.size)")
        let literal = dialect.literal(.text(new))
        try connection.execute("SELECT setval(\(literal)::regclass, \(next), FALSE)")
        guard column.count > 0, let key = try column.string(0, 0).map(dialect.identifier) else { return }
        try connection.execute(
            "ALTER TABLE \(other.table(table)) ALTER COLUMN \(key) SET DEFAULT nextval(\(literal)::regclass)"
        )
        try connection.execute("ALTER SEQUENCE \(new) OWNED BY \(other.table(table)).\(key)")
    }
}

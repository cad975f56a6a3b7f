// The tables of a store in a database, for comparing a migrated one with a new one.
import Foundation
import GraphPostgreSQL
import GraphSQL

/// The content of a store's schema: columns of each table, indexes, references, sequences, entities, model.
struct SchemaTables {
    private var facts: [String: [String]] = [:]

    private static let queries = [
        "columns": """
        SELECT r.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull::text \
        || ' ' || COALESCE(replace(pg_get_expr(d.adbin, d.adrelid), $1, ''), '') FROM pg_attribute AS a \
        JOIN pg_class AS r ON r.oid = a.attrelid JOIN pg_namespace AS n ON n.oid = r.relnamespace \
        LEFT JOIN pg_attrdef AS d ON d.adrelid = r.oid AND d.adnum = a.attnum \
        WHERE n.nspname = $1 AND r.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
        """,
        "indexes": """
        SELECT replace(pg_get_indexdef(x.indexrelid), $1, '') FROM pg_index AS x \
        JOIN pg_class AS r ON r.oid = x.indrelid JOIN pg_namespace AS n ON n.oid = r.relnamespace \
        WHERE n.nspname = $1 AND NOT x.indisprimary
        """,
        "references": """
        SELECT r.relname || ' ' || replace(replace(pg_get_constraintdef(c.oid), $1, ''), ' NOT VALID', '') FROM pg_constraint AS c \
        JOIN pg_class AS r ON r.oid = c.conrelid JOIN pg_namespace AS n ON n.oid = r.relnamespace \
        WHERE n.nspname = $1
        """,
        "sequences": """
        SELECT r.relname::text FROM pg_class AS r JOIN pg_namespace AS n ON n.oid = r.relnamespace \
        WHERE n.nspname = $1 AND r.relkind = 'S'
        """,
    ]

    init(_ url: URL) throws {
        let address = try DatabaseAddress(url.absoluteString)
        let connection = try PostgreSQLConnection(address)
        defer { connection.close() }
        func rows(_ statement: SQLStatement) throws -> [String] {
            let result = try connection.execute(statement)
            return try (0..<result.count).map { try result.string(0, $0) ?? "" }.sorted()
        }
        for (name, query) in Self.queries {
            facts[name] = try rows(SQLStatement(query, [.text(address.schema)]))
        }
        let dialect = PostgreSQLDialect(schema: address.schema)
        facts["tables"] = try rows(SQLStatement("SELECT name FROM \(dialect.table("_table"))"))
        // Entities keep their numbers: only their names, with those of their superentities, are the same as in a new store.
        facts["entities"] = try rows(
            SQLStatement(
                "SELECT e.name || ' ' || COALESCE(s.name, '') FROM \(dialect.table("_entity")) AS e "
                    + "LEFT JOIN \(dialect.table("_entity")) AS s ON s.number = e.super_number"
            )
        )
        let names = try rows(SQLStatement("SELECT number || ' ' || name FROM \(dialect.table("_entity"))"))
            .map { $0.split(separator: " ") }
        let byNumber = Dictionary(uniqueKeysWithValues: names.map { ($0[0], $0[1]) })
        facts["references"] = facts["references"]?.map { Self.naming(byNumber, in: $0) }
        let hashes = try PostgreSQLEngine.metadata(at: address)?.versionHashes ?? [:]
        facts["hashes"] = hashes.map { "\($0.key) \($0.value.base64EncodedString())" }.sorted()
    }

    /// A check constraint with the names of the entities in the place of their numbers.
    private static func naming(_ names: [Substring: Substring], in constraint: String) -> String {
        constraint.replacing(#/_entity (?:<>|=) (?:ALL |ANY )?(?:\(ARRAY\[[0-9, ]*\]\)|[0-9]+)/#) { condition in
            condition.output.replacing(#/[0-9]+/#) { names[$0.output] ?? $0.output }
        }
    }

    /// The rows of all tables of a schema as texts.
    static func rows(of url: URL) throws -> [String] {
        let address = try DatabaseAddress(url.absoluteString)
        let connection = try PostgreSQLConnection(address)
        defer { connection.close() }
        let dialect = PostgreSQLDialect(schema: address.schema)
        let tables = try connection.execute(
            SQLStatement(
                "SELECT tablename::text FROM pg_tables WHERE schemaname = $1 ORDER BY 1",
                [.text(address.schema)]
            )
        )
        return try (0..<tables.count)
            .flatMap { row in
                let table = try tables.string(0, row) ?? ""
                let rows = try connection.execute("SELECT t::text FROM \(dialect.table(table)) AS t ORDER BY 1")
                return [table] + (try (0..<rows.count).map { try rows.string(0, $0) ?? "" })
            }
    }

    /// Runs a statement whose tables are those of the schema.
    static func execute(_ statement: String, at url: URL) throws {
        let address = try DatabaseAddress(url.absoluteString)
        let connection = try PostgreSQLConnection(address)
        defer { connection.close() }
        let path = PostgreSQLDialect().identifier(address.schema)
        _ = try connection.pipeline(
            ["BEGIN", "SET LOCAL search_path = \(path)", statement, "COMMIT"].map { SQLStatement($0) },
            prepares: false
        )
    }

    func differences(from expected: SchemaTables) -> [String] {
        Set(facts.keys).union(expected.facts.keys).sorted().compactMap { key in
            let (mine, theirs) = (Set(facts[key] ?? []), Set(expected.facts[key] ?? []))
            let (more, less) = (mine.subtracting(theirs).sorted(), theirs.subtracting(mine).sorted())
            return more.isEmpty && less.isEmpty ? nil : "\(key): \(more) instead of \(less)"
        }
    }
}

// Reads the tables of a schema from PostgreSQL's catalog. Called for models that are drawn from tables that exist already.
import GraphEngine
import GraphSQL

/// Reads a catalog in one snapshot.
struct CatalogReader {
    private let connection: PostgreSQLConnection
    private let schema: String

    init(_ connection: PostgreSQLConnection, schema: String) { (self.connection, self.schema) = (connection, schema) }

    private func rows(_ text: String) throws -> [[String?]] {
        let result = try connection.execute(SQLStatement(text, [.text(schema)]))
        return try (0..<result.count).map { row in
            try result.columnNames.indices.map { try result.string($0, row) }
        }
    }

    /// Reads ordinary and partitioned tables, without partitions, and without tables of extensions.
    func read() throws -> DatabaseCatalog {
        var tables: [String: DatabaseCatalog.Table] = [:]
        let tableRows = try rows(
            """
            SELECT c.relname::text, obj_description(c.oid, 'pg_class') FROM pg_catalog.pg_class c \
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') \
            AND NOT c.relispartition AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d WHERE d.objid = c.oid \
            AND d.deptype = 'e')
            """
        )
        for row in tableRows {
            guard let name = row[0] else { continue }
            tables[name] = DatabaseCatalog.Table(name: name, comment: row[1])
        }
        for row in try rows(Self.columns) {
            guard let table = row[0], let name = row[1], let type = row[2] else { continue }
            var column = DatabaseCatalog.Column(
                name: name,
                type: type,
                length: row[3].flatMap { Int($0) },
                isRequired: row[4] == "true",
                defaultText: row[5],
                isGenerated: row[6] == "true",
                comment: row[7]
            )
            column.typeName = row[8] ?? ""
            column.sequence = row[9]
            tables[table]?.columns.append(column)
        }
        for row in try rows(Self.indexes) { add(index: row, to: &tables) }
        let keys = Dictionary(grouping: try rows(Self.foreignKeys)) { [$0[0] ?? "", $0[1] ?? ""] }
        for (_, rows) in keys.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) { add(key: rows, to: &tables) }
        return DatabaseCatalog(schema: schema, tables: tables.values.sorted { $0.name < $1.name })
    }

    private static let columns = #"""
        SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL), \#
        (CASE WHEN a.atttypid IN ('varchar'::regtype, 'bpchar'::regtype) AND a.atttypmod > 4 THEN a.atttypmod - 4 END)::text, \#
        a.attnotnull::text, CASE WHEN a.attidentity <> '' THEN 'identity' ELSE pg_get_expr(d.adbin, d.adrelid) END, \#
        (a.attgenerated <> '')::text, col_description(c.oid, a.attnum), quote_ident(m.nspname) || '.' || quote_ident(y.typname), \#
        COALESCE(pg_get_serial_sequence(quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname), \#
        substring(pg_get_expr(d.adbin, d.adrelid) FROM '^nextval\(''(.*)''::regclass\)$')) FROM pg_catalog.pg_class c \#
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid \#
        JOIN pg_catalog.pg_type y ON y.oid = a.atttypid JOIN pg_catalog.pg_namespace m ON m.oid = y.typnamespace \#
        LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \#
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped \#
        ORDER BY c.relname, a.attnum
        """#

    /// One row for each column of an index.
    private static let indexes = """
        SELECT t.relname::text, c.relname::text, i.indisunique::text, i.indisprimary::text, a.attname::text, \
        ((i.indoption[k.place - 1] & 1) = 0)::text FROM pg_catalog.pg_index i \
        JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid JOIN pg_catalog.pg_class t ON t.oid = i.indrelid \
        JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace \
        CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY AS k(number, place) \
        JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number \
        WHERE n.nspname = $1 AND i.indpred IS NULL AND i.indexprs IS NULL AND k.place <= i.indnkeyatts \
        ORDER BY t.relname, c.relname, k.place
        """

    /// One row for each column of a foreign key.
    private static let foreignKeys = """
        SELECT c.relname::text, k.conname::text, t.relname::text, a.attname::text, b.attname::text, k.confdeltype::text \
        FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid \
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_class t ON t.oid = k.confrelid \
        CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS p(number, target, place) \
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.number \
        JOIN pg_catalog.pg_attribute b ON b.attrelid = t.oid AND b.attnum = p.target \
        WHERE n.nspname = $1 AND k.contype = 'f' AND t.relnamespace = c.relnamespace \
        ORDER BY c.relname, k.conname, p.place
        """

    private func add(index row: [String?], to tables: inout [String: DatabaseCatalog.Table]) {
        guard let table = row[0], let name = row[1], let column = row[4] else { return }
        let element = (name: column, isAscending: row[5] == "true")
        if tables[table]?.indexes.last?.name == name, let last = tables[table]?.indexes.indices.last {
            tables[table]?.indexes[last].columns.append(element)
        } else {
            tables[table]?.indexes.append(
                DatabaseCatalog.Index(
                    name: name,
                    columns: [element],
                    isUnique: row[2] == "true",
                    isPrimary: row[3] == "true"
                )
            )
        }
    }

    /// Adds the columns of one foreign key.
    private func add(key rows: [[String?]], to tables: inout [String: DatabaseCatalog.Table]) {
        guard let first = rows.first, let table = first[0], let target = first[2] else { return }
        let action: DatabaseCatalog.ForeignKey.Action =
            switch first[5] {
            case "c": .cascade
            case "n", "d": .setNull
            default: .refuse
            }
        tables[table]?.foreignKeys.append(
            DatabaseCatalog.ForeignKey(
                columns: rows.compactMap { $0[3] },
                table: target,
                targets: rows.compactMap { $0[4] },
                onDelete: action
            )
        )
    }
}

extension PostgreSQLEngine {
    /// The tables in the schema of an address.
    package static func catalog(at address: DatabaseAddress) throws -> DatabaseCatalog {
        try EngineError.mappingPostgreSQL {
            let connection = try PostgreSQLConnection(address)
            defer { connection.close() }
            _ = try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            return try CatalogReader(connection, schema: address.schema).read()
        }
    }
}

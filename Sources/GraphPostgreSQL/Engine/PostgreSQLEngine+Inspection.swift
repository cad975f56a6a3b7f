// Facts about an open store's database, and the findings of a check. Called by the tools.
import GraphEngine
import GraphSQL

extension PostgreSQLEngine: DatabaseEngine {
    package func checkTranslation(of fetch: StoreFetch, columns: ColumnFetch?, isCount: Bool) throws {
        _ = try mapErrors { try requireMap().statement(fetch, columns: columns, isCount: isCount, for: host) }
    }

    package func facts() throws -> DatabaseFacts {
        let schema = configuration.address.schema
        return try mapErrors {
            try requirePool().withConnection { connection in
                let result = try connection.execute(
                    SQLStatement(
                        """
                        \(withHorizon)SELECT split_part(version(), ' on ', 1), \
                        COALESCE((SELECT sum(pg_total_relation_size(c.oid)) FROM pg_catalog.pg_class c \
                        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') \
                        AND (n.nspname = $2 AND c.relname IN (SELECT name FROM \(own.table)) \
                        OR n.nspname = $1 AND c.relname IN ('_store', '_table', '_entity', '_transaction', '_change'))), 0)::int8, \
                        (SELECT count(*) FROM \(own.transaction) AS t, \(own.store) AS s WHERE t.\(isComplete)), \
                        (SELECT COALESCE(sum(count), 0)::bigint FROM \(own.change))
                        """,
                        [.text(schema), .text(existing?.schema ?? schema)]
                    )
                )
                return DatabaseFacts(
                    server: try result.string(0, 0) ?? "",
                    schema: schema,
                    size: Int(try result.integer(1, 0) ?? 0),
                    transactions: Int(try result.integer(2, 0) ?? 0),
                    changes: Int(try result.integer(3, 0) ?? 0)
                )
            }
        }
    }

    package func findings() throws -> [DatabaseFinding] {
        var check = try TableCheck(self)
        return try check.run()
    }
}

// Keeps the check constraints of a store's tables equal to the model's rules. Called when the store is opened for
// writing, and after it was filled with the rows of another one.
import GraphEngine
import GraphSQL

extension PostgreSQLEngine {
    /// Makes the check constraints those of the model.
    ///
    /// Constraints of tables with rows are not validated: rows that break a rule stay. Without the right to change tables, while
    /// others hold them, and while two versions of the store are in use side by side, they stay unchanged.
    func applyRules(_ connection: PostgreSQLConnection) throws {
        guard existing == nil, !configuration.isReadOnly else { return }
        let differences = try ruleDifferences(connection)
        guard !differences.isEmpty, try SideBySide.state(connection, own) == nil else { return }
        do {
            try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            try connection.execute("SET LOCAL lock_timeout = '2s'")
            // Another process may have done it in the meantime.
            try connection.execute("SELECT 1 FROM \(own.store) FOR UPDATE")
            for statement in try ruleDifferences(connection) {
                try connection.execute(SQLStatement(statement), prepares: false)
            }
            try connection.execute("COMMIT")
        } catch let error as PostgreSQLError where !error.endsConnection {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            guard [.notPermitted, .lockTimeout, .readOnly, .deadlock].contains(error.kind) else { throw error }
            // Usual for users with the right to read and write rows only.
            let isUsual = error.kind == .notPermitted || error.kind == .readOnly
            log(
                isUsual ? .debug : .warning,
                "The check constraints of the store could not be changed: \(error.message)."
            )
        }
    }

    /// Makes the check constraints those of the model, after rows of another store were copied.
    func applyRules() throws { try requirePool().withConnection { try applyRules($0) } }

    /// The statements that make the check constraints those of the model.
    private func ruleDifferences(_ connection: PostgreSQLConnection) throws -> [String] {
        // Tables of other programs can be in the same schema.
        let tables = makeSchema([:]).tables.map(\.name)
        let result = try connection.execute(
            SQLStatement(
                "SELECT r.relname::text, c.conname::text FROM pg_class AS r JOIN pg_namespace AS n "
                    + "ON n.oid = r.relnamespace LEFT JOIN pg_constraint AS c ON c.conrelid = r.oid AND c.contype = 'c' "
                    + "AND starts_with(c.conname::text, $2) WHERE n.nspname = $1 AND r.relkind IN ('r', 'p') "
                    + "AND r.relname = ANY($3)",
                [
                    .text(configuration.address.schema), .text(RowRule.prefix),
                    .typed(.list(tables.map(SQLValue.text), .text)),
                ]
            )
        )
        var existing: [String: Set<String>] = [:]
        for row in 0..<result.count {
            existing[try result.string(0, row) ?? "", default: []].formUnion(
                [try result.string(1, row)].compactMap(\.self)
            )
        }
        var statements: [String] = []
        let rulesByTable = Dictionary(grouping: rules, by: \.table)
        for (table, names) in existing.sorted(by: { $0.key < $1.key }) {
            let rules = rulesByTable[table] ?? []
            let place = dialect.table(table)
            for name in names.subtracting(rules.map(\.name)).sorted() {
                statements.append("ALTER TABLE \(place) DROP CONSTRAINT \(dialect.identifier(name))")
            }
            let missing = rules.filter { !names.contains($0.name) }
            guard !missing.isEmpty else { continue }
            let isFilled = try connection.execute("SELECT EXISTS (SELECT 1 FROM \(place))").boolean(0, 0) == true
            for rule in missing {
                let name = dialect.identifier(rule.name)
                statements.append(
                    "ALTER TABLE \(place) ADD CONSTRAINT \(name) CHECK (\(rule.condition))\(isFilled ? " NOT VALID" : "")"
                )
                statements.append(
                    "COMMENT ON CONSTRAINT \(name) ON \(place) IS \(dialect.literal(.text(rule.format)))"
                )
            }
        }
        return statements
    }

    /// The error of the engine for one of the driver.
    func mapped(_ error: PostgreSQLError) -> EngineError {
        if error.state == "23505", error.table == "_transaction" {
            return EngineError(
                .retry,
                "the save has taken so long that others have closed its number in the history",
                reason: error.description,
                remedy: "Nothing was written. Save again."
            )
        }
        if let failure = indexError(error) { return failure }
        guard error.state == "23514", let rule = rules.first(where: { $0.name == error.constraint }) else {
            return EngineError(error)
        }
        return rule.error(error)
    }

    /// Removes the check constraints of a store, for changes of its tables; they are back when it is opened the next time.
    static func dropRules(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        let result = try connection.execute(
            SQLStatement(
                "SELECT r.relname::text, c.conname::text FROM pg_constraint AS c JOIN pg_class AS r ON r.oid = c.conrelid "
                    + "JOIN pg_namespace AS n ON n.oid = r.relnamespace WHERE n.nspname = $1 AND c.contype = 'c' "
                    + "AND starts_with(c.conname::text, $2) AND r.relname IN (SELECT name FROM \(OwnTables(dialect).table)) "
                    + "ORDER BY 1, 2",
                [.text(dialect.schema ?? connection.address.schema), .text(RowRule.prefix)]
            )
        )
        for row in 0..<result.count {
            let (table, name) = (try result.string(0, row) ?? "", try result.string(1, row) ?? "")
            try connection.execute("ALTER TABLE \(dialect.table(table)) DROP CONSTRAINT \(dialect.identifier(name))")
        }
    }
}

// Columns that hold the same values in two types, or that have become required: triggers convert new writes of
// both versions, and existing rows are filled in portions.
import GraphSQL

extension VersionExpansion {
    /// The tables with such columns.
    private func tables(_ plan: ExpansionPlan) -> [String] {
        Set(plan.added.filter { $0.pair != nil }.map(\.table) + plan.required.map(\.table)).sorted()
    }

    private func function(_ table: String) -> String { dialect.table(ModelNaming().limited("_next_keep_\(table)")) }

    /// Functions and triggers that write the column of the other version.
    func triggers(_ plan: ExpansionPlan) -> [String] {
        tables(plan).flatMap { table -> [String] in
            let pairs = plan.added.filter { $0.table == table }.compactMap { column in
                column.pair.map { (new: dialect.identifier(column.name), old: dialect.identifier($0.column), pair: $0) }
            }
            let inserted = pairs.map { new, old, pair in
                "IF NEW.\(new) IS NULL THEN NEW.\(new) := \(pair.forward("NEW.\(old)")); "
                    + "ELSIF NEW.\(old) IS NULL THEN NEW.\(old) := \(pair.backward("NEW.\(new)")); END IF; "
            }
            let updated = pairs.map { new, old, pair in
                "IF NEW.\(old) IS DISTINCT FROM OLD.\(old) THEN NEW.\(new) := \(pair.forward("NEW.\(old)")); "
                    + "ELSIF NEW.\(new) IS DISTINCT FROM OLD.\(new) THEN "
                    + "NEW.\(old) := \(pair.backward("NEW.\(new)")); END IF; "
            }
            let required = plan.required.filter { $0.table == table }.map { _, column, value in
                let name = "NEW.\(dialect.identifier(column))"
                return "IF \(name) IS NULL THEN \(name) := \(value); END IF; "
            }
            let body = """
                BEGIN IF current_setting('managedgraph.fills', TRUE) = 'on' THEN RETURN NEW; END IF; \
                IF TG_OP = 'INSERT' THEN NULL; \(inserted.joined()) ELSE NULL; \(updated.joined()) END IF; \
                \(required.joined()) RETURN NEW; END
                """
            return [
                "CREATE FUNCTION \(function(table))() RETURNS trigger LANGUAGE plpgsql AS \(dialect.literal(.text(body)))",
                "CREATE TRIGGER _next BEFORE INSERT OR UPDATE ON \(dialect.table(table)) FOR EACH ROW "
                    + "EXECUTE FUNCTION \(function(table))()",
            ]
        }
    }

    func triggerRemovals(_ plan: ExpansionPlan) -> [String] {
        tables(plan).flatMap { table in
            ["DROP TRIGGER _next ON \(dialect.table(table))", "DROP FUNCTION \(function(table))()"]
        }
    }

    /// Fills the existing rows, a portion in each transaction.
    ///
    /// Filled rows are skipped, so that an interrupted run can continue.
    func fill(_ plan: ExpansionPlan, _ connection: PostgreSQLConnection) throws {
        let keys = Dictionary(plan.migration.source.tables.map { ($0.name, $0.own.key) }) { first, _ in first }
        for column in plan.added {
            guard let pair = column.pair, let key = keys[column.table] else { continue }
            let (new, old) = (dialect.identifier(column.name), dialect.identifier(pair.column))
            let value = pair.forward(old)
            let condition = "\(new) IS NULL AND \(value) IS NOT NULL"
            try fill(column.table, key, "\(new) = \(value)", where: condition, connection)
        }
        for (table, column, value) in plan.required {
            guard let key = keys[table] else { continue }
            let name = dialect.identifier(column)
            try fill(table, key, "\(name) = \(value)", where: "\(name) IS NULL", connection)
        }
    }

    /// The most passes over the rows of a table; one is enough unless triggers of other programs interfere.
    private static let passes = 5

    /// Fills the rows of a table that fulfil a condition, until there are none.
    private func fill(
        _ table: String,
        _ key: String,
        _ assignment: String,
        where condition: String,
        _ connection: PostgreSQLConnection
    ) throws {
        let (name, key) = (dialect.table(table), dialect.identifier(key))
        for _ in 0..<Self.passes {
            let state = try inTransaction(connection) {
                try connection.execute(
                    "SELECT EXISTS (SELECT 1 FROM \(name) WHERE \(condition)), (SELECT max(\(key)) FROM \(name))"
                )
            }
            guard try state.boolean(0, 0) == true, let greatest = try state.integer(1, 0) else { return }
            // The triggers fill rows that are inserted from now on.
            var last: Int64? = Int64.min
            while let start = last, start < greatest {
                last = try inTransaction(connection) {
                    try fillPortion(name, key, start..<greatest, assignment, where: condition, connection)
                }
            }
        }
        throw MigrationFailure(
            .content,
            reason: "rows of the table \(table) do not keep the values that the second version requires: "
                + "\(assignment). Look for triggers that change them"
        )
    }

    /// Fills the first rows with keys above the lower bound and up to the upper one.
    ///
    /// A row that another transaction is changing is waited for, and is filled if it still fulfils the condition then.
    ///
    /// - Returns: The last of their keys; nil if there are no rows.
    private func fillPortion(
        _ name: String,
        _ key: String,
        _ keys: Range<Int64>,
        _ assignment: String,
        where condition: String,
        _ connection: PostgreSQLConnection
    ) throws -> Int64? {
        let rows = try connection.execute(
            SQLStatement(
                "SELECT max(k) FROM (SELECT \(key) AS k FROM \(name) WHERE \(key) > $1 AND \(key) <= $2 "
                    + "ORDER BY \(key) LIMIT \(portion)) AS _x",
                [.integer(keys.lowerBound), .integer(keys.upperBound)]
            )
        )
        guard let last = try rows.integer(0, 0) else { return nil }
        try connection.execute("SET LOCAL managedgraph.fills = 'on'")
        try connection.execute(
            SQLStatement(
                "UPDATE \(name) SET \(assignment) WHERE \(key) > $1 AND \(key) <= $2 AND (\(condition))",
                [.integer(keys.lowerBound), .integer(last)]
            )
        )
        return last
    }
}

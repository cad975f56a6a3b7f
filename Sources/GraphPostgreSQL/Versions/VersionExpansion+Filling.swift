// Columns that hold the same values in two types, or that have become required: triggers keep new writes of both
// versions, and the rows there are get their values in portions.
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

    /// Fills the rows there are; each portion is a transaction, and filled rows are left out, so that it can go on.
    func fill(_ plan: ExpansionPlan, _ connection: PostgreSQLConnection) throws {
        for column in plan.added {
            guard let pair = column.pair else { continue }
            let (new, old) = (dialect.identifier(column.name), dialect.identifier(pair.column))
            let value = pair.forward(old)
            try fill(column.table, "\(new) = \(value)", where: "\(new) IS NULL AND \(value) IS NOT NULL", connection)
        }
        for (table, column, value) in plan.required {
            let name = dialect.identifier(column)
            try fill(table, "\(name) = \(value)", where: "\(name) IS NULL", connection)
        }
    }

    private func fill(
        _ table: String,
        _ assignment: String,
        where condition: String,
        _ connection: PostgreSQLConnection
    ) throws {
        let name = dialect.table(table)
        var isDone = false
        while !isDone {
            let results = try connection.pipeline(
                [
                    "BEGIN", "SET LOCAL managedgraph.fills = 'on'",
                    "WITH filled AS (UPDATE \(name) SET \(assignment) WHERE ctid = ANY (ARRAY(SELECT ctid FROM \(name) "
                        + "WHERE \(condition) LIMIT \(portion) FOR UPDATE)) RETURNING 1) SELECT count(*) FROM filled",
                    "COMMIT",
                ]
                .map { SQLStatement($0) },
                prepares: false
            )
            isDone = try results[2].integer(0, 0) ?? 0 < Int64(portion)
        }
    }
}

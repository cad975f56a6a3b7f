// Another version of a model over the tables of other programs: the tables stay as they are, and the views are made anew.
import GraphEngine
import GraphSQL

extension SchemaMigration {
    /// Makes the views of the new version.
    ///
    /// - Throws: `MigrationFailure` if the tables do not fit it.
    func replaceViews(
        over schema: String,
        _ found: StoreMetadata,
        _ plan: MigrationPlan,
        _ connection: PostgreSQLConnection
    ) throws {
        let tables = try ExistingTables(schema, connection)
        let problems = tables.problems(plan.destination, destination)
        guard problems.isEmpty else {
            throw MigrationFailure(
                .sourceStore,
                reason:
                    "the new model does not fit the tables of the schema \(schema), which a migration does not change: "
                    + problems.joined(separator: " ")
            )
        }
        for view in plan.source.tables.map(\.name) + plan.source.joinTables.map(\.name) {
            try connection.execute("DROP VIEW \(dialect.table(view))")
        }
        for statement in tables.viewStatements(plan.destination, destination) { try connection.execute(statement) }
        try writeHistory(plan, connection)
        try writeOwnTables(found, plan, connection)
    }
}

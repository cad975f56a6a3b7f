// Migrates a store over the tables of other programs: the tables stay unchanged, and the views are recreated.
import GraphEngine
import GraphSQL

extension SchemaMigration {
    /// Replaces the views by those of the new version, and updates the history and the store's own tables.
    ///
    /// - Throws: `MigrationFailure` if the tables do not fit the new version.
    func replaceViews(
        over schema: String,
        _ metadata: StoreMetadata,
        _ plan: MigrationPlan,
        _ connection: PostgreSQLConnection
    ) throws {
        for statement in try viewStatements(over: schema, plan, connection) { try connection.execute(statement) }
        try writeHistory(plan, connection)
        try writeOwnTables(metadata, plan, connection)
    }

    /// The statements that make the views of the new version in place of those of the old one.
    ///
    /// - Throws: `MigrationFailure` if the tables do not fit the new version.
    func viewStatements(over schema: String, _ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws
        -> [String]
    {
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
        let former = plan.source.tables.map(\.name) + plan.source.joinTables.map(\.name)
        return former.map { "DROP VIEW \(dialect.table($0))" } + tables.viewStatements(plan.destination, destination)
    }
}

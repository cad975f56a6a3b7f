// The foreign keys of a migrated schema. Keys of the old model are dropped unless the new model has the same ones
// between tables that stay; the server checks the others when they are declared again.
import GraphModel
import GraphSQL

extension SchemaMigration {
    /// The statements that drop the references that the new version lacks, and those between tables whose rows move; and
    /// the references that it has to get.
    func referenceChanges(_ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws
        -> (dropped: [String], made: [TableReference])
    {
        let old = TableStatements(model: source, schema: plan.source, hasForeignKeys: true).references
        var newReferences = TableStatements(model: destination, schema: plan.destination, hasForeignKeys: true)
            .references
        let result = try connection.execute(
            SQLStatement(
                "SELECT c.conname::text, r.relname::text, a.attname::text, f.relname::text FROM pg_constraint AS c "
                    + "JOIN pg_class AS r ON r.oid = c.conrelid JOIN pg_class AS f ON f.oid = c.confrelid "
                    + "JOIN pg_namespace AS n ON n.oid = r.relnamespace AND n.oid = f.relnamespace "
                    + "JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attnum = c.conkey[1] "
                    + "WHERE c.contype = 'f' AND n.nspname = $1 AND cardinality(c.conkey) = 1 AND c.conparentid = 0",
                [.text(address.schema)]
            )
        )
        var dropped: [String] = []
        for row in 0..<result.count {
            guard let name = try result.string(0, row), let table = try result.string(1, row),
                let column = try result.string(2, row), let destination = try result.string(3, row),
                let former = old.first(where: {
                    $0.table == table && $0.column == column && $0.destination == destination
                })
            else { continue }
            if let after = after(former, plan), let place = newReferences.firstIndex(of: after) {
                newReferences.remove(at: place)
            } else {
                dropped.append("ALTER TABLE \(dialect.table(table)) DROP CONSTRAINT \(dialect.identifier(name))")
            }
        }
        return (dropped, newReferences)
    }

    /// A reference under the names after the migration; nil if a table is copied or loses rows.
    private func after(_ reference: TableReference, _ plan: MigrationPlan) -> TableReference? {
        var result = reference
        if plan.keptJoins.contains(reference.table) {
            result.table = reference.table
        } else {
            guard let table = altered(reference.table, plan),
                let column = plan.keptColumns[reference.table]?[reference.column]
            else { return nil }
            result.table = table
            result.column = column
        }
        guard let table = altered(reference.destination, plan),
            let key = plan.destination.tables.first(where: { $0.name == table })?.own.key
        else { return nil }
        result.destination = table
        result.key = key
        return result
    }

    /// The new name of a table; nil if the migration copies or drops it, or deletes rows of it.
    private func altered(_ table: String, _ plan: MigrationPlan) -> String? {
        let removed = Set(plan.removedNumbers)
        guard let name = plan.feeds.first(where: { $0.value == table })?.key, plan.paths[name] != .rewritten,
            !plan.source.entities.values.contains(where: { $0.tableName == table && removed.contains($0.number) })
        else { return nil }
        return name
    }
}

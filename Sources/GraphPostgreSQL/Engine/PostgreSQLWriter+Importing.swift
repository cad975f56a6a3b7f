// The store's part of imports: savepoints, queries within the transaction, and indexes for the time of the import. The
// server gives the keys, as other programs insert rows at the same time.
import GraphEngine
import GraphModel
import GraphSQL

extension PostgreSQLWriter: ImportWriteSession {
    package var schema: StoreSchema { get throws { try engine.requireMap().schema } }

    private static var savepoint: String { "_import" }

    package func inSavepoint(_ body: () throws -> Void) throws {
        _ = try run(SQLStatement("SAVEPOINT \(Self.savepoint)"))
        let changes = history.changes.count
        do {
            try body()
        } catch let error as EngineError {
            guard connection?.isInTransaction == true else { throw error }
            _ = try run([
                SQLStatement("ROLLBACK TO SAVEPOINT \(Self.savepoint)"),
                SQLStatement("RELEASE SAVEPOINT \(Self.savepoint)"),
            ])
            history.removeChanges(after: changes)
            guard error.kind == .failed else { throw error }
            // A value that no column can hold, or a constraint that the database has beside the model's.
            throw EngineError(.invalidValue, error.message, reason: error.reason, remedy: error.remedy)
        }
        _ = try run(SQLStatement("RELEASE SAVEPOINT \(Self.savepoint)"))
    }

    package func integers(_ sql: String) throws -> [[Int64?]] {
        try withConnection { connection in
            // The statements contain lists of keys, so no statement text occurs twice.
            let result = try connection.pipeline([SQLStatement(sql)], prepares: false)[0]
            return try (0..<result.count).map { row in
                try (0..<result.columnCount).map { try result.integer($0, row) }
            }
        }
    }

    package func greatestKey(_ tree: TreeLayout) throws -> Int64? { nil }

    package func keepKeys(_ tree: TreeLayout, through key: Int64) throws {}

    // MARK: Looking rows up

    /// Creates an index unless there is one; without the right to do so, rows are found without it.
    package func prepareLookup(layout: EntityLayout, slots: [Int]) throws {
        guard engine.existing == nil else { return }
        let rows = try columns(of: layout)
        let names = slots.compactMap { slot in rows.columns.first { $0.slot == slot }?.name }
        guard names.count == slots.count, try !hasIndex(rows.table.name, names) else { return }
        let dialect = try schema.dialect
        let index = dialect.identifier(Self.lookup(layout.tree))
        do {
            try inSavepoint {
                _ = try run(
                    SQLStatement("CREATE INDEX \(index) ON \(rows.table.name) (\(dialect.identifiers(names)))")
                )
            }
        } catch let error as EngineError where error.kind == .readOnly {
            engine.log(.debug, "Rows are looked up without an index: \(error.message)")
        }
    }

    package func removeLookups() throws {
        guard engine.existing == nil else { return }
        // Checks that are still to be made would keep an index from being dropped.
        var statements = [SQLStatement("SET CONSTRAINTS ALL IMMEDIATE")]
        let dialect = try schema.dialect
        for tree in try engine.requireMap().model.trees {
            statements.append(SQLStatement("DROP INDEX IF EXISTS \(dialect.table(Self.lookup(tree)))"))
        }
        _ = try run(statements)
    }

    private static func lookup(_ tree: TreeLayout) -> String { "_import_\(tree.index)" }

    /// Whether an index of a table begins with these columns, in any order.
    private func hasIndex(_ table: String, _ names: [String]) throws -> Bool {
        let result = try run(
            SQLStatement(
                "SELECT count(*) FROM pg_index AS x WHERE x.indrelid = $1::regclass AND x.indisvalid AND x.indpred IS NULL "
                    + "AND x.indnkeyatts >= $3 AND (SELECT count(*) FROM pg_attribute AS a WHERE a.attrelid = x.indrelid "
                    + "AND a.attname = ANY($2) AND a.attnum = ANY((x.indkey::int2[])[0:$3::int - 1])) = $3",
                [.text(table), .typed(.list(names.map(SQLValue.text), .text)), .integer(Int64(names.count))]
            )
        )
        return try engine.mapErrors { (try result.integer(0, 0) ?? 0) > 0 }
    }
}

// Statements in place of the foreign keys of the standard profile, as distributed databases check no keys at the end of
// a transaction: references to deleted rows become NULL, and new references must lead to rows. Called by
// `write`; the transaction is serializable, so that the results of the checks are still true at the commit.
import GraphEngine
import GraphModel
import GraphSQL

extension PostgreSQLWriter {
    /// Empties the columns that lead to rows about to be deleted, and deletes their pairs.
    func releaseReferences(to deletes: [RowOperation], _ steps: inout [Step]) throws {
        let map = try engine.requireMap()
        let dialect = map.schema.dialect
        for (table, keys) in try keysByTable(deletes).sorted(by: { $0.key < $1.key }) {
            for reference in engine.references where reference.destination == table {
                let (place, column) = (dialect.table(reference.table), dialect.identifier(reference.column))
                let sql =
                    reference.action == "CASCADE"
                    ? "DELETE FROM \(place) AS t WHERE t.\(column) = ANY($1)"
                    : "UPDATE \(place) AS t SET \(column) = NULL WHERE t.\(column) = ANY($1)"
                steps.append(Step(statement: SQLStatement(sql, [.keys(keys)])))
            }
        }
    }

    /// Adds steps, after those that write the rows, that check that new references lead to rows.
    ///
    /// The steps throw `EngineError` of the kind `missingDestination`.
    func checkReferences(of changes: StoreChanges, _ steps: inout [Step]) throws {
        let map = try engine.requireMap()
        let inserted = try keysByTable(changes.inserts).mapValues(Set.init)
        var needed: [String: Set<Int64>] = [:]
        func need(_ key: Int64, _ entity: String?) {
            guard let entity, let table = map.schema.entities[entity]?.tableName,
                inserted[table]?.contains(key) != true
            else { return }
            needed[table, default: []].insert(key)
        }
        for (operations, isInsert) in [(changes.inserts, true), (changes.updates, false)] {
            for operation in operations {
                for column in try columns(of: operation.layout).columns
                where !column.isEntityNumber && (isInsert || operation.slots.contains(column.slot)) {
                    guard case .key(let key) = operation.values[column.slot] else { continue }
                    need(key.primaryKey, operation.layout.destination(column.slot)?.name)
                }
            }
        }
        for operation in changes.joins where operation.isInsert {
            need(operation.source, operation.layout.name)
            need(operation.destination, operation.layout.destination(operation.slot)?.name)
        }
        for operation in changes.owners {
            if let source = operation.source { need(source, operation.layout.name) }
        }
        let dialect = map.schema.dialect
        for table in map.schema.tables {
            guard let keys = needed[table.name] else { continue }
            let sql =
                "SELECT v.k FROM unnest($1) AS v(k) WHERE NOT EXISTS (SELECT 1 FROM \(dialect.table(table.name)) AS t "
                + "WHERE t.\(dialect.identifier(table.own.key)) = v.k) LIMIT 1"
            steps.append(
                Step(statement: SQLStatement(sql, [.keys(keys.sorted())])) { result in
                    guard result.count > 0 else { return }
                    throw Self.missingDestination(table.name, try result.integer(0, 0) ?? 0)
                }
            )
        }
    }

    /// Checks all references of a store that was filled with the rows of another one.
    func checkAllReferences() throws {
        let dialect = try engine.requireMap().schema.dialect
        for reference in engine.references {
            let column = "t.\(dialect.identifier(reference.column))"
            let result = try run(
                SQLStatement(
                    "SELECT \(column) FROM \(dialect.table(reference.table)) AS t WHERE \(column) IS NOT NULL AND NOT EXISTS "
                        + "(SELECT 1 FROM \(dialect.table(reference.destination)) AS d "
                        + "WHERE d.\(dialect.identifier(reference.key)) = \(column)) LIMIT 1"
                )
            )
            guard result.count > 0 else { continue }
            throw Self.missingDestination(reference.destination, try engine.mapErrors { try result.integer(0, 0) ?? 0 })
        }
    }

    private func keysByTable(_ operations: [RowOperation]) throws -> [String: [Int64]] {
        let schema = try engine.requireMap().schema
        return Dictionary(grouping: operations) { schema.entities[$0.layout.name]?.tableName ?? "" }
            .mapValues { $0.map(\.primaryKey) }
    }

    private static func missingDestination(_ table: String, _ key: Int64) -> EngineError {
        EngineError(
            .missingDestination,
            "a reference leads to the row \(key) of \(table), which does not exist",
            remedy: "Refresh the objects, and set the relationship again. Nothing was written."
        )
    }
}

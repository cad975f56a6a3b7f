// The plan and cost of a fetch, from PostgreSQL's EXPLAIN. Called by tools and the studio.
import Foundation
import GraphEngine
import GraphSQL

extension PostgreSQLReader: ExplainingReadSession {
    package func explain(_ fetch: StoreFetch, columns: ColumnFetch?, isCount: Bool) throws -> FetchExplanation {
        let map = try engine.requireMap()
        let statement = try map.statement(fetch, columns: columns, isCount: isCount, for: engine.host)
        let began = ContinuousClock.now
        let rows = try run(statement).count
        let time = (ContinuousClock.now - began).components
        // Without ANALYZE nothing runs again; the plan has the estimates that the server decided by.
        let plan = try run(SQLStatement("EXPLAIN " + statement.text, statement.bindings))
        let lines = try engine.mapErrors { try (0..<plan.count).map { try plan.string(0, $0) ?? "" } }
        var scanned = 0
        for line in lines where line.contains("Seq Scan on") {
            let estimate = line.components(separatedBy: " rows=").last?.prefix { $0.isNumber } ?? ""
            scanned += Int(estimate) ?? 0
        }
        return FetchExplanation(
            statement: statement.text,
            bindings: statement.bindings.map(map.schema.dialect.literal),
            steps: lines,
            rows: rows,
            scannedRows: scanned,
            isSorted: lines.contains { $0.trimmingPrefix { " ->".contains($0) }.hasPrefix("Sort ") },
            seconds: Double(time.seconds) + Double(time.attoseconds) / 1e18
        )
    }
}

extension PostgreSQLReader: InspectingReadSession {
    package func inspect(layout: EntityLayout, primaryKey: Int64) throws -> InspectedRow? {
        let map = try engine.requireMap()
        guard let entity = map.schema.entities[layout.name] else { return nil }
        let dialect = map.schema.dialect
        let sql =
            "SELECT * FROM \(dialect.table(entity.tableName)) WHERE \(dialect.identifier(entity.own.key)) = $1"
        let result = try run(SQLStatement(sql, [.integer(primaryKey)]))
        guard result.count == 1 else { return nil }
        let columns = try engine.mapErrors {
            try result.columnNames.enumerated().map { place, name in
                (name: name, value: "\(SQLValue(typed: try result.value(place, 0)).printed())")
            }
        }
        return InspectedRow(table: entity.tableName, primaryKey: primaryKey, columns: columns)
    }
}

// Reads one row as it is in its table, for tools that show it. Called by the coordinator.
import GraphEngine
import GraphSQL

extension SQLiteReader: InspectingReadSession {
    package func inspect(layout: EntityLayout, primaryKey: Int64) throws -> InspectedRow? {
        guard let table = engine.schema.entities[layout.name]?.tableName else { return nil }
        return try read { connection in
            let sql = "SELECT * FROM \(engine.schema.dialect.identifier(table)) WHERE Z_PK = ?"
            let statement = try connection.prepare(SQLStatement(sql, [.integer(primaryKey)]))
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            let columns = (0..<statement.columnCount).map { column in
                (name: statement.columnName(column), value: statement.value(column).printed())
            }
            return InspectedRow(table: table, primaryKey: primaryKey, columns: columns)
        }
    }
}

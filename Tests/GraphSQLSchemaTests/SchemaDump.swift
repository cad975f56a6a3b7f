// A database's schema as comparable values, read from SQLite.
import GraphEngine
import GraphSQL
import GraphSQLite

struct SchemaDump {
    struct Index: Hashable {
        var table: String
        var columns: [String]
        var isUnique: Bool
    }

    /// Columns with types, in order, by table.
    var tables: [String: [String]] = [:]
    /// Indexes by name; those that SQLite created for a table constraint have generated names.
    var indexes: [String: Index] = [:]
    /// Rows of Z_PRIMARYKEY: number, name, super.
    var entities: [String] = []
    var statements: [String: String] = [:]
    /// SQL of the triggers of derived attributes, by name.
    var triggers: [String: String] = [:]

    init(_ connection: Connection) throws {
        for row in try connection.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'") {
            guard case .text(let table) = row[0], !table.hasPrefix("sqlite_") else { continue }
            if case .text(let sql) = row[1] {
                statements[table] = sql
            }
            tables[table] = try connection.rows("SELECT name, type, pk FROM pragma_table_info(?)", [.text(table)])
                .map { $0.map(text).joined(separator: " ") }
            let list = try connection.rows(
                "SELECT name, \"unique\", origin FROM pragma_index_list(?)",
                [.text(table)]
            )
            for index in list where index[2] != .text("pk") {
                let columns = try connection.rows(
                    "SELECT name, \"desc\" FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno",
                    [index[0]]
                )
                indexes[text(index[0])] = Index(
                    table: table,
                    columns: columns.map { text($0[0]) + ($0[1] == .integer(1) ? " DESC" : "") },
                    isUnique: index[1] == .integer(1)
                )
            }
        }
        for row in try connection.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'") {
            if case .text(let name) = row[0], name.hasPrefix("Z_DA_") { triggers[name] = text(row[1]) }
        }
        entities = try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT")
            .map { $0.map(text).joined(separator: " ") }
    }
}

private func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value
    case .blob(let value): "\(value)"
    case .typed(let value): value.plain.printed()
    }
}

// The whole content of a database, captured before and after a save to check that the save changes nothing else.
import Foundation
import GraphSQL
import GraphSQLite

/// The schema and all rows of a file.
struct FileContent {
    /// The SQL of tables, indexes and triggers, by name.
    let schema: [String: SQLValue]
    /// Rows by table, by row number.
    let rows: [String: [Int64: [SQLValue]]]
    let metadata: [String: Any]
    let uuid: String

    init(_ url: URL) throws {
        let connection = try Connection(path: url.path, mode: .readOnly)
        defer { connection.close() }
        var schema: [String: SQLValue] = [:]
        var rows: [String: [Int64: [SQLValue]]] = [:]
        for row in try connection.rows("SELECT type, name, sql FROM sqlite_master") {
            guard case .text(let type) = row[0], case .text(let name) = row[1] else { continue }
            schema["\(type) \(name)"] = row[2]
            guard type == "table" else { continue }
            for row in try connection.rows("SELECT rowid, * FROM \"\(name)\"") {
                if case .integer(let key) = row[0] { rows[name, default: [:]][key] = Array(row.dropFirst()) }
            }
        }
        let metadata = try StoreFile.readMetadata(connection)
        self.schema = schema
        self.rows = rows
        self.metadata = metadata.values
        uuid = metadata.uuid
    }

    /// The content that differs in a later snapshot, except for rows that were changed on purpose.
    ///
    /// - Parameters:
    ///   - later: The content after the changes.
    ///   - touched: The changed or deleted rows, by table.
    /// - Returns: One sentence for each loss.
    func losses(in later: FileContent, touched: [String: Set<Int64>]) -> [String] {
        var losses: [String] = []
        for (name, sql) in schema where later.schema[name] != sql { losses.append("\(name) was changed") }
        for (key, value) in metadata {
            guard let after = later.metadata[key],
                (value as? NSObject)?.isEqual(after) == true
                    || "\(value)" == "\(after)"
            else {
                losses.append("the metadata \(key) were changed")
                continue
            }
        }
        if uuid != later.uuid { losses.append("the UUID was changed") }
        let own = ["Z_PRIMARYKEY", "Z_METADATA"]
        for (table, rows) in rows where !own.contains(table) {
            // Changed rows add and remove pairs.
            if table.hasPrefix("Z_"), table.dropFirst(2).first?.isNumber == true { continue }
            for (key, row) in rows where touched[table]?.contains(key) != true {
                if later.rows[table]?[key] != row { losses.append("the row \(key) of \(table) was changed") }
            }
        }
        for (key, row) in rows["Z_PRIMARYKEY"] ?? [:] {
            let after = later.rows["Z_PRIMARYKEY"]?[key] ?? []
            guard after.prefix(3) == row.prefix(3), case .integer(let then) = row[3], after.count == 4,
                case .integer(let now) = after[3], now >= then
            else {
                losses.append("Z_PRIMARYKEY lost \(row)")
                continue
            }
        }
        return losses
    }
}

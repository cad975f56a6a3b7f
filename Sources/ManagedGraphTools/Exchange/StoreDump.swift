// Writes the tables of a SQLite store as a script for sqlite3; running the script yields a store that opens. Called by
// `managedgraph store export --format sql`. Values in external files are moved into their rows, as a script has no
// files.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

/// A store as SQL.
package struct StoreDump {
    private let url: URL
    private let snapshotFile: ImmutableSnapshotFile
    private let connection: Connection
    private let files: ExternalFiles
    /// Columns whose values may be in external files, by table, in uppercase.
    private let externalColumns: [String: Set<String>]

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: A model file to try first; it determines which values are in external files.
    /// - Throws: If there is no SQLite store.
    package init(_ url: URL, model: URL? = nil) throws {
        let reading = try StoreReading(url, model: model)
        guard let file = reading.file, let snapshotFile = file.still else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "such a script is made of SQLite's tables, and it is a store of the type \(reading.store.type)",
                remedy: "Export it as JSON lines or CSV; or copy it to a SQLite store first (managedgraph store copy)."
            )
        }
        self.url = url
        self.snapshotFile = snapshotFile
        connection = try CoreDataError.mapping(url) { try snapshotFile.connection() }
        files = ExternalFiles(store: url)
        var columns: [String: Set<String>] = [:]
        for place in file.externalColumns() {
            columns[place.table.uppercased(), default: []].insert(place.column.uppercased())
        }
        externalColumns = columns
    }

    /// Writes the script.
    ///
    /// - Parameters:
    ///   - progress: Called periodically with the number of rows written so far and the total.
    ///   - write: Receives the text.
    /// - Throws: If the file cannot be read, and errors of the closures.
    package func write(_ progress: (Int, Int) throws -> Void, _ write: ([UInt8]) throws -> Void) throws {
        try CoreDataError.mapping(url) {
            let objects = try connection.rows(
                "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type = 'trigger', type = "
                    + "'index', rowid"
            )
            var total = 0
            var tables: [(name: String, sql: String)] = []
            var laterStatements: [String] = []
            let virtual = Set(
                objects.compactMap { row -> String? in
                    guard case .text(let name) = row[1], case .text(let sql) = row[2] else { return nil }
                    return sql.uppercased().hasPrefix("CREATE VIRTUAL TABLE") ? name : nil
                }
            )
            for row in objects {
                guard case .text(let type) = row[0], case .text(let name) = row[1], case .text(let sql) = row[2] else {
                    continue
                }
                if type != "table" {
                    laterStatements.append(sql)
                    continue
                }
                // The tables that implement a virtual table are filled through it.
                if virtual.contains(where: { name != $0 && name.hasPrefix($0 + "_") }) || name.hasPrefix("sqlite_") {
                    continue
                }
                tables.append((name, sql))
                if case .integer(let count)? = try connection.rows("SELECT count(*) FROM \(name.quotedName)")
                    .first?.first
                {
                    total += Int(count)
                }
            }
            try write(Array("PRAGMA auto_vacuum = 2;\nPRAGMA foreign_keys = OFF;\nBEGIN TRANSACTION;\n".utf8))
            var rowsWritten = 0
            for table in tables {
                try write(Array("\(table.sql);\n".utf8))
                try writeRows(of: table.name, write) {
                    rowsWritten += 1
                    if rowsWritten % 500 == 0 { try progress(rowsWritten, total) }
                }
            }
            for sql in laterStatements { try write(Array("\(sql);\n".utf8)) }
            try write(Array("COMMIT;\n".utf8))
            try progress(rowsWritten, total)
        }
    }

    private func writeRows(of table: String, _ write: ([UInt8]) throws -> Void, _ count: () throws -> Void) throws {
        let columns = try connection.columnNames(of: table)
        let external = externalColumns[table.uppercased()] ?? []
        let inFiles = columns.map { external.contains($0.uppercased()) }
        let list = columns.map(\.quotedName).joined(separator: ",")
        let head = "INSERT INTO \(table.quotedName)(\(list)) VALUES("
        let statement = try connection.prepare("SELECT \(list) FROM \(table.quotedName)")
        defer { statement.reset() }
        while try statement.step() {
            var line = Array(head.utf8)
            for column in columns.indices {
                if column > 0 { line.append(UInt8(ascii: ",")) }
                let value = statement.value(column)
                if case .text(let text) = value, text.unicodeScalars.contains("\u{FFFD}"),
                    statement.data(column) != Data(text.utf8)
                {
                    // Preserve the bytes of text that is not valid UTF-8.
                    Self.appendCast(statement.data(column), to: &line)
                } else {
                    Self.append(try self.value(value, isInFile: inFiles[column]), to: &line)
                }
            }
            try write(line + Array(");\n".utf8))
            try count()
        }
    }

    /// A value; if it is stored in an external file, the contents of that file.
    private func value(_ value: SQLValue, isInFile: Bool) throws -> SQLValue {
        guard isInFile, case .blob(let stored) = value, let name = LargeValue.name(in: stored) else { return value }
        guard let data = try files.contents(name) else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "a value is stored in the file \(name) beside it, which is missing",
                remedy: "Put the file back, or export JSON lines, which leave such values out and report them."
            )
        }
        return .blob(LargeValue.inline(data))
    }

    /// A literal that SQLite reads as the same number.
    ///
    /// SQLite may read decimal fractions as a neighboring number; such a number is written as its significand and
    /// powers of two.
    static func literal(_ number: Double) -> String {
        if number.isInfinite { return number < 0 ? "-1e999" : "1e999" }
        // Keep the decimal point: a column without a type would store an integer otherwise.
        if number.rounded() == number, abs(number) < 0x1p53 { return "\(Int64(number)).0" }
        var significand = Int64(number.significandBitPattern) | (number.isNormal ? 1 << 52 : 0)
        var exponent = (number.isNormal ? Int(number.exponent) : -1_022) - 52
        while significand & 1 == 0 {
            significand >>= 1
            exponent += 1
        }
        var result = "(\(number < 0 ? "-" : "")\(significand).0"
        let sign = exponent < 0 ? "/" : "*"
        var rest = abs(exponent)
        while rest > 0 {
            result += "\(sign)\(1 << min(rest, 30)).0"
            rest -= min(rest, 30)
        }
        return result + ")"
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func appendCast(_ bytes: Data, to line: inout [UInt8]) {
        line += "CAST(".utf8
        append(.blob(bytes), to: &line)
        line += " AS TEXT)".utf8
    }

    private static func append(_ value: SQLValue, to line: inout [UInt8]) {
        switch value {
        case .null: line += "NULL".utf8
        case .typed(let value): append(value.plain, to: &line)
        case .integer(.min): line += "(-9223372036854775807-1)".utf8
        case .integer(let number): line += "\(number)".utf8
        case .real(let number):
            line += literal(number).utf8
        case .text(let text):
            // A SQL text ends at a zero byte, and line-based readers strip a carriage return before a newline.
            guard !text.utf8.contains(where: { $0 == 0 || $0 == 0x0D }) else {
                return appendCast(Data(text.utf8), to: &line)
            }
            line.append(UInt8(ascii: "'"))
            for byte in text.utf8 {
                if byte == UInt8(ascii: "'") { line.append(byte) }
                line.append(byte)
            }
            line.append(UInt8(ascii: "'"))
        case .blob(let data):
            line += "X'".utf8
            for byte in data {
                line.append(digits[Int(byte >> 4)])
                line.append(digits[Int(byte & 15)])
            }
            line.append(UInt8(ascii: "'"))
        }
    }
}

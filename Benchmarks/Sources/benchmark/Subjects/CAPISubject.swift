// The yardstick: SQLite's C functions into typed Swift objects, with nothing in between.
import Foundation
import GRDBSQLite

/// The raw C API.
final class CAPISubject: Subject, Client {
    static let name = "c-api"
    static var version: String { String(cString: sqlite3_libversion()) }

    /// One row as an object with typed fields.
    final class Entry {
        let text: String
        let priority: Int16
        let date: Date
        let isDone: Bool
        let amount: Double
        let number: Int64

        init(text: String, priority: Int16, date: Date, isDone: Bool, amount: Double, number: Int64) {
            self.text = text
            self.priority = priority
            self.date = date
            self.isDone = isDone
            self.amount = amount
            self.number = number
        }
    }

    private let database: OpaquePointer
    /// The prepared small fetch.
    private var one: OpaquePointer?

    init(file: URL) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(file.path, &handle) == SQLITE_OK, let handle else {
            throw BenchmarkError("\(file.path) cannot be opened.")
        }
        database = handle
        // Two threads may open the same file at the same moment.
        sqlite3_busy_timeout(database, 5000)
        for text in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", Table.create] { try execute(text) }
    }

    deinit {
        sqlite3_finalize(one)
        sqlite3_close_v2(database)
    }

    /// Makes the objects first, as every subject does, then writes them through one prepared statement.
    func insert(_ rows: [InputRow]) throws {
        let entries = rows.map { row in
            Entry(
                text: row.text,
                priority: row.priority,
                date: row.date,
                isDone: row.isDone,
                amount: row.amount,
                number: row.number
            )
        }
        try write { writer in
            for entry in entries {
                try writer.write(
                    text: entry.text,
                    priority: entry.priority,
                    date: entry.date,
                    isDone: entry.isDone,
                    amount: entry.amount,
                    number: entry.number
                )
            }
        }
    }

    /// Binds the rows as they are, without objects.
    func batchInsert(_ rows: [InputRow]) throws {
        try write { writer in
            for row in rows {
                try writer.write(
                    text: row.text,
                    priority: row.priority,
                    date: row.date,
                    isDone: row.isDone,
                    amount: row.amount,
                    number: row.number
                )
            }
        }
    }

    static func addColumn(to file: URL, default fallback: Int?) throws {
        try CAPISubject(file: file).execute(Table.addColumn(default: fallback))
    }

    func batchUpdate(priority: Int16, amount: Double) throws -> Int {
        let statement = try prepare(Table.update)
        defer { sqlite3_finalize(statement) }
        sqlite3_bind_double(statement, 1, amount)
        sqlite3_bind_int64(statement, 2, Int64(priority))
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
        return Int(sqlite3_changes(database))
    }

    func batchDelete(priority: Int16) throws -> Int {
        let statement = try prepare(Table.delete)
        defer { sqlite3_finalize(statement) }
        sqlite3_bind_int64(statement, 1, Int64(priority))
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
        return Int(sqlite3_changes(database))
    }

    /// A prepared insertion.
    private struct Writer {
        let statement: OpaquePointer
        let failure: () -> BenchmarkError

        @inline(__always)
        func write(text: String, priority: Int16, date: Date, isDone: Bool, amount: Double, number: Int64) throws {
            var text = text
            let code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // The text outlives the step, so SQLite need not copy it.
                    sqlite3_bind_text(statement, 1, characters.baseAddress, Int32(characters.count), nil)
                    sqlite3_bind_int64(statement, 2, Int64(priority))
                    sqlite3_bind_double(statement, 3, date.timeIntervalSinceReferenceDate)
                    sqlite3_bind_int64(statement, 4, isDone ? 1 : 0)
                    sqlite3_bind_double(statement, 5, amount)
                    sqlite3_bind_int64(statement, 6, number)
                    return sqlite3_step(statement)
                }
            }
            guard code == SQLITE_DONE else { throw failure() }
            sqlite3_reset(statement)
        }
    }

    /// Runs `body` in one transaction.
    private func write(_ body: (Writer) throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        let statement = try prepare(Table.insert)
        defer { sqlite3_finalize(statement) }
        try body(Writer(statement: statement, failure: failure))
        try execute("COMMIT")
    }

    func fetch() throws -> Checksum { try read().checksum }

    func hold() throws -> (held: Any, checksum: Checksum) { try read() }

    func fetchOne(_ position: Int) throws -> Checksum {
        let statement = try one ?? prepare(Table.selectOne)
        one = statement
        defer { sqlite3_reset(statement) }
        sqlite3_bind_int64(statement, 1, Table.key(of: position))
        return try read(statement).checksum
    }

    private func read() throws -> (held: [Entry], checksum: Checksum) {
        let statement = try prepare(Table.select)
        defer { sqlite3_finalize(statement) }
        return try read(statement)
    }

    private func read(_ statement: OpaquePointer) throws -> (held: [Entry], checksum: Checksum) {
        var entries: [Entry] = []
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW {
            let bytes = UnsafeBufferPointer(
                start: sqlite3_column_text(statement, 0),
                count: Int(sqlite3_column_bytes(statement, 0))
            )
            entries.append(
                Entry(
                    text: String(decoding: bytes, as: UTF8.self),
                    priority: Int16(truncatingIfNeeded: sqlite3_column_int64(statement, 1)),
                    date: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 2)),
                    isDone: sqlite3_column_int64(statement, 3) != 0,
                    amount: sqlite3_column_double(statement, 4),
                    number: sqlite3_column_int64(statement, 5)
                )
            )
            code = sqlite3_step(statement)
        }
        guard code == SQLITE_DONE else { throw failure() }
        var checksum = Checksum()
        for entry in entries {
            checksum.add(
                text: entry.text,
                priority: entry.priority,
                date: entry.date,
                isDone: entry.isDone,
                amount: entry.amount,
                number: entry.number
            )
        }
        return (entries, checksum)
    }

    private func execute(_ text: String) throws {
        guard sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    private func prepare(_ text: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure()
        }
        return statement
    }

    private func failure() -> BenchmarkError {
        BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(database)))")
    }
}

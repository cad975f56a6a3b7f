// The yardstick's layer: SQLite's C functions behind two final classes that the compiler inlines. Every C entrant uses
// them with cached prepared statements and typed objects of its own.
import Foundation
import GRDBSQLite

/// An open connection.
final class CDatabase {
    static var version: String { String(cString: sqlite3_libversion()) }

    private let handle: OpaquePointer

    init(_ file: URL, synchronous: String = "FULL") throws {
        var opened: OpaquePointer?
        guard sqlite3_open(file.path, &opened) == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw BenchmarkError("\(file.path) cannot be opened.")
        }
        handle = opened
        // Two threads may open the same file concurrently.
        sqlite3_busy_timeout(handle, 5000)
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = \(synchronous)")
    }

    deinit { sqlite3_close_v2(handle) }

    func execute(_ text: String) throws {
        guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    func prepare(_ text: String) throws -> CStatement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure()
        }
        return CStatement(statement, self)
    }

    /// Reads in one transaction, which acquires the locks once.
    func reading<T>(_ body: () throws -> T) throws -> T {
        try execute("BEGIN")
        let result = try body()
        try execute("COMMIT")
        return result
    }

    func transaction<T>(_ body: () throws -> T) throws -> T {
        try execute("BEGIN IMMEDIATE")
        let result = try body()
        try execute("COMMIT")
        return result
    }

    /// The count and the sum in the first two columns of a query's only row.
    func checksum(_ text: String) throws -> Checksum {
        let statement = try prepare(text)
        guard try statement.step() else { throw BenchmarkError("\(text) gives no row.") }
        return Checksum(rows: Int(statement.int(0)), value: UInt64(bitPattern: statement.int(1)))
    }

    func failure() -> BenchmarkError { BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(handle)))") }
}

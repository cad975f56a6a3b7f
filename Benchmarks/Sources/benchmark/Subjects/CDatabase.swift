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

/// A prepared statement.
final class CStatement {
    private let handle: OpaquePointer
    private let database: CDatabase

    init(_ handle: OpaquePointer, _ database: CDatabase) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    @inline(__always)
    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    @inline(__always)
    func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

    /// Binds a text that SQLite copies.
    func bind(_ index: Int32, copying text: String) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(handle, index, text, -1, transient)
    }

    /// Binds a text for the duration of `body`, so that SQLite need not copy it.
    @inline(__always)
    func with<T>(_ index: Int32, _ text: String, _ body: () throws -> T) rethrows -> T {
        var text = text
        return try text.withUTF8 { bytes in
            try bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text(handle, index, characters.baseAddress, Int32(characters.count), nil)
                return try body()
            }
        }
    }

    /// Advances to the next row.
    ///
    /// - Returns: False after the last row.
    @inline(__always)
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw database.failure() }
        return false
    }

    @inline(__always)
    func reset() { sqlite3_reset(handle) }

    /// Binds, executes and resets a statement that returns no rows.
    @inline(__always)
    func run(_ bind: () -> Void) throws {
        bind()
        _ = try step()
        reset()
    }

    @inline(__always)
    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    @inline(__always)
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    @inline(__always)
    func text(_ column: Int32) -> String {
        let bytes = UnsafeBufferPointer(
            start: sqlite3_column_text(handle, column),
            count: Int(sqlite3_column_bytes(handle, column))
        )
        return String(decoding: bytes, as: UTF8.self)
    }
}

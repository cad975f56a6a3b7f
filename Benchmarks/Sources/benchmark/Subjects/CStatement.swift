// A prepared statement of the yardstick's layer, which calls SQLite's C functions.
import Foundation
import GRDBSQLite

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

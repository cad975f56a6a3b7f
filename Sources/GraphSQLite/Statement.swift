// One prepared statement: binding, stepping, resetting. Created by Connection; used only from the connection's queue.
import CSQLite
import Foundation
import GraphEngine
import GraphSQL

/// `SQLITE_TRANSIENT`, which Swift does not import: SQLite copies the bytes before the call returns.
var copiedBySQLite: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

/// A prepared statement.
package final class Statement {
    package let text: String
    let handle: DatabaseHandle
    @exclusivity(unchecked) private(set) var pointer: OpaquePointer?
    package let columnCount: Int
    package let bindingCount: Int
    /// True between the first row and the reset.
    @exclusivity(unchecked) package private(set) var isActive = false
    /// When the connection's cache last used it.
    @exclusivity(unchecked) var lastUse: UInt64 = 0
    @exclusivity(unchecked) private var rowCount = 0
    @exclusivity(unchecked) private var observation: StatementObservation?

    init(_ handle: DatabaseHandle, text: String, isPersistent: Bool) throws {
        let database = try handle.requirePointer(sql: text)
        var pointer: OpaquePointer?
        DatabaseHandle.forgetSystemError()
        let code = sqlite3_prepare_v3(
            database,
            text,
            -1,
            isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0,
            &pointer,
            nil
        )
        guard code == SQLITE_OK else { throw handle.error(code, sql: text) }
        guard let pointer else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "the statement is empty", sql: text)
        }
        self.text = text
        self.handle = handle
        self.pointer = pointer
        columnCount = Int(sqlite3_column_count(pointer))
        bindingCount = Int(sqlite3_bind_parameter_count(pointer))
    }

    deinit {
        finalize()
    }

    /// Finalizes the SQLite statement; later calls throw.
    func finalize() {
        if let pointer {
            sqlite3_finalize(pointer)
        }
        pointer = nil
        isActive = false
    }

    // MARK: Binding (indexes from 1, as in SQL)

    package func bind(_ index: Int, _ value: Int64) throws {
        try check(sqlite3_bind_int64(pointer, Int32(index), value))
        observe(index, .integer(value))
    }

    package func bind(_ index: Int, _ value: Double) throws {
        try check(sqlite3_bind_double(pointer, Int32(index), value))
        observe(index, .real(value))
    }

    package func bind(_ index: Int, _ value: String) throws {
        var copy = value
        let code = copy.withUTF8 { bytes in
            // An empty string's buffer may have a null address, which SQLite would bind as NULL.
            guard let base = bytes.baseAddress else { return sqlite3_bind_text(pointer, Int32(index), "", 0, nil) }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { base in
                sqlite3_bind_text64(
                    pointer,
                    Int32(index),
                    base,
                    UInt64(bytes.count),
                    copiedBySQLite,
                    UInt8(SQLITE_UTF8)
                )
            }
        }
        try check(code)
        observe(index, .text(value))
    }

    /// Binds a text without copying it, valid only while `body` runs the statement.
    ///
    /// The parameter must be bound again before the next run.
    @inline(__always)
    package func withBorrowed(_ value: String, at index: Int, _ body: () throws -> Void) throws {
        // Mostly the text's own bytes are read; `withUTF8` needs a copy of the reference.
        let isBorrowed: Void? = try value.utf8.withContiguousStorageIfAvailable {
            try bindBorrowed($0, value, at: index, body)
        }
        guard isBorrowed == nil else { return }
        var copy = value
        try copy.withUTF8 { try bindBorrowed($0, value, at: index, body) }
    }

    @inline(__always)
    private func bindBorrowed(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ value: String,
        at index: Int,
        _ body: () throws -> Void
    ) throws {
        // An empty string's buffer may have a null address, which SQLite would bind as NULL.
        let code =
            bytes.baseAddress.map { base in
                base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { base in
                    sqlite3_bind_text64(
                        pointer,
                        Int32(index),
                        base,
                        UInt64(bytes.count),
                        nil,
                        UInt8(SQLITE_UTF8)
                    )
                }
            } ?? sqlite3_bind_text(pointer, Int32(index), "", 0, nil)
        try check(code)
        observe(index, .text(value))
        try body()
    }

    /// Binds a text whose bytes stay in their place until the statement has run.
    @inline(__always)
    func bind(_ index: Int, placed bytes: UnsafeBufferPointer<UInt8>) throws {
        guard let base = bytes.baseAddress else { return try bind(index, "") }
        let code = base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { base in
            sqlite3_bind_text64(pointer, Int32(index), base, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
        }
        try check(code)
        observe(index, .text(String(decoding: bytes, as: UTF8.self)))
    }

    package func bind(_ index: Int, _ value: Data) throws {
        let code = value.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_zeroblob(pointer, Int32(index), 0)
            }
            return sqlite3_bind_blob64(pointer, Int32(index), base, UInt64(bytes.count), copiedBySQLite)
        }
        try check(code)
        observe(index, .blob(value))
    }

    package func bindNull(_ index: Int) throws {
        try check(sqlite3_bind_null(pointer, Int32(index)))
        observe(index, .null)
    }

    package func bind(_ index: Int, _ value: SQLValue) throws {
        switch value {
        case .null: try bindNull(index)
        case .integer(let value): try bind(index, value)
        case .real(let value): try bind(index, value)
        case .text(let value): try bind(index, value)
        case .blob(let value): try bind(index, value)
        case .typed(let value): try bind(index, value.plain)
        }
    }

    /// Binds all values in order, starting at parameter 1.
    package func bind(_ values: [SQLValue]) throws {
        guard values.count == bindingCount else {
            throw SQLiteError(
                code: SQLITE_MISUSE,
                message: "\(values.count) values for a statement with \(bindingCount) marks",
                sql: text
            )
        }
        for (offset, value) in values.enumerated() {
            try bind(offset + 1, value)
        }
    }

    // MARK: Running

    /// Moves to the next row; false at the end, after which the statement is reset.
    package func step() throws -> Bool {
        if handle.isObserved { noteStart() }
        if !isActive { DatabaseHandle.forgetSystemError() }
        let code = sqlite3_step(pointer)
        switch code {
        case SQLITE_ROW:
            isActive = true
            rowCount += 1
            observation?.keep((0..<columnCount).map(value), most: handle.observedRows)
            return true
        case SQLITE_DONE:
            handle.countStatement()
            isActive = false
            reset()
            return false
        default:
            throw failure(code)
        }
    }

    /// Runs to the end, ignoring rows.
    package func run() throws {
        while try step() {}
    }

    /// Makes the statement ready for the next run; bindings stay.
    package func reset() {
        sqlite3_reset(pointer)
        // The statement was abandoned before its last row.
        if isActive { handle.countStatement() }
        handle.countRows(rowCount)
        isActive = false
        if observation != nil { reportRun() }
        rowCount = 0
    }

    /// Sets all bindings to NULL, so that a cached statement does not keep large values alive.
    package func clearBindings() {
        sqlite3_clear_bindings(pointer)
        observation?.clearBindings()
    }

    /// Returns the error of a failed step and resets the statement.
    func failure(_ code: Int32) -> SQLiteError {
        let error =
            pointer == nil
            ? SQLiteError(code: SQLITE_MISUSE, message: "the statement is finalized", sql: text)
            : handle.error(code, sql: text)
        reset()
        return error
    }

    /// Counts rows that a batch consumed.
    func noteRows(_ count: Int) {
        rowCount += count
        isActive = true
    }

    /// Keeps the first rows of a batch for the observer.
    func noteValues(_ batch: RowBatch) {
        guard let observation else { return }
        for row in 0..<min(batch.count, observation.room(handle.observedRows)) {
            observation.keep(batch.kinds.indices.map { SQLValue(batch.value($0, row)) }, most: handle.observedRows)
        }
    }

    /// Starts timing a run for the observer.
    func noteStart() {
        guard handle.isObserved else { return }
        madeObservation().start()
    }

    private func madeObservation() -> StatementObservation {
        if let observation { return observation }
        let newObservation = StatementObservation()
        observation = newObservation
        return newObservation
    }

    @inline(__always)
    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw bindingFailure(code) }
    }

    @inline(never)
    private func bindingFailure(_ code: Int32) -> SQLiteError {
        pointer == nil
            ? SQLiteError(code: SQLITE_MISUSE, message: "the statement is finalized", sql: text)
            : handle.error(code, sql: text)
    }

    @inline(__always)
    private func observe(_ index: Int, _ value: @autoclosure () -> SQLValue) {
        if handle.isObserved { madeObservation().bound(index, value()) }
    }

    private func reportRun() {
        if let event = observation?.end(text, rows: rowCount) { handle.report(event) }
        // Keep no values once the observation has ended.
        if !handle.isObserved { observation = nil }
    }
}

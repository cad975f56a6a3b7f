// The open sqlite3 handle, shared by a connection and its statements, so that a statement which outlives its connection
// is harmless. Called only by Connection and Statement.
import CSQLite
import GraphSQL
import Synchronization

/// Owns an `sqlite3 *`.
@usableFromInline
final class DatabaseHandle {
    /// Nil once closed.
    @usableFromInline
    @exclusivity(unchecked) private(set) var pointer: OpaquePointer?
    var observer: ((StatementEvent) -> Void)? { didSet { isObserved = observer != nil } }
    /// Whether there is an observer; asked for each value that is bound.
    @exclusivity(unchecked) private(set) var isObserved = false
    /// Whether running statements are to go on; nil where nobody asks.
    var isWanted: (() -> Bool)?
    /// How many rows of a run the observer is shown.
    var observedRows = 0
    /// Statements run, and rows they gave: counted by the one thread that uses the connection, read by any.
    let statementsRun = Atomic<Int>(0)
    let rowsRead = Atomic<Int>(0)

    /// Counts without the cost of an addition that others could be part of.
    @inline(__always)
    func countStatement() {
        statementsRun.store(statementsRun.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    @inline(__always)
    func countRows(_ count: Int) {
        rowsRead.store(rowsRead.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        close()
    }

    /// Closes the file; statements still alive keep SQLite's side of it until they go.
    func close() {
        if let pointer {
            sqlite3_close_v2(pointer)
        }
        pointer = nil
    }

    func requirePointer(sql: String? = nil) throws -> OpaquePointer {
        guard let pointer else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed", sql: sql)
        }
        return pointer
    }

    /// The error that the last call left, under `code`.
    func error(_ code: Int32, sql: String?) -> SQLiteError {
        guard let pointer else {
            return SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed", sql: sql)
        }
        let extended = sqlite3_extended_errcode(pointer)
        let matches = extended & 0xFF == code & 0xFF
        let message = matches ? String(cString: sqlite3_errmsg(pointer)) : String(cString: sqlite3_errstr(code))
        return SQLiteError(code: code, extendedCode: matches ? extended : code, message: message, sql: sql)
    }
}

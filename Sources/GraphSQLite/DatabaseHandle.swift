// The open sqlite3 handle, shared by a connection and its statements, so that a statement may safely outlive its
// connection. Used only by Connection and Statement.
import CSQLite
import Foundation
import GraphEngine
import GraphSQL
import Synchronization

/// Owns an `sqlite3 *`.
@usableFromInline
final class DatabaseHandle {
    /// Nil once closed.
    @usableFromInline
    @exclusivity(unchecked) private(set) var pointer: OpaquePointer?
    var observer: ((StatementEvent) -> Void)? { didSet { isObserved = observer != nil || isMonitored } }
    /// The monitor of the store that uses the connection.
    var monitor: StatementMonitor?
    /// Whether the monitor was on when the connection was last leased.
    @exclusivity(unchecked) var isMonitored = false { didSet { isObserved = observer != nil || isMonitored } }
    /// Whether there is an observer, or the monitor is on; checked for each bound value.
    @exclusivity(unchecked) private(set) var isObserved = false
    /// Returns whether running statements should continue; nil if they are never cancelled.
    var isWanted: (() -> Bool)?
    /// The number of rows of each run passed to the observer.
    var observedRows = 0
    /// Whether a transaction is open because its rollback has failed.
    var isRollbackDue = false
    /// When the next checkpoint is due.
    @exclusivity(unchecked) var checkpoints = CheckpointSchedule()
    /// The bytes that the rows of one result may take.
    var resultLimit = ResultMemory.limit
    /// The memory in which the next result is decoded; nil while one is being decoded.
    @exclusivity(unchecked) var scratch: RowScratch? = RowScratch()
    /// Statements run and rows returned: written only by the thread that uses the connection, read by any thread.
    let statementsRun = Atomic<Int>(0)
    let rowsRead = Atomic<Int>(0)

    /// SQLite's instructions after which the length of a run is examined, if it is limited.
    static let instructionsOfPortion = 1_000_000
    /// The most portions of one run.
    private static let portionsOfRun = 300
    /// The runs completed when the latest portion ended, and the portions since then.
    private var portions = (run: -1, count: 0)

    /// Whether the current run has taken more than its portions; called once for each.
    func exceedsRunLimit() -> Bool {
        let run = statementsRun.load(ordering: .relaxed)
        portions = (run, portions.run == run ? portions.count + 1 : 1)
        return portions.count > Self.portionsOfRun
    }

    /// Increments without an atomic read-modify-write, because only one thread writes.
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

    /// Reports a run to the observer and the monitor.
    func report(_ event: StatementEvent) {
        observer?(event)
        if isMonitored { monitor?.record(event) }
    }

    deinit {
        close()
    }

    /// Closes the file; SQLite keeps its state until the last statement is finalized.
    func close() {
        if let pointer {
            sqlite3_wal_hook(pointer, nil, nil)
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

    /// Forgets the errors of earlier system calls; called before a statement reads, for `error`.
    @inline(__always)
    static func forgetSystemError() { errno = 0 }

    /// The error of the last SQLite call, which returned `code`.
    func error(_ code: Int32, sql: String?) -> SQLiteError {
        let cause = errno
        if code & 0xFF == SQLITE_CORRUPT, cause == EIO || cause == ENXIO {
            // A statement reports a page that the disk did not deliver as damage of the file.
            return SQLiteError(
                code: SQLITE_IOERR,
                extendedCode: SQLITE_IOERR | (33 << 8),
                message: "disk I/O error: \(String(cString: strerror(cause)))",
                sql: sql
            )
        }
        guard let pointer else {
            return SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed", sql: sql)
        }
        let extended = sqlite3_extended_errcode(pointer)
        let matches = extended & 0xFF == code & 0xFF
        let message = matches ? String(cString: sqlite3_errmsg(pointer)) : String(cString: sqlite3_errstr(code))
        return SQLiteError(code: code, extendedCode: matches ? extended : code, message: message, sql: sql)
    }
}

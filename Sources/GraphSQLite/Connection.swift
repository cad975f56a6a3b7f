// One connection to one SQLite file: opening, statements by text, transactions. Called by the SQLite store.
// It is used from one queue at a time and does not depend on entities.
import CSQLite
import Foundation
import GraphArchives
import GraphSQL

/// A connection to an SQLite database.
package final class Connection {
    package let path: String
    package let mode: OpenMode
    let busyTimeout: Int32
    let handle: DatabaseHandle
    /// The identity of the open file; nil for an in-memory database.
    private let file: FileIdentity?
    private var cache: [String: Statement] = [:]
    /// The latest statements from the cache: texts are the same string most times, and comparing one with itself costs
    /// less than hashing it.
    @exclusivity(unchecked) private var recent: (Statement?, Statement?) = (nil, nil)
    @exclusivity(unchecked) private var useCount: UInt64 = 0
    /// The maximum number of prepared statements kept; the least recently used is evicted first.
    private let cacheLimit = 256
    /// Whether the page cache is SQLite's, and may grow.
    @exclusivity(unchecked) var hasSmallCache = false

    /// Opens a file, or a private database in memory for `:memory:`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mode: Whether the file is opened for writing and created if missing.
    ///   - busyTimeout: Milliseconds to wait for another writer.
    /// - Throws: `SQLiteError`.
    package init(path: String, mode: OpenMode = .readWrite, busyTimeout: Int32 = 5_000) throws {
        var pointer: OpaquePointer?
        let name =
            switch mode {
            case .immutable: Connection.uri(path, "immutable=1")
            case .sharedMemory: Connection.uri(ofSharedMemory: path)
            case .readOnly, .readWrite, .create, .privateMemory: path
            }
        let code = sqlite3_open_v2(name, &pointer, mode.flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let pointer else {
            var error = SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)))
            if let pointer {
                error.message = String(cString: sqlite3_errmsg(pointer))
                error.extendedCode = sqlite3_extended_errcode(pointer)
                sqlite3_close_v2(pointer)
            }
            error.message += ": \(path)"
            throw error
        }
        // SQLite opens a file for reading only if opening it for writing fails, for whatever reason. Were that reason
        // gone a moment later, the connection would still refuse all writing.
        if mode == .readWrite || mode == .create, sqlite3_db_readonly(pointer, "main") == 1, access(path, W_OK) == 0 {
            sqlite3_close_v2(pointer)
            throw SQLiteError(
                code: SQLITE_CANTOPEN,
                message: "the file could be opened for reading only, although it can be written: \(path)"
            )
        }
        self.path = path
        self.mode = mode
        self.busyTimeout = busyTimeout
        handle = DatabaseHandle(pointer)
        file = FileIdentity(path)
        if let monitor = StatementMonitor.ofNewConnections { attach(monitor) }
        if let file { DatabaseFiles.begin(file) }
        _ = graph_sqlite3_refuse_views(pointer)
        sqlite3_extended_result_codes(pointer, 1)
        sqlite3_busy_timeout(pointer, busyTimeout)
        if mode == .readWrite || mode == .create { handle.scheduleCheckpoints() }
    }

    deinit {
        close()
    }

    /// Finalizes all statements and closes the file; later calls throw.
    package func close() {
        for statement in cache.values {
            statement.finalize()
        }
        cache = [:]
        recent = (nil, nil)
        if isClosed { return }
        handle.close()
        if let file { DatabaseFiles.end(file) }
    }

    package var isClosed: Bool { handle.pointer == nil }

    /// The bytes that the rows of one result may take; a larger result is an error.
    package var resultLimit: Int {
        get { handle.resultLimit }
        set { handle.resultLimit = newValue }
    }

    /// Called after each run of each statement; nil costs nothing.
    package var observer: ((StatementEvent) -> Void)? {
        get { handle.observer }
        set { handle.observer = newValue }
    }

    /// Whether the monitor is to record statements; set when the connection is leased.
    var isMonitored: Bool {
        get { handle.isMonitored }
        set { if handle.isMonitored != newValue { handle.isMonitored = newValue } }
    }

    /// Makes a monitor record the statements of this connection; nil for none.
    func attach(_ monitor: StatementMonitor?) {
        handle.monitor = monitor
        handle.isMonitored = monitor?.isOn == true
    }

    /// The number of rows of each run passed to the observer; 0 by default.
    package var observedRows: Int {
        get { handle.observedRows }
        set { handle.observedRows = newValue }
    }

    /// Statements run so far.
    package var statementsRun: Int { handle.statementsRun.load(ordering: .relaxed) }
    /// Rows read so far.
    package var rowsRead: Int { handle.rowsRead.load(ordering: .relaxed) }

    /// The statement with this text, prepared once and cached.
    ///
    /// If the cached statement still has rows to return, the caller gets a separate one.
    /// Bind and step it before preparing the same text again.
    package func prepare(_ sql: String) throws -> Statement {
        useCount &+= 1
        if let statement = recent.0, statement.text == sql, !statement.isActive {
            statement.lastUse = useCount
            return statement
        }
        if let statement = recent.1, statement.text == sql, !statement.isActive {
            statement.lastUse = useCount
            recent = (statement, recent.0)
            return statement
        }
        if let statement = cache[sql] {
            if statement.isActive {
                return try Statement(handle, text: sql, isPersistent: false)
            }
            statement.lastUse = useCount
            recent = (statement, recent.0)
            return statement
        }
        let statement = try Statement(handle, text: sql, isPersistent: true)
        statement.lastUse = useCount
        if cache.count >= cacheLimit {
            if let oldest = cache.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                cache[oldest.key] = nil
                recent = (nil, nil)
            }
        }
        cache[sql] = statement
        return statement
    }

    /// Prepares a statement and binds its values.
    package func prepare(_ statement: SQLStatement) throws -> Statement {
        let prepared = try prepare(statement.text)
        try prepared.bind(statement.bindings)
        return prepared
    }

    /// Runs a script of any number of statements, ignoring their rows.
    package func execute(_ sql: String) throws {
        let pointer = try handle.requirePointer(sql: sql)
        let clock = ContinuousClock()
        let start = handle.isObserved ? clock.now : nil
        DatabaseHandle.forgetSystemError()
        let code = sqlite3_exec(pointer, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw handle.error(code, sql: sql) }
        handle.countStatement()
        if let start {
            handle.report(
                StatementEvent(text: sql, bindings: [], rows: 0, duration: clock.now - start, began: start)
            )
        }
    }

    /// Runs one statement to its end with these values.
    package func run(_ sql: String, _ bindings: [SQLValue] = []) throws {
        let statement = try prepare(sql)
        try statement.bind(bindings)
        try statement.run()
    }

    /// The rows of one statement as values; for small results.
    package func rows(_ sql: String, _ bindings: [SQLValue] = []) throws -> [[SQLValue]] {
        let statement = try prepare(sql)
        defer { statement.reset() }
        try statement.bind(bindings)
        var rows: [[SQLValue]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.value($0) })
        }
        return rows
    }

    /// The names of a table's columns in order; empty if the table does not exist.
    package func columnNames(of table: String) throws -> [String] {
        try rows("SELECT name FROM pragma_table_info(?) ORDER BY cid", [.text(table)]).compactMap { row in
            if case .text(let name)? = row.first { name } else { nil }
        }
    }

    package var lastInsertRowID: Int64 { handle.pointer.map(sqlite3_last_insert_rowid) ?? 0 }
    /// Rows that the last statement changed.
    package var changes: Int { handle.pointer.map { Int(sqlite3_changes($0)) } ?? 0 }
    package var totalChanges: Int { handle.pointer.map { Int(sqlite3_total_changes($0)) } ?? 0 }
    package var isInTransaction: Bool { handle.pointer.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Whether the file has been moved from its original path.
    package var hasFileMoved: Bool {
        guard let pointer = handle.pointer else { return false }
        var moved: Int32 = 0
        return sqlite3_file_control(pointer, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    /// A number that changes whenever any connection, including this one, writes to the file; current inside a
    /// transaction.
    package var dataVersion: UInt32? {
        guard let pointer = handle.pointer else { return nil }
        var version: UInt32 = 0
        let code = sqlite3_file_control(pointer, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return code == SQLITE_OK ? version : nil
    }

    /// Pages this connection has written to the file or its log since it was opened.
    ///
    /// O(1), without a system call.
    package var writtenPages: Int {
        guard let pointer = handle.pointer else { return 0 }
        var current: Int32 = 0
        var highest: Int32 = 0
        let code = sqlite3_db_status(pointer, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
        return code == SQLITE_OK ? Int(current) : 0
    }

    /// Makes a running statement of this connection fail with `interrupted`.
    package func interrupt() {
        if let pointer = handle.pointer {
            sqlite3_interrupt(pointer)
        }
    }

    /// The URI of a shared in-memory database; one whose name begins with a slash is shared by the whole process.
    static func uri(ofSharedMemory name: String) -> String { uri("/" + name, "vfs=memdb") }

    /// A path as a URI with parameters; characters with a special meaning in URIs are escaped.
    private static func uri(_ path: String, _ parameters: String) -> String {
        // Two slashes begin the name of a host, which is empty if a third one follows them.
        var uri = path.hasPrefix("//") ? "file://" : "file:"
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"), 0x80...:
                uri += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            default:
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return uri + "?" + parameters
    }
}

// SQLite's counters of a running statement. For explaining a fetch.
import CSQLite

extension Statement {
    /// SQLite's counters of the work of a statement.
    package struct Counters: Sendable {
        /// Rows visited in full table scans.
        package var scannedRows: Int
        /// Sorts done without an index.
        package var sorts: Int
        /// Rows inserted into indexes that SQLite created for this run.
        package var automaticIndexRows: Int
    }

    /// The counters since they were last reset.
    package var counters: Counters {
        Counters(
            scannedRows: Int(sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0)),
            sorts: Int(sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_SORT, 0)),
            automaticIndexRows: Int(sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_AUTOINDEX, 0))
        )
    }

    /// Sets the counters to zero.
    package func resetCounters() {
        for counter in [SQLITE_STMTSTATUS_FULLSCAN_STEP, SQLITE_STMTSTATUS_SORT, SQLITE_STMTSTATUS_AUTOINDEX] {
            sqlite3_stmt_status(pointer, counter, 1)
        }
    }
}

// What SQLite counts while a statement runs. For explaining a fetch.
import CSQLite

extension Statement {
    /// How a statement has found its rows.
    package struct Counters: Sendable {
        /// Rows stepped over in tables that were read from one end to the other.
        package var scannedRows: Int
        /// Sorts that no index spared.
        package var sorts: Int
        /// Rows put into indexes that SQLite made for this run.
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

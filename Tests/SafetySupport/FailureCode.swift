// Codes that FaultyDisk returns.
import CSQLite

/// SQLite's codes of failing calls: macros that Swift does not import.
enum FailureCode {
    static let read = SQLITE_IOERR | (1 << 8)
    static let write = SQLITE_IOERR | (3 << 8)
    static let fsync = SQLITE_IOERR | (4 << 8)
    static let truncate = SQLITE_IOERR | (6 << 8)
    static let fstat = SQLITE_IOERR | (7 << 8)
    static let delete = SQLITE_IOERR | (10 << 8)
    static let shmMap = SQLITE_IOERR | (21 << 8)
}

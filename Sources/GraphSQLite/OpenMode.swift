import CSQLite

/// How a file is opened.
package enum OpenMode: Sendable {
    case readOnly
    /// Read-only, promising that nobody writes meanwhile: no lock, no `-wal` and no `-shm` is touched or made.
    case immutable
    case readWrite
    /// Read-write; the file is made where there is none.
    case create
    /// A database in the process's memory that all connections with its name share.
    case sharedMemory

    var flags: Int32 {
        switch self {
        case .readOnly: SQLITE_OPEN_READONLY
        case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        case .readWrite: SQLITE_OPEN_READWRITE
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .sharedMemory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
        }
    }
}

import CSQLite

/// The way in which a file is opened.
package enum OpenMode: Sendable {
    case readOnly
    /// Read-only, promising that the file is not written meanwhile: no lock, `-wal` or `-shm` is touched or created.
    case immutable
    case readWrite
    /// Read-write; creates the file if it does not exist.
    case create
    /// A private in-memory database, whose statements may name other databases by URI.
    case privateMemory
    /// An in-memory database shared by all of the process's connections with its name.
    case sharedMemory

    var flags: Int32 {
        switch self {
        case .readOnly: SQLITE_OPEN_READONLY
        case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        case .readWrite: SQLITE_OPEN_READWRITE
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .privateMemory, .sharedMemory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
        }
    }
}

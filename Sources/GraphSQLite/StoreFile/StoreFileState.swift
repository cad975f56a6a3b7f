/// The state of the file at a store's path.
import GraphEngine

package enum StoreFileState: Sendable {
    /// No file; a store can be created.
    case missing
    /// A file of zero bytes; a store can be created in it.
    case empty
    /// A database without tables, as a destroyed store leaves it; a store can be created in it.
    case vacant
    case store(StoreMetadata)
    /// A file of another kind: a text, a picture, another program's database. The reason names the kind and a remedy.
    case foreign(reason: String)
    /// An SQLite database that cannot be read. The reason names the problem and a remedy.
    case damaged(reason: String)

    /// Whether a store can be created in the file that is there.
    package var isVacant: Bool {
        switch self {
        case .empty, .vacant: true
        default: false
        }
    }

    /// The error for a path that holds no store; nil for a store or a missing file.
    package func error(path: String) -> StoreFileError? {
        switch self {
        case .missing, .store: nil
        case .empty:
            StoreFileError(
                kind: .empty,
                path: path,
                reason: "The file is empty. Add it to a coordinator, and a new store is made in it."
            )
        case .vacant:
            StoreFileError(
                kind: .empty,
                path: path,
                reason:
                    "The store was destroyed: the database has no tables. Add it to a coordinator, and a new store is "
                    + "made in it."
            )
        case .foreign(let reason): StoreFileError(kind: .foreign, path: path, reason: reason)
        case .damaged(let reason): StoreFileError(kind: .damaged, path: path, reason: reason)
        }
    }
}

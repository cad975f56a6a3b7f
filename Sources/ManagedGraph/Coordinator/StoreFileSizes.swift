// The sizes of a store's files. Read by NSPersistentStore.fileSizes.
import Foundation

/// The sizes of the files of a store, in bytes.
public struct StoreFileSizes: Sendable, Hashable {
    /// The store's file.
    public let main: Int
    /// The write-ahead log (`-wal`) of a SQLite store; 0 without one.
    public let log: Int

    /// The sum.
    public var total: Int { main + log }
}

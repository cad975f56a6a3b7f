// The settings for opening an SQLite store, as values. Built by the persistent store from its options.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphSQL

/// The settings for opening an SQLite store.
package struct SQLiteConfiguration {
    package var isInMemory = false
    /// The name by which all engines of the process share one in-memory store.
    package var sharedName: String?
    package var isReadOnly = false
    /// Those of the store's files, and of the folder of its large values.
    package var permissions = FilePermissions.usual
    /// Milliseconds to wait for other users of the file.
    package var busyTimeout: Int32 = 5_000
    /// Pragmas of the connection that writes, and of those that read.
    package var pragmas: [String: String] = [:]
    package var readerPragmas: [String: String] = [:]
    /// The number of idle readers kept open.
    package var readers = 2
    /// Whether one connection locks all others out of the file.
    package var locksExclusively = false
    /// Whether a history is kept; nil if the file decides, false for a store type without history.
    package var tracksHistory: Bool? = false
    package var watchesChanges = false
    package var vacuums = false
    package var analyzes = false
    /// Whether rows have the model's uniqueness constraints.
    package var hasConstraints = true
    /// The store type in new metadata.
    package var storeType = ""
    /// A snapshot of the file provided by a checker.
    package var givenStill: ImmutableSnapshotFile?
    /// Observes the statements of each connection; nil for none.
    package var observe: (@Sendable (Connection) -> Void)?
    /// Records statements whenever it is on; nil for none.
    package var monitor: StatementMonitor?
    /// The required content of the store.
    package var contract: StoreContract

    package init(_ contract: StoreContract) { self.contract = contract }

    /// The snapshot from which a store on read-only media is read; nil for a file that is opened as usual.
    func snapshotFile(_ path: String) throws -> ImmutableSnapshotFile? {
        guard isReadOnly else { return nil }
        if let givenStill { return givenStill }
        return ImmutableSnapshotFile.canWriteBeside(path) ? nil : try ImmutableSnapshotFile(path)
    }
}

// How a SQLite store is to be opened, as values. Made by the store's face from its options.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// How a SQLite store is opened.
package struct SQLiteConfiguration {
    package var isInMemory = false
    /// The name under which all engines of the process share one store in memory.
    package var sharedName: String?
    package var isReadOnly = false
    /// Milliseconds to wait for other users of the file.
    package var busyTimeout: Int32 = 5_000
    /// Pragmas of the connection that writes, and of those that read.
    package var pragmas: [String: String] = [:]
    package var readerPragmas: [String: String] = [:]
    /// How many idle readers stay open.
    package var readers = 2
    /// Whether one connection is to keep all others out of the file.
    package var locksExclusively = false
    /// Whether a history is kept; nil if the file decides, false for a kind of store that has none.
    package var tracksHistory: Bool? = false
    package var watchesChanges = false
    package var vacuums = false
    package var analyzes = false
    /// Whether rows have the model's uniqueness constraints.
    package var hasConstraints = true
    /// What new metadata call the kind of store.
    package var storeType = ""
    /// The file as a checker reads it.
    package var givenStill: ImmutableSnapshotFile?
    /// Observes the statements of each connection; nil if nothing does.
    package var observe: (@Sendable (Connection) -> Void)?
    /// What the store is to hold.
    package var contract: Contract

    /// What a store holds if it is of the model that it is opened with.
    package struct Contract {
        /// The part of the model that the store has.
        package var model: Model
        /// The metadata of a new store.
        package var metadata: StoreMetadata
        /// The model as a new store keeps it.
        package var modelCache: () -> Data?
        /// The check of fetches against the whole model.
        package var checker: FetchChecker?
        /// Whether the model has a property of an entity that no table holds.
        package var isUnstored: @Sendable (_ entity: String, _ property: String) -> Bool

        package init(
            model: Model,
            metadata: StoreMetadata,
            modelCache: @escaping () -> Data? = { nil },
            checker: FetchChecker? = nil,
            isUnstored: @escaping @Sendable (_ entity: String, _ property: String) -> Bool = { _, _ in false }
        ) {
            self.model = model
            self.metadata = metadata
            self.modelCache = modelCache
            self.checker = checker
            self.isUnstored = isUnstored
        }
    }

    package init(_ contract: Contract) { self.contract = contract }

    /// The file as it is read on media that cannot be written; nil for a file that is opened as usual.
    func snapshotFile(_ path: String) throws -> ImmutableSnapshotFile? {
        guard isReadOnly else { return nil }
        if let givenStill { return givenStill }
        return ImmutableSnapshotFile.canWriteBeside(path) ? nil : try ImmutableSnapshotFile(path)
    }
}

// What a SQLite engine asks of the store's face, beyond what all engines ask. Implemented by SQLiteStore.
import GraphEngine

/// The face of a SQLite store, as its engine knows it.
package protocol SQLiteHost: EngineHost {
    /// Migrates a file of another version if the store's options say so.
    func admit(_ metadata: StoreMetadata) throws -> Admission
    /// Refuses metadata of another version than the model's.
    func check(_ metadata: StoreMetadata) throws
    /// Makes the folder of a new file.
    func makeFolder() throws
    /// The metadata were read from the file.
    func adopt(_ metadata: StoreMetadata)
    /// The metadata that a user has set since they were last taken; nil for none.
    func takeChangedMetadata() -> [String: Any]?
    /// A transaction that took changed metadata was rolled back: they are changed still.
    func keepChangedMetadata()
    /// Somebody has written to the store; the number of the history's newest transaction, if it has one.
    func storeDidChange(_ transaction: Int64?)
}

/// What became of a file of another version.
package enum Admission { case untouched, migrated }

extension SQLiteHost {
    package func admit(_ metadata: StoreMetadata) throws -> Admission { .untouched }
    package func check(_ metadata: StoreMetadata) throws {}
    package func makeFolder() throws {}
    package func adopt(_ metadata: StoreMetadata) {}
    package func takeChangedMetadata() -> [String: Any]? { nil }
    package func keepChangedMetadata() {}
    package func storeDidChange(_ transaction: Int64?) {}
}

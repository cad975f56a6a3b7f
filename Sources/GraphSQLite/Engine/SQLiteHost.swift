// The services that an SQLite engine requires from its host, beyond those of all engines. Implemented by SQLiteStore.
import GraphEngine
import GraphSQL

/// The host of an SQLite engine.
package protocol SQLiteHost: EngineHost {
    /// The content that a file with these metadata is to have; nil for that of the engine's configuration.
    func contract(of metadata: StoreMetadata) -> StoreContract?
    /// Migrates a file of another version if the store's options allow it.
    func admit(_ metadata: StoreMetadata) throws -> Admission
    /// Throws for metadata of another version than the model's.
    func check(_ metadata: StoreMetadata) throws
    /// Creates the folder of a new file.
    func makeFolder() throws
    /// Called when the metadata were read from the file.
    func adopt(_ metadata: StoreMetadata)
    /// Returns the metadata changed by a user since the last call; nil for none.
    func takeChangedMetadata() -> [String: Any]?
    /// Called when a transaction that took changed metadata was rolled back: they stay marked as changed.
    func keepChangedMetadata()
    /// Called after a write to the store, with the number of the history's newest transaction, if it has one.
    func storeDidChange(_ transaction: Int64?)
}

extension SQLiteHost {
    package func contract(of metadata: StoreMetadata) -> StoreContract? { nil }
    package func admit(_ metadata: StoreMetadata) throws -> Admission { .untouched }
    package func check(_ metadata: StoreMetadata) throws {}
    package func makeFolder() throws {}
    package func adopt(_ metadata: StoreMetadata) {}
    package func takeChangedMetadata() -> [String: Any]? { nil }
    package func keepChangedMetadata() {}
    package func storeDidChange(_ transaction: Int64?) {}
}

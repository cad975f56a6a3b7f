// The services that a PostgreSQL engine requires from its host, beyond those of all engines. Implemented by
// PostgreSQLStore.
import GraphEngine

/// The host of a PostgreSQL engine.
package protocol PostgreSQLHost: EngineHost {
    /// Migrates a store of another version if the options ask for it; returns whether it did.
    func admit(_ metadata: StoreMetadata) throws -> Bool
    /// Throws for metadata of another version than the model's.
    func check(_ metadata: StoreMetadata) throws
    /// Called when the metadata were read from the database.
    func adopt(_ metadata: StoreMetadata)
    /// Returns the metadata changed by a user since the last call; nil for none.
    func takeChangedMetadata() -> [String: Any]?
    /// Called when a transaction that took changed metadata was rolled back: they stay marked as changed.
    func keepChangedMetadata()
    /// Called after a write to the store, with the number of the history's newest transaction.
    func storeDidChange(_ transaction: Int64?)
}

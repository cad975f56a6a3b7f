// Creates the model-related metadata of a store. Called when stores are created, opened and migrated.
import GraphModel
import GraphSQLite

extension StoreMetadata {
    /// Creates the metadata of a new store of a model.
    package init(of model: Model) {
        self.init(
            versionHashes: model.versionHashes(),
            versionHashesDigest: model.versionHashesDigest(),
            versionChecksum: model.versionChecksum(),
            versionIdentifiers: model.versionIdentifiers
        )
    }
}

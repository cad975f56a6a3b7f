// Creates the model-related metadata of a store. Called when stores are created, opened and migrated.
import GraphEngine
import GraphModel
import GraphSQLite

extension StoreMetadata {
    /// Creates the metadata of a new store of a model.
    package init(of model: Model) {
        let hashes = model.versionHashes()
        self.init(
            versionHashes: hashes,
            versionHashesDigest: Model.digest(of: hashes),
            versionChecksum: Model.checksum(of: hashes),
            versionIdentifiers: model.versionIdentifiers
        )
    }
}

// What the metadata of a store say of its model. Called where stores are made, opened and migrated.
import GraphModel
import GraphSQLite

extension StoreMetadata {
    /// What the metadata of a new store of a model say.
    package init(of model: Model) {
        self.init(
            versionHashes: model.versionHashes(),
            versionHashesDigest: model.versionHashesDigest(),
            versionChecksum: model.versionChecksum(),
            versionIdentifiers: model.versionIdentifiers
        )
    }
}

// Creates the model-related metadata of a store. Called when stores are created, opened and migrated.
import Foundation
import GraphEngine
import GraphModel
import GraphSQLite

extension StoreMetadata {
    /// Creates the metadata of a new store of a model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - hashes: Its entities' version hashes, if they are known.
    package init(of model: Model, hashes: [String: Data]? = nil) {
        let hashes = hashes ?? model.versionHashes()
        self.init(
            versionHashes: hashes,
            versionHashesDigest: Model.digest(of: hashes),
            versionChecksum: Model.checksum(of: hashes),
            versionIdentifiers: model.versionIdentifiers
        )
    }
}

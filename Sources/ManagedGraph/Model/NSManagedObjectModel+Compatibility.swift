// Whether a model fits a store, judged by version hashes. Called by the coordinator before it opens a store.
import Foundation
import GraphEngine

/// Keys of a store's metadata that identify the model it was written with.
package enum StoreMetadataKey {
    package static let versionHashes = "NSStoreModelVersionHashes"
    package static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
}

extension NSManagedObjectModel {
    /// Whether a store with this metadata can be opened with a configuration of this model as it is.
    ///
    /// - Parameters:
    ///   - configuration: The configuration's name, or nil for all entities.
    ///   - metadata: The store's metadata.
    /// - Returns: True if the hashes of all entities agree.
    public func isConfiguration(
        withName configuration: String?,
        compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        incompatibility(withStoreMetadata: metadata, configuration: configuration) == nil
    }

    /// The reason why a store with this metadata cannot be opened with a configuration of this model.
    ///
    /// - Parameters:
    ///   - metadata: The store's metadata.
    ///   - configuration: The configuration's name, or nil for all entities.
    /// - Returns: A sentence that names the entities, or nil if the store is compatible.
    package final func incompatibility(
        withStoreMetadata metadata: [String: Any],
        configuration: String?
    ) -> String? {
        guard entities(forConfigurationName: configuration) != nil else {
            return "The model has no configuration named \(configuration ?? "")."
        }
        guard let stored = metadata[StoreMetadataKey.versionHashes] as? [String: Data] else {
            return "The store's metadata has no version hashes."
        }
        // Other kinds of stores hold the entities of their configuration alone.
        let isTabular = metadata[StoreMetadata.Key.storeType] as? String == "SQLite"
        let names = Set(part(configuration, keeping: isTabular ? stored : [:]).entities.map(\.name))
        let expected = entityVersionHashesByName.filter { names.contains($0.key) }
        guard expected != stored else { return nil }
        var findings: [String] = []
        for name in Set(expected.keys).union(stored.keys).sorted() {
            switch (expected[name], stored[name]) {
            case (_?, nil): findings.append("\(name) is in the model but not in the store")
            case (nil, _?): findings.append("\(name) is in the store but not in the model")
            case (let ours, let theirs) where ours != theirs: findings.append("\(name) has changed")
            default: break
            }
        }
        return findings.joined(separator: "; ") + "."
    }
}

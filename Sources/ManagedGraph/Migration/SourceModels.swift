// Finds the model that a store was made with: among the registered models, in the folder of versions that the new model comes
// from, and in model files beside the program. Called when a store is to be migrated.
import Foundation
import GraphModel
import GraphModelFiles

/// The versions of models that a migration may start from.
struct SourceModels {
    let models: [Model]

    /// All versions there are; those that cannot be read are left out.
    init(origin: URL?, first: [Model] = []) {
        var models = first
        for registered in ManagedObjectRegistry.models() {
            models += registered.versions.compactMap { try? ModelFinder.read($0, of: registered.name) }
        }
        for url in [origin].compactMap(\.self) + ModelFinder.modelFiles() {
            if let versioned = try? ModelFile.readVersionedModel(at: url) {
                models += versioned.versions.map(\.model)
            }
        }
        self.models = models
    }

    var count: Int { models.count }

    /// The model whose entities have the hashes of a store's metadata: a version as it is, or a part of one, or entities of
    /// several.
    func model(of metadata: [String: Any]) -> Model? {
        guard let wanted = metadata[StoreMetadataKey.versionHashes] as? [String: Data], !wanted.isEmpty else {
            return nil
        }
        let hashed = models.map { (model: $0, hashes: $0.versionHashes()) }
        if let whole = hashed.first(where: { $0.hashes == wanted }) { return whole.model }
        var entities: [Entity] = []
        for (name, hash) in wanted.sorted(by: { $0.key < $1.key }) {
            guard let owner = hashed.first(where: { $0.hashes[name] == hash }),
                let entity = owner.model.entity(named: name)
            else { return nil }
            entities.append(entity)
        }
        return Model(entities: entities)
    }
}

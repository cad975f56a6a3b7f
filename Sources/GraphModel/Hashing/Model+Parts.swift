// A model of parts of others, chosen by the hashes of a store. Called when a store's model is searched among versions,
// and when a program merges models for a store.
import Foundation

extension Model {
    /// Collects the entities that have the given hashes.
    ///
    /// O(n · m) in the hashes and the models.
    ///
    /// - Parameters:
    ///   - hashes: The hash of each entity, by name; if no model has one of them, there is no result.
    ///   - models: The models, with the hashes of their entities; the first with a hash provides the entity.
    package init?(hashes: [String: Data], from models: [(model: Model, hashes: [String: Data])]) {
        self.init()
        for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
            guard let owner = models.first(where: { $0.hashes[name] == hash }),
                let entity = owner.model.entity(named: name)
            else { return nil }
            entities.append(entity)
        }
    }
}

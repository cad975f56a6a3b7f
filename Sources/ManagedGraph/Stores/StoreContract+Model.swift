// The required content of a store of a model. Called by stores with an engine when they are opened.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

extension StoreContract {
    /// The schema, metadata and checker of a store of a model's configuration.
    package init(_ model: CompiledModel, _ configuration: String?) {
        let part = model.schema(configuration: configuration)
        self.init(
            model: part,
            metadata: StoreMetadata(of: part, hashes: model.versionHashes(configuration: configuration)),
            modelCache: { model.embedded(configuration) },
            checker: model.checker,
            isUnstored: { entity, property in
                model.byName[entity]?.slot(named: property) != nil || model.byName[entity]?.computed[property] != nil
            }
        )
    }
}

extension StoreMetadata {
    /// The metadata values that describe a model, for any kind of store.
    static func values(of model: CompiledModel, configuration: String?) -> [String: Any] {
        StoreMetadata(
            of: model.schema(configuration: configuration),
            hashes: model.versionHashes(configuration: configuration)
        ).values
    }
}

extension CompiledModel {
    /// The part of the model that a configuration contains; the entire model for nil.
    func schema(configuration: String?) -> Model { model.part(configuration) }

    /// The version hashes of the entities of a configuration.
    ///
    /// That of an entity depends on the entity and those above it, which are part of the configuration, too.
    func versionHashes(configuration: String?) -> [String: Data] {
        let hashes = model.entityVersionHashesByName
        let names = model.part(configuration).entities.map(\.name)
        if names.count == hashes.count { return hashes }
        return Dictionary(names.compactMap { name in hashes[name].map { (name, $0) } }) { first, _ in first }
    }

    /// The embedded model of new stores of a configuration; nil if it cannot be archived.
    ///
    /// Archived on first use: a program that makes many stores of a model, as tests do, spends most of that time here.
    func embedded(_ configuration: String?) -> Data? {
        embeddedModels.withLock { models in
            if let known = models[configuration] { return known }
            let data = StoreModelCache.data(of: schema(configuration: configuration))
            models[configuration] = .some(data)
            return data
        }
    }
}

// The required content of a store of a model. Called by stores with an engine when they are opened.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

extension StoreContract {
    /// The schema, metadata and checker of a store of a model's configuration.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - configuration: The configuration's name, or nil for all entities.
    ///   - stored: The version hashes of the entities that the store holds already, and keeps.
    package init(_ model: CompiledModel, _ configuration: String?, keeping stored: [String: Data] = [:]) {
        let configured = model.schema(configuration: configuration)
        let part = stored.isEmpty ? configured : model.model.part(configuration, keeping: stored)
        let isWider = part.entities.count > configured.entities.count
        self.init(
            model: part,
            metadata: StoreMetadata(of: part, hashes: model.versionHashes(of: part)),
            modelCache: { isWider ? StoreModelCache.data(of: part) : model.embedded(configuration) },
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
        let part = model.schema(configuration: configuration)
        return StoreMetadata(of: part, hashes: model.versionHashes(of: part)).values
    }
}

extension CompiledModel {
    /// The part of the model that a configuration contains; the entire model for nil.
    func schema(configuration: String?) -> Model { model.part(configuration) }

    /// The version hashes of the entities of a part of the model.
    ///
    /// That of an entity depends on the entity and those above it, which belong to the part, too.
    func versionHashes(of part: Model) -> [String: Data] {
        let names = Set(part.entities.map(\.name))
        return model.entityVersionHashesByName.filter { names.contains($0.key) }
    }

    /// The embedded model of new stores of a configuration; nil if it cannot be archived.
    ///
    /// Archived on first use: a program that makes many stores of a model, as tests do, spends most of that time here.
    func embedded(_ configuration: String?) -> Data? {
        embeddedModels.withLock { models in
            if let cached = models[configuration] { return cached }
            let data = StoreModelCache.data(of: schema(configuration: configuration))
            models[configuration] = .some(data)
            return data
        }
    }
}

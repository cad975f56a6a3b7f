// One model made of several: of those of bundles, or of those that a store was made with.
import Foundation
import GraphEngine
import GraphModel

extension NSManagedObjectModel {
    /// Merges the models of bundles.
    ///
    /// These are the model files among their resources and the models that the GenerateManagedObjects plugin has put
    /// into the program: for the main bundle those of all modules, for `Bundle.module` those of this module that are
    /// not among its resources. `Bundle(for:)` of a class of the program is the main one.
    ///
    /// - Parameter bundles: The bundles to look in, or nil for the main bundle.
    /// - Returns: The merged model, or nil if one cannot be read or two contradict each other.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        try? merging(models(in: bundles ?? [Bundle.main]))
    }

    /// Merges those entities of bundles' models, of all their versions, that a store was written with.
    ///
    /// - Parameters:
    ///   - bundles: The bundles to look in, or nil for the main bundle.
    ///   - metadata: The store's metadata.
    /// - Returns: A model that opens the store, or nil if some of its entities are missing.
    public class func mergedModel(
        from bundles: [Bundle]?,
        forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        guard let models = try? allVersions(in: bundles ?? [Bundle.main]) else { return nil }
        return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
    }

    /// Merges models into a new one.
    ///
    /// - Parameter models: The models; entities of one name must be the same in all of them.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models, let schema = try? Self.mergedSchema(models.map(\.schema)) else { return nil }
        try? self.init(schema)
    }

    /// Merges those entities of models that a store was written with.
    ///
    /// - Parameters:
    ///   - models: The models; of entities of one name, the one with the store's hash is taken.
    ///   - metadata: The store's metadata.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        guard let hashes = metadata[StoreMetadataKey.versionHashes] as? [String: Data] else { return nil }
        if let match = models.first(where: { $0.entityVersionHashesByName == hashes }) {
            try? self.init(match.schema)
            return
        }
        let sources = models.map { (model: $0.schema, hashes: $0.entityVersionHashesByName) }
        guard let model = Model(hashes: hashes, from: sources) else { return nil }
        try? self.init(model)
    }

    /// Merges models, or throws the reason why they cannot be merged.
    ///
    /// - Parameter models: The models.
    /// - Returns: A new model with all their entities.
    /// - Throws: `ModelDefect` for two different entities of one name.
    package static func merging(_ models: [NSManagedObjectModel]) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(mergedSchema(models.map(\.schema)))
    }

    private static func mergedSchema(_ models: [Model]) throws -> Model {
        var merged = Model()
        for model in models {
            for entity in model.entities {
                if let existing = merged.entity(named: entity.name) {
                    guard existing == entity else {
                        throw ModelDefect(entity: entity.name, reason: "two models define this entity differently")
                    }
                } else {
                    merged.entities.append(entity)
                }
            }
            for configuration in model.configurations {
                if let index = merged.configurations.firstIndex(where: { $0.name == configuration.name }) {
                    let names = merged.configurations[index].entityNames
                    merged.configurations[index].entityNames += configuration.entityNames.filter { !names.contains($0) }
                } else {
                    merged.configurations.append(configuration)
                }
            }
            let names = Set(merged.fetchRequestTemplates.map(\.name))
            merged.fetchRequestTemplates += model.fetchRequestTemplates.filter { !names.contains($0.name) }
            let identifiers = Set(merged.versionIdentifiers)
            merged.versionIdentifiers += model.versionIdentifiers.filter { !identifiers.contains($0) }
        }
        return merged
    }

    private static func models(in bundles: [Bundle]) throws -> [NSManagedObjectModel] {
        let registered = try registeredModels(in: bundles).compactMap { model in
            let current = model.versions.first { $0.name == model.currentVersion } ?? model.versions.last
            return try current.map { try NSManagedObjectModel(ModelFinder.read($0, of: model.name)) }
        }
        return try registered + modelFiles(in: bundles).map { try NSManagedObjectModel(schemaAt: $0) }
    }

    private static func allVersions(in bundles: [Bundle]) throws -> [NSManagedObjectModel] {
        let registered = try registeredModels(in: bundles).flatMap { model in
            try model.versions.map { try NSManagedObjectModel(ModelFinder.read($0, of: model.name)) }
        }
        let fileModels = try modelFiles(in: bundles).flatMap { url in
            ModelFinder.kindsOfFolders.contains(url.pathExtension)
                ? try versions(at: url).map(\.model) : [try NSManagedObjectModel(schemaAt: url)]
        }
        return registered + fileModels
    }

    private static func registeredModels(in bundles: [Bundle]) -> [ModuleRegistration.Model] {
        if bundles.contains(Bundle.main) { return ManagedObjectRegistry.models() }
        return bundles.flatMap { bundle in
            let models = ManagedObjectRegistry.module(of: bundle)?.models ?? []
            // The same model, compiled, can differ in its texts.
            let resources = Set(modelFiles(in: [bundle]).map { $0.deletingPathExtension().lastPathComponent })
            return models.filter { !resources.contains($0.name) }
        }
    }

    private static func modelFiles(in bundles: [Bundle]) -> [URL] {
        bundles.flatMap { bundle in
            ModelFinder.kinds.flatMap { kind in
                (bundle.urls(forResourcesWithExtension: kind, subdirectory: nil) ?? []).map { $0 as URL }
            }
        }
    }
}

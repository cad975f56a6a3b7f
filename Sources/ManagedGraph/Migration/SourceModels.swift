// Finds the model that a store was made with: among the registered models, in the folder of versions that the new
// model comes from, and in model files beside the program. Called before a store is migrated.
import Foundation
import GraphModel
import GraphModelFiles

/// The versions of models that a store may have been made with.
struct SourceModels {
    /// Reads the models of one place, the likeliest places first; versions that cannot be read are skipped.
    private let places: [() -> [Model]]

    /// Lists the places of models; no model is read before it is needed.
    ///
    /// - Parameters:
    ///   - origin: The file that the new model comes from.
    ///   - first: Models in memory.
    init(origin: URL?, first: [Model] = []) {
        var places: [() -> [Model]] = [{ first }]
        for registered in ManagedObjectRegistry.models() {
            // Newest versions first: a store is seldom much older than the program.
            for version in registered.versions.reversed() {
                places.append { [version].compactMap { try? ModelFinder.read($0, of: registered.name) } }
            }
        }
        if let origin { places += Self.versions(at: origin) }
        places.append { ModelFinder.modelFiles().flatMap(Self.versions).flatMap { $0() } }
        self.places = places
    }

    private static func versions(at url: URL) -> [() -> [Model]] {
        let versions = (try? ModelFile.listVersions(at: url))?.versions ?? []
        return versions.reversed().map { version in { [version].compactMap { try? ModelFile.readModel(at: $0.url) } } }
    }

    /// The models of all places.
    ///
    /// O(n) in the size of all models.
    var models: [Model] { places.flatMap { $0() } }

    /// The model whose entities have the hashes of a store's metadata: a version as it is, or a part of one, or
    /// entities of several.
    ///
    /// Reads no further version once one fits.
    ///
    /// - Parameters:
    ///   - metadata: The store's metadata.
    ///   - searched: Receives the number of versions that were compared.
    /// - Returns: The model; nil if there is none.
    func model(of metadata: [String: Any], searched: inout Int) -> Model? {
        guard let storeHashes = metadata[StoreMetadataKey.versionHashes] as? [String: Data], !storeHashes.isEmpty else {
            return nil
        }
        var candidates: [(model: Model, hashes: [String: Data])] = []
        for place in places {
            for model in place() {
                let hashes = model.versionHashes()
                if hashes == storeHashes { return model }
                candidates.append((model, hashes))
            }
        }
        searched = candidates.count
        return Model(hashes: storeHashes, from: candidates)
    }
}

// Finds the model that a store was made with: among the registered models, in the folder of versions that the new
// model comes from, and in model files beside the program. Called before a store is migrated.
import Foundation
import GraphModel
import GraphModelFiles

/// The versions of models that a migration may start from.
struct SourceModels {
    /// Possible places of models, the likeliest first; each is read on demand.
    private let places: [() -> [Model]]

    /// Finds all versions; skips those that cannot be read.
    ///
    /// - Parameters:
    ///   - origin: The file that the new model comes from.
    ///   - first: Models in memory.
    init(origin: URL?, first: [Model] = []) {
        var places: [() -> [Model]] = [{ first }]
        for registered in ManagedObjectRegistry.models() {
            // A store is seldom much older than the program.
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

    /// All of them.
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

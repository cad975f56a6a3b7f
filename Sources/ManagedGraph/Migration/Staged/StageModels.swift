// Finds the models of a staged migration. Used by StagedMigration.
import GraphEngine
import GraphModel

/// The models of the versions of a chain, found when they are needed.
final class StageModels {
    private let chain: StageChain
    private let final: StoreMigrator
    private let configuration: String?
    private lazy var sourceModels = SourceModels(origin: final.destination.origin).models

    init(_ chain: StageChain, _ final: StoreMigrator, _ configuration: String?) {
        self.chain = chain
        self.final = final
        self.configuration = configuration
    }

    /// The model of a version; nil if the program has none.
    func model(at index: Int) throws -> NSManagedObjectModel? {
        let version = chain.versions[index]
        if version.checksum == final.destination.versionChecksum { return final.destination }
        if let reference = version.reference { return try reference.resolve() }
        return try sourceModels.first { $0.versionChecksum() == version.checksum }.map { try NSManagedObjectModel($0) }
    }

    /// The place of a store's version: by its checksum, or by the part of a model that the store's configuration has.
    ///
    /// Versions can share that part, so the first of them from a place on is taken.
    func position(of metadata: StoreMetadata, from start: Int = 0) throws -> Int? {
        let hashes = metadata.versionHashes
        if let index = chain.index(of: Model.checksum(of: hashes)) { return index }
        guard configuration != nil else { return nil }
        return try chain.versions.indices.dropFirst(start).first { index in
            try model(at: index)?.part(configuration, keeping: hashes).versionHashes() == hashes
        }
    }
}

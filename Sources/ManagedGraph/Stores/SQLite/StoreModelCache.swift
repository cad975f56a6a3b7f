// The model inside of a store: read from a closed one, made for a new one. Called when stores are made or migrated, and by
// cachedModelForPersistentStore. A model that does not have the hashes of the store's metadata is none.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQLite

package enum StoreModelCache {
    /// What a store of a model holds.
    ///
    /// Nil for a model that cannot be archived, as one with closures for predicates: such a store has no model of its own,
    /// and needs none.
    static func data(of model: Model) -> Data? {
        try? ModelFile.cache(of: model)
    }

    /// The model of a store as values.
    ///
    /// - Parameter url: A SQLite store, which is left as it is.
    /// - Returns: The model.
    /// - Throws: 134080 where there is no store, or none with a model that fits its metadata; 260 where there is no file.
    package static func model(at url: URL) throws -> Model {
        let metadata = try SQLiteStore.readMetadata(at: url)
        let hashes = metadata[StoreMetadataKey.versionHashes] as? [String: Data] ?? [:]
        guard let model = try find(at: url, hashes: hashes) else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "the store holds no model, as a store of a framework from before 2014",
                remedy: "Open it with the model that it was made with."
            )
        }
        return model
    }

    /// The error of a store whose model cannot be used: 134080.
    static func damaged(_ url: URL, _ error: any Error) -> NSError {
        CoreDataError.cannotOpen(
            url,
            reason: "its own model is damaged",
            remedy: "Open it with the model that it was made with.",
            underlying: error
        )
    }

    /// The model of a store, which must have the hashes of its metadata; nil where the store has none.
    package static func find(at url: URL, hashes: [String: Data]) throws -> Model? {
        let found = try CoreDataError.mapping(url) {
            let file = try ImmutableSnapshotFile(url.path)
            let connection = try file.connection()
            defer { connection.close() }
            return try withExtendedLifetime(file) { try StoreFile.readModelCache(connection) }
        }
        guard let cache = found else { return nil }
        let model: Model
        do {
            model = try ModelFile.readModel(cache: cache, file: url.path)
        } catch {
            throw damaged(url, error)
        }
        guard model.versionHashes() == hashes else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "its own model is another than its metadata say",
                remedy: "Open it with the model that it was made with."
            )
        }
        return model
    }
}

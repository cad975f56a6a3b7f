// The model embedded in a store: read from a closed store, written to a new one. Called when stores are created or
// migrated, and by cachedModelForPersistentStore. A model whose hashes differ from the store's metadata is ignored.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQLite

/// Reads and writes the model that a store contains.
package enum StoreModelCache {
    /// The embedded model that a store of `model` contains.
    ///
    /// Nil for a model that cannot be archived, such as one whose predicates contain closures: the store then has no
    /// embedded model and does not need one.
    package static func data(of model: Model) -> Data? {
        try? ModelFile.cache(of: model)
    }

    /// Returns the model embedded in a store.
    ///
    /// - Parameter url: A SQLite store, or the address of a database; it is not changed.
    /// - Returns: The model.
    /// - Throws: 134080 if there is no store, or no model that matches its metadata; 260 if there is no file.
    package static func model(at url: URL) throws -> Model {
        let metadata =
            if let database = try database(at: url) {
                try database.metadataForPersistentStore(with: url)
            } else {
                try SQLiteStore.readMetadata(at: url)
            }
        let hashes = metadata[StoreMetadataKey.versionHashes] as? [String: Data] ?? [:]
        guard let model = try find(at: url, hashes: hashes) else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "the store contains no model, as frameworks before 2014 cache none",
                remedy: "Open it with the model that it was made with."
            )
        }
        return model
    }

    /// The class of stores in the database that an address names; nil for files.
    private static func database(at url: URL) throws -> (any DatabaseStore.Type)? {
        guard let type = StoreClasses.type(of: url) else { return nil }
        return try NSPersistentStoreCoordinator.storeClass(type) as? any DatabaseStore.Type
    }

    /// The error for a store whose embedded model cannot be used: 134080.
    static func damaged(_ url: URL, _ error: any Error) -> NSError {
        CoreDataError.cannotOpen(
            url,
            reason: "its own model is damaged",
            remedy: "Open it with the model that it was made with.",
            underlying: error
        )
    }

    /// Returns a store's embedded model, which must match the hashes of the metadata; nil if the store has none.
    package static func find(at url: URL, hashes: [String: Data]) throws -> Model? {
        let cachedData = try CoreDataError.mapping(url) { () throws -> Data? in
            if let database = try database(at: url) { return try database.modelCache(at: url) }
            let file = try ImmutableSnapshotFile(url.path)
            let connection = try file.connection()
            defer { connection.close() }
            return try withExtendedLifetime(file) { try StoreFile.readModelCache(connection) }
        }
        guard let cache = cachedData else { return nil }
        let model: Model
        do {
            model = try ModelFile.readModel(cache: cache, file: url.path)
        } catch {
            throw damaged(url, error)
        }
        guard model.versionHashes() == hashes else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "the model cached in the store differs from the one that its metadata describe",
                remedy: "Open it with the model that it was made with."
            )
        }
        return model
    }
}

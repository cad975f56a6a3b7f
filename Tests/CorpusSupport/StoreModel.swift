// The model that a SQLite store of a collection was created with. Used by the tests of stores and by the program that
// reads damaged ones.
import CollectionSupport
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph

package struct StoreModel {
    package enum Source: String {
        /// The store's own model.
        case cache
        /// A file with the store's hashes.
        case file
        /// Another version of the same entities, which can read the rows if hashes are ignored.
        case anotherVersion = "another version"
    }

    package let model: NSManagedObjectModel
    package let source: Source

    /// Finds a store's model; nil if its collection has none that fits.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - url: A copy of it.
    /// - Throws: An error for a store whose metadata cannot be read, or a model with an invalid predicate.
    package init?(of store: CollectedFile, at url: URL) throws {
        // Frameworks before 2014 do not cache models in stores.
        if let cached = try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url) {
            (model, source) = (cached, .cache)
            return
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        guard let hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data] else { return nil }
        // Models of other Xcode versions that cannot be read are skipped.
        let models = store.neighbours(.model).lazy.compactMap { try? ModelFile.readModel(at: $0.url) }
        // A mapping model contains its source and destination versions.
        let mapped = store.neighbours(.mapping).lazy.compactMap { try? MappingReader.models(at: $0.url) }.joined()
        let old = store.neighbours(.oldModel).lazy.compactMap { try? ModelFile.readModel(at: $0.url) }
        if let match = models.first(where: { $0.versionHashes() == hashes })
            ?? mapped.first(where: { $0.versionHashes() == hashes })
        {
            (model, source) = (try NSManagedObjectModel(match.withoutClasses), .file)
        } else if let match = old.first(where: { Set($0.entities.map(\.name)) == Set(hashes.keys) }) {
            (model, source) = (try NSManagedObjectModel(match.withoutClasses), .anotherVersion)
        } else {
            return nil
        }
    }
}

// Copies of the corpus's SQLite stores with their logs, and the models that they were created with. Used by the tests
// of stores and by the program that reads damaged ones.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQLite
import ManagedGraph

package enum Corpus {
    package static let folder = [
        "../shared/corpus", "../../../shared/corpus", "/work/shared/corpus",
    ].map { URL(filePath: $0) }.first { FileManager.default.fileExists(atPath: $0.path) }

    /// Files added later, beside the corpus, with a list of the same format.
    package static let laterFolder = folder.map { $0.deletingLastPathComponent().appending(path: "corpus-2") }
        .flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }

    /// A missing part of the corpus.
    struct Incomplete: Error { let what: String }

    /// One store.
    package struct Store {
        /// The path below the corpus's folder.
        package let path: String
        package let original: URL
        /// The corpus's folder.
        fileprivate let folder: URL
        fileprivate let repository: String
    }

    /// The stores in the lists of the corpora.
    package static func stores() throws -> [Store] {
        guard let folder else { throw Incomplete(what: "the folder") }
        return try stores(in: folder) + (laterFolder.map(stores(in:)) ?? [])
    }

    private static func stores(in folder: URL) throws -> [Store] {
        let list = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: "MANIFEST.json")))
        guard let list = list as? [[String: Any]] else { throw Incomplete(what: "MANIFEST.json") }
        return list.filter { $0["kind"] as? String == "store-sqlite" }.compactMap {
            guard let path = $0["file"] as? String, let repository = $0["repo"] as? String else { return nil }
            return Store(
                path: path,
                original: folder.appending(path: path),
                folder: folder,
                repository: repository
            )
        }.sorted { $0.path < $1.path }
    }

    /// Copies a store to a temporary folder, with its log but without the log's index.
    package static func copy(_ store: Store) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "corpus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appending(path: store.original.lastPathComponent)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.original.path + suffix) {
            let data = try Data(contentsOf: URL(filePath: store.original.path + suffix))
            try data.write(to: URL(filePath: copy.path + suffix))
        }
        return copy
    }

    /// The model of a store: the cached one, or the one of its repository that has the same hashes.
    package static func model(of store: Store, at url: URL) throws -> (model: NSManagedObjectModel, source: String)? {
        // Frameworks before 2014 do not cache models in stores.
        if let cached = try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url) {
            return (cached, "cache")
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        guard let hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data] else { return nil }
        let folder = store.folder
        let models = folder.appending(path: "models/\(store.repository.replacing("/", with: "+"))")
        let paths = FileManager.default.enumerator(atPath: models.path)?.compactMap { $0 as? String } ?? []
        for path in paths.sorted() where path.hasSuffix(".xcdatamodel") {
            // Skips models of other Xcode versions that cannot be read.
            guard let model = try? ModelFile.readModel(at: models.appending(path: path)),
                model.versionHashes() == hashes
            else { continue }
            return (try NSManagedObjectModel(plain(model)), path)
        }
        // A mapping model contains its source and destination versions.
        let mappings = folder.appending(path: "mappings/\(store.repository.replacing("/", with: "+"))")
        let files = FileManager.default.enumerator(atPath: mappings.path)?.compactMap { $0 as? String } ?? []
        for path in files.sorted() where path.hasSuffix(".xcmappingmodel") {
            for model in try MappingReader.models(at: mappings.appending(path: path))
            where model.versionHashes() == hashes {
                return (try NSManagedObjectModel(plain(model)), path)
            }
        }
        // Another version of the same entities can read the rows if hashes are ignored.
        let legacy = folder.appending(path: "legacy/\(store.repository.replacing("/", with: "+"))")
        let others = FileManager.default.enumerator(atPath: legacy.path)?.compactMap { $0 as? String } ?? []
        for path in others.sorted() where path.hasSuffix(".xcdatamodel") {
            guard let model = try? ModelFile.readModel(at: legacy.appending(path: path)),
                Set(model.entities.map(\.name)) == Set(hashes.keys)
            else { continue }
            return (try NSManagedObjectModel(plain(model)), "another version")
        }
        return nil
    }

    /// The model without classes, which belong to other programs.
    private static func plain(_ model: Model) -> Model {
        var model = model
        for index in model.entities.indices { model.entities[index].className = nil }
        return model
    }
}

// The SQLite stores of the corpus, each on a copy with its log, and the models that they were made with. Used by the tests of
// this target.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQLite
import ManagedGraph
import Testing

enum Corpus {
    static let folder = [
        "../shared/corpus", "../../../shared/corpus", "/work/shared/corpus",
    ].map { URL(filePath: $0) }.first { FileManager.default.fileExists(atPath: $0.path) }

    /// One store.
    struct Store {
        /// The path below the corpus's folder.
        let path: String
        let original: URL
        fileprivate let repository: String
    }

    /// The stores that the corpus's list names.
    static func stores() throws -> [Store] {
        let folder = try #require(folder)
        let list = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: "MANIFEST.json")))
        return try #require(list as? [[String: Any]]).filter { $0["kind"] as? String == "store-sqlite" }.compactMap {
            guard let path = $0["file"] as? String, let repository = $0["repo"] as? String else { return nil }
            return Store(path: path, original: folder.appending(path: path), repository: repository)
        }.sorted { $0.path < $1.path }
    }

    /// A copy of a store in a folder of its own, with the log and without its index.
    static func copy(_ store: Store) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "corpus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appending(path: store.original.lastPathComponent)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.original.path + suffix) {
            let data = try Data(contentsOf: URL(filePath: store.original.path + suffix))
            try data.write(to: URL(filePath: copy.path + suffix))
        }
        return copy
    }

    /// The model of a store: its own, or the one of its repository that has its hashes.
    static func model(of store: Store, at url: URL) throws -> (model: NSManagedObjectModel, source: String)? {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        let hashes = try #require(metadata["NSStoreModelVersionHashes"] as? [String: Data])
        let models = try #require(folder).appending(
            path: "models/\(store.repository.replacing("/", with: "+"))"
        )
        let paths = FileManager.default.enumerator(atPath: models.path)?.compactMap { $0 as? String } ?? []
        for path in paths.sorted() where path.hasSuffix(".xcdatamodel") {
            // The corpus has models that only later or earlier Xcodes read.
            guard let model = try? ModelFile.readModel(at: models.appending(path: path)),
                model.versionHashes() == hashes
            else { continue }
            return (try NSManagedObjectModel(plain(model)), path)
        }
        return nil
    }

    /// The model without classes, which are those of other programs.
    private static func plain(_ model: Model) -> Model {
        var model = model
        for index in model.entities.indices { model.entities[index].className = nil }
        return model
    }
}

// The model that a store is read with, and its origin: the model named by the user, the store's own cache, or a file
// beside the store. Used by the checker and by the report of `managedgraph store info`.
import Foundation
import GraphEngine
import GraphModel
import GraphModelFiles
import GraphSQLite
import ManagedGraph

/// A model that fits a store.
struct ResolvedModel {
    let model: NSManagedObjectModel
    /// The configuration that the store holds; nil for the whole model.
    let configuration: String?
    /// The part of the model that the store holds.
    let part: Model
    /// `cache`, or a path.
    let source: String
    /// Whether the version hashes of all entities equal those in the store's metadata.
    let fits: Bool

    /// Finds a model by the version hashes of a store.
    ///
    /// - Parameters:
    ///   - metadata: The store's metadata.
    ///   - url: The store.
    ///   - modelFile: A model file that the user names.
    ///   - complaints: Receives the problems of the models examined.
    /// - Returns: The model; nil if there is none.
    static func find(
        _ metadata: StoreMetadata,
        store url: URL,
        named modelFile: URL?,
        complaints: inout [String]
    ) -> ResolvedModel? {
        let hashes = metadata.versionHashes
        var nearest: Candidate?
        if let modelFile {
            do {
                let candidates = try models(at: modelFile)
                if let fitting = fitting(hashes, among: candidates) { return fitting }
                nearest = candidates.last
                if let candidate = candidates.last {
                    complaints.append(
                        "The model \(candidate.source) is not the one the store was made with: "
                            + VersionDifference.list(found: hashes, wanted: candidate.model.entityVersionHashesByName)
                            + ". Name the version that it was made with."
                    )
                }
            } catch {
                complaints.append("The model \(modelFile.path) cannot be read: \(StoreCheck.text(error))")
            }
        }
        do {
            // Only stores with tables can embed a model.
            let isSQLite = metadata.values[StoreMetadata.Key.storeType] as? String == NSSQLiteStoreType
            let isDatabase = NSPersistentStoreCoordinator.databaseType(of: url) != nil
            if isSQLite || isDatabase, let model = try StoreModelCache.find(at: url, hashes: hashes) {
                let compiled = try NSManagedObjectModel(model.withoutClasses)
                return ResolvedModel(
                    model: compiled,
                    configuration: nil,
                    part: compiled.schema,
                    source: "cache",
                    fits: true
                )
            }
        } catch {
            complaints.append("The model inside of the store cannot be read: \(StoreCheck.text(error))")
        }
        if let resolved = beside(url, hashes) { return resolved }
        // A model of another version may still describe most of the rows.
        return nearest.map {
            ResolvedModel(model: $0.model, configuration: nil, part: $0.model.schema, source: $0.source, fits: false)
        }
    }

    typealias Candidate = (model: NSManagedObjectModel, source: String)

    /// All versions in a model file.
    private static func models(at url: URL) throws -> [Candidate] {
        if url.pathExtension == "xcmappingmodel" {
            return try MappingReader.models(at: url).map { (try NSManagedObjectModel($0.withoutClasses), url.path) }
        }
        // A broken version must not prevent the others from matching the store.
        let versions = try NamedModel.readEach(url.path, needsCurrent: false)
        if versions.models.isEmpty, let first = versions.errors.first { throw first }
        return try versions.models.map {
            (try NSManagedObjectModel($0.model.withoutClasses), $0.url.path)
        }
    }

    /// The first candidate whose entities, or those of one of its configurations, have these hashes.
    static func fitting(_ hashes: [String: Data], among candidates: [Candidate]) -> ResolvedModel? {
        for (model, source) in candidates {
            let all = model.entityVersionHashesByName
            if all == hashes {
                return ResolvedModel(model: model, configuration: nil, part: model.schema, source: source, fits: true)
            }
            for name in model.configurations where name != NSManagedObjectModel.defaultConfigurationName {
                let part = model.part(name)
                let names = Set(part.entities.map(\.name))
                guard all.filter({ names.contains($0.key) }) == hashes else { continue }
                return ResolvedModel(model: model, configuration: name, part: part, source: source, fits: true)
            }
        }
        return nil
    }

    /// A fitting model file in the store's folder.
    private static func beside(_ url: URL, _ hashes: [String: Data]) -> ResolvedModel? {
        guard url.isFileURL else { return nil }
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names.sorted()
        where (ModelFinder.kinds + ["xcmappingmodel"]).contains((name as NSString).pathExtension) {
            // Ignore files that are not models, and models of other stores.
            guard let candidates = try? models(at: folder.appending(path: name)) else { continue }
            if let match = fitting(hashes, among: candidates) { return match }
        }
        return nil
    }
}

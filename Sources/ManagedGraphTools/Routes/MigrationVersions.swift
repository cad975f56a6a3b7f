// The versions of a model and the mapping models between them, read from files for the command `migrate`.
// MigrationRoute finds the route between versions. Reads no store.
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph

/// The versions and mapping models available to a migration.
package struct MigrationVersions: Sendable {
    /// The versions of the model, sorted by name and number.
    package private(set) var versions: [MigrationVersion] = []
    /// The version to migrate to.
    package private(set) var destination: MigrationVersion
    /// Versions found in other locations, which stores may have.
    package private(set) var others: [MigrationVersion] = []
    package private(set) var mappings: [NamedMapping] = []
    /// Models and mapping models that could not be read; each error names its file and version.
    package private(set) var unreadable: [ModelFileError] = []
    /// All versions with the names of their models; nil for a version that is in no folder of versions.
    private var named: [(model: String?, version: MigrationVersion)] = []
    /// The file that the versions come from; nil if the caller supplied them.
    private(set) var origin: URL?

    /// Reads a model with all its versions.
    ///
    /// - Parameters:
    ///   - url: Any path that `NamedModel` reads. A version inside a folder of versions implies its siblings.
    ///   - version: The name of the destination version; nil for the current one.
    ///   - places: Models, mapping models, and folders that contain them at any depth, for versions that stores may
    ///     have.
    /// - Throws: `ModelFileError`, which names the file and a remedy; also if nothing is found in a folder, since a
    ///   migration without the intended mapping models drops the data that they preserve.
    package init(at url: URL, version: String? = nil, searching places: [URL] = []) throws {
        let url = Self.versionFile(url)
        let parent = url.deletingLastPathComponent()
        let isPart =
            !ModelFinder.kindsOfFolders.contains(url.pathExtension)
            && ModelFinder.kindsOfFolders.contains(parent.pathExtension)
        let bundle = isPart ? parent : url
        let read = try NamedModel.readEach(bundle.path, needsCurrent: version == nil && !isPart)
        versions = read.models.map { MigrationVersion(name: $0.name, model: $0.model) }
        named = versions.map { (model: Self.modelName(bundle), version: $0) }
        unreadable = read.errors
        let destinationName = version ?? (isPart ? url.deletingPathExtension().lastPathComponent : read.currentName)
        guard let destination = versions.first(where: { $0.name == destinationName }) else {
            if let broken = unreadable.first(where: { ($0.version ?? destinationName) == destinationName }) {
                throw broken
            }
            throw ModelFileError(
                file: bundle.path,
                reason:
                    "there is no version named \(destinationName). There are: \(versions.map(\.name).joined(separator: ", "))."
            )
        }
        self.destination = destination
        origin = bundle
        // Beside the model, only mapping models are used; a folder named by the caller is searched completely.
        addMappings(Self.contents(of: bundle.deletingLastPathComponent()))
        for place in places { try add(place) }
        resolveMappings()
    }

    /// Uses versions supplied by the caller.
    package init(_ versions: [MigrationVersion], to destination: MigrationVersion) {
        self.versions = versions
        self.destination = destination
    }

    /// The same versions with their models transformed.
    func mapVersions(_ change: (MigrationVersion) -> MigrationVersion) -> MigrationVersions {
        var result = self
        result.versions = versions.map(change)
        result.others = others.map(change)
        result.destination = change(destination)
        return result
    }

    /// The version folder that contains a `contents` file.
    private static func versionFile(_ url: URL) -> URL {
        let parent = url.deletingLastPathComponent()
        return url.lastPathComponent == "contents" && parent.pathExtension == "xcdatamodel" ? parent : url
    }

    private mutating func add(_ place: URL) throws {
        if NSMappingModel.kinds.contains(place.pathExtension) {
            mappings.append(try Self.mapping(at: place))
        } else if ModelFinder.kinds.contains(place.pathExtension) || !Self.isFolder(place) {
            let read = try NamedModel.readEach(place.path, needsCurrent: false)
            if read.models.isEmpty, let error = read.errors.first { throw error }
            add(read, at: place)
        } else {
            try search(place)
        }
    }

    private mutating func add(_ read: NamedModel.Versions, at url: URL) {
        let found = read.models.map { MigrationVersion(name: $0.name, model: $0.model) }
        others += found
        named += found.map { (model: Self.modelName(url), version: $0) }
        unreadable += read.errors
    }

    /// The name of the folder of versions that a path names or leads into; nil if there is none.
    private static func modelName(_ url: URL) -> String? {
        let folder = [url, url.deletingLastPathComponent()].first {
            ModelFinder.kindsOfFolders.contains($0.pathExtension)
        }
        return folder?.deletingPathExtension().lastPathComponent
    }

    /// Adds the models and mapping models in a folder, at any depth; unreadable ones are recorded.
    private mutating func search(_ folder: URL) throws {
        let files = ModelSearch.paths(in: folder, kinds: ModelFinder.kinds + NSMappingModel.kinds).map {
            folder.appending(path: $0)
        }
        guard !files.isEmpty else {
            throw ModelFileError(
                file: folder.path,
                reason:
                    "no model and no mapping model was found in this folder, or in a folder inside it. Name the folder "
                    + "that has them."
            )
        }
        let previousCounts = (others.count, mappings.count, unreadable.count)
        for url in files where ModelFinder.kinds.contains(url.pathExtension) {
            do {
                add(try NamedModel.readEach(url.path, needsCurrent: false), at: url)
            } catch let error as ModelFileError {
                unreadable.append(error)
            }
        }
        addMappings(files)
        if previousCounts.0 == others.count, previousCounts.1 == mappings.count, unreadable.count > previousCounts.2 {
            throw unreadable[previousCounts.2]
        }
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private mutating func addMappings(_ files: [URL]) {
        for url in files where NSMappingModel.kinds.contains(url.pathExtension) {
            do {
                let mapping = try Self.mapping(at: url)
                if !mappings.contains(mapping) { mappings.append(mapping) }
            } catch let error as ModelFileError {
                unreadable.append(error)
            } catch {
                unreadable.append(ModelFileError(file: url.path, reason: error.localizedDescription))
            }
        }
    }

    private static func mapping(at url: URL) throws -> NamedMapping {
        NamedMapping(name: url.lastPathComponent, file: try MappingReader.read(at: url))
    }

    /// Resolves the mapping models against the current versions instead of those saved with them, after all models are
    /// read.
    private mutating func resolveMappings() {
        let named = named
        var resolved: [NamedMapping] = []
        for var mapping in mappings {
            mapping.file.resolve { model, name in
                // Another model may have versions of the same names.
                let match = named.first {
                    $0.version.name == name && ($0.model == model || $0.model == nil || model == nil)
                }
                return match?.version.model
            }
            if !resolved.contains(mapping) { resolved.append(mapping) }
        }
        mappings = resolved
    }

    private static func contents(of folder: URL) -> [URL] {
        let path = folder.path.isEmpty ? "." : folder.path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted { $0.compare($1, options: .numeric) == .orderedAscending }.map {
            folder.appending(path: $0)
        }
    }
}

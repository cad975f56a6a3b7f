// Finds the model of a container: among those the build plugin registered, else in files beside the program.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles
import Synchronization

/// Finds models by name.
package enum ModelFinder {
    /// Models made from registered text, one for each name: containers of one name share it.
    private static let loadedModels = Mutex<[String: NSManagedObjectModel]>([:])

    static func model(named name: String) throws -> NSManagedObjectModel {
        if let loaded = loadedModels.withLock({ $0[name] }) { return loaded }
        let model = try registered(name) ?? beside(name)
        guard let model else {
            let modelNames = ManagedObjectRegistry.modelNames()
            throw CoreDataError.make(
                CocoaError.Code.fileReadNoSuchFile.rawValue,
                "There is no model named \(name). "
                    + (modelNames.isEmpty
                        ? "No target of this program has a model: add \(name).xcdatamodeld to the target's folder and "
                            + "the plugin GenerateManagedObjects to its plugins."
                        : "The program has: \(modelNames.joined(separator: ", ")).")
            )
        }
        return loadedModels.withLock { models in
            if let loaded = models[name] { return loaded }
            models[name] = model
            return model
        }
    }

    private static func registered(_ name: String) throws -> NSManagedObjectModel? {
        guard let model = ManagedObjectRegistry.model(named: name),
            let version = model.versions.first(where: { $0.name == model.currentVersion }) ?? model.versions.last
        else { return nil }
        return try NSManagedObjectModel(try read(version, of: name))
    }

    static func read(_ version: ModuleRegistration.Model.Version, of name: String) throws -> Model {
        var text = version.contents()
        var model = try ModelFile.readModel(
            contents: text.withUTF8 { Data(buffer: $0) },
            file: "\(name)/\(version.name)"
        )
        for index in model.entities.indices {
            guard let className = model.entities[index].className else { continue }
            model.entities[index].className = ManagedObjectRegistry.qualified(className, inModel: name)
        }
        return model
    }

    private static func beside(_ name: String) throws -> NSManagedObjectModel? {
        for place in places() {
            for suffix in kinds {
                let url = place.folder.appending(path: "\(name).\(suffix)")
                if try FilePlacement.isThere(url.path) {
                    return try NSManagedObjectModel(schemaAt: url)
                }
            }
        }
        return nil
    }

    /// The program's folders, each once, and the bundles of resources in them; each with its contents.
    private static func places() -> [(folder: URL, contents: [URL])] {
        var folders = [Bundle.main.bundleURL]
        if let folder = Bundle.main.executableURL?.deletingLastPathComponent() { folders.append(folder) }
        if let resources = Bundle.main.resourceURL { folders.append(resources) }
        var seen: Set<String> = []
        var result: [(folder: URL, contents: [URL])] = []
        func add(_ folder: URL) -> [URL] {
            guard seen.insert(folder.resolvingSymlinksInPath().path).inserted else { return [] }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            // URLs are made for models and bundles only: the folder of a program may contain thousands of other files.
            let contents = names.filter(isModelOrBundle).sorted().map {
                folder.appending(path: $0, directoryHint: .notDirectory)
            }
            result.append((folder, contents))
            return contents
        }
        for folder in folders {
            for bundle in add(folder) where ["resources", "bundle"].contains(bundle.pathExtension) { _ = add(bundle) }
        }
        return result
    }

    /// Whether a file's name is that of a model, of a mapping model or of a bundle.
    private static func isModelOrBundle(_ name: String) -> Bool {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let kind = name[name.index(after: dot)...]
        return kindsInFolders.contains { kind == $0 }
    }

    private static let kindsInFolders = kinds + kindsOfMappings + ["resources", "bundle"]

    /// The files of one of these kinds in the program's folders.
    static func files(_ kinds: [String]) -> [URL] {
        places().flatMap(\.contents).filter { kinds.contains($0.pathExtension) }
    }

    /// The model files in the program's folders.
    static func modelFiles() -> [URL] { files(kinds) }

    /// Kinds of model files; those that hold several versions come first.
    package static let kindsOfFolders = ["xcdatamodeld", "momd"]
    package static let kinds = kindsOfFolders + ["xcdatamodel", "mom"]
    /// Kinds of files of mapping models.
    static let kindsOfMappings = ["xcmappingmodel", "cdm"]
}

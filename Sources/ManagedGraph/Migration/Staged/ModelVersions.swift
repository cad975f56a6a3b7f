import Foundation
import GraphModel
import GraphModelFiles

/// All versions of models that a program has.
struct ModelVersions {
    let name: String
    let version: String
    let model: Model

    /// The versions of a bundle; those of the program for nil and for the main bundle, registered ones first.
    static func all(in bundle: Bundle?) -> [ModelVersions] {
        var result: [ModelVersions] = []
        var files: [URL] = []
        if bundle == nil || bundle === Bundle.main {
            for registered in ManagedObjectRegistry.models() {
                result += registered.versions.compactMap { version in
                    // A version that cannot be read is none that could be meant.
                    (try? ModelFinder.read(version, of: registered.name)).map {
                        ModelVersions(name: registered.name, version: version.name, model: $0)
                    }
                }
            }
            files = ModelFinder.modelFiles()
        }
        if let bundle {
            for kind in ModelFinder.kinds {
                files += (bundle.urls(forResourcesWithExtension: kind, subdirectory: nil) ?? []).map { $0 as URL }
            }
        }
        for url in files {
            guard let file = try? ModelFile.readVersionedModel(at: url, leavesOutBroken: true) else { continue }
            let name = url.deletingPathExtension().lastPathComponent
            result += file.versions.map { ModelVersions(name: name, version: $0.name, model: $0.model) }
        }
        return result
    }
}

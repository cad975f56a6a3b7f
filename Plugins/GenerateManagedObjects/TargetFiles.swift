// Finds the models of a target. Used by GenerateManagedObjects.
import Foundation

/// The models and mapping models in a target's folder, whether or not SwiftPM lists them among the target's files; those
/// in hidden folders are left out.
struct TargetFiles {
    /// Folders of model versions, and individual models outside such folders.
    var models: [URL] = []
    /// Mapping models.
    var mappings: [URL] = []
    /// Every file inside them.
    var modelFiles: [URL] = []

    init(folder: URL) throws {
        guard let paths = FileManager.default.enumerator(atPath: folder.path) else { return }
        while let path = paths.nextObject() as? String {
            let parts = path.split(separator: "/")
            let kinds = [".xcdatamodeld", ".xcdatamodel", ".xcmappingmodel"]
            guard let index = parts.firstIndex(where: { part in kinds.contains { part.hasSuffix($0) } }) else {
                // A target's folder can be the package's, in which .build has the models of other packages.
                if parts.last?.hasPrefix(".") == true { paths.skipDescendants() }
                continue
            }
            let url = folder.appending(path: path)
            if index == parts.count - 1 {
                if path.hasSuffix(".xcmappingmodel") { mappings.append(url) } else { models.append(url) }
            } else if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                modelFiles.append(url)
            }
        }
        models.sort { $0.path < $1.path }
        mappings.sort { $0.path < $1.path }
        modelFiles.sort { $0.path < $1.path }
    }
}

// Folders of compiled models (.momd). Called by ModelFile.readVersionedModel.
import Foundation
import GraphModel

extension ModelFile {
    /// Reads all versions in a `.momd`; the optimized copy of the current one (`.omo`) is passed over.
    static func readCompiledVersions(at url: URL) throws -> VersionedModel {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw ModelFileError(
                file: url.path,
                reason: "the folder cannot be read: \(error.localizedDescription). Check the path and its permissions."
            )
        }
        let stems = names.filter { $0.hasSuffix(".mom") }.map { String($0.dropLast(".mom".count)) }
            .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        guard let last = stems.last else {
            throw ModelFileError(
                file: url.path,
                reason: "the folder holds no .mom. Choose a .momd that Xcode's compiler wrote."
            )
        }
        let versions = try stems.map { stem in
            let file = url.appendingPathComponent("\(stem).mom")
            return VersionedModel.Version(name: stem, model: try readModel(at: file), url: file)
        }
        let name = url.deletingPathExtension().lastPathComponent
        let current = try currentCompiledVersion(at: url, among: stems) ?? (stems.contains(name) ? name : last)
        return VersionedModel(name: name, versions: versions, currentName: current)
    }

    /// The version that `VersionInfo.plist` names; nil where there is no such file, and where there is one version only.
    private static func currentCompiledVersion(at url: URL, among names: [String]) throws -> String? {
        let file = url.appendingPathComponent("VersionInfo.plist")
        guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] else {
            throw ModelFileError(file: file.path, reason: "this is not a property list. Build the model again.")
        }
        guard let current = list["NSManagedObjectModel_CurrentVersionName"] as? String else { return nil }
        guard names.contains(current) else {
            throw ModelFileError(
                file: file.path,
                reason: "the current version is to be \(current), but the folder holds only "
                    + "\(names.joined(separator: ", ")). Build the model again."
            )
        }
        return current
    }
}

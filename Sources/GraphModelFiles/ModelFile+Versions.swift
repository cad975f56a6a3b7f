// Folders of model versions. Called by NSManagedObjectModel and the code generator.
import Foundation
import GraphModel

extension ModelFile {
    /// Reads all versions of a model.
    ///
    /// - Parameter url: An `.xcdatamodeld` or `.momd` folder. A single `.xcdatamodel` or `.mom` is taken as the only version.
    /// - Returns: The versions by name, and which of them is the current one.
    /// - Throws: `ModelFileError`, for a broken version too.
    package static func readVersionedModel(at url: URL) throws -> VersionedModel {
        let name = url.deletingPathExtension().lastPathComponent
        if url.pathExtension == "xcdatamodel" || url.pathExtension == "mom" {
            let version = VersionedModel.Version(name: name, model: try readModel(at: url), url: url)
            return VersionedModel(name: name, versions: [version], currentName: name)
        }
        if url.pathExtension == "momd" { return try readCompiledVersions(at: url) }
        let folders = try versionFolders(at: url)
        let currentName = try currentVersionName(at: url, among: folders)
        let versions = try folders.map { folder in
            VersionedModel.Version(
                name: folder.deletingPathExtension().lastPathComponent,
                model: try readModel(at: folder),
                url: folder
            )
        }
        return VersionedModel(name: name, versions: versions, currentName: currentName)
    }

    /// The `.xcdatamodel` folders inside, by name and number.
    private static func versionFolders(at url: URL) throws -> [URL] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw ModelFileError(file: url.path, reason: "there is no such file. Check the path.")
        }
        guard isFolder.boolValue else {
            throw ModelFileError(file: url.path, reason: "this is a file, not a folder of model versions.")
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw ModelFileError(
                file: url.path,
                reason: "the folder cannot be read: \(error.localizedDescription). Check its permissions."
            )
        }
        // Without the extension `App` comes before `App 2`, and by number `App 2` before `App 10`.
        let stems = names.filter { $0.hasSuffix(".xcdatamodel") }.map { String($0.dropLast(".xcdatamodel".count)) }
        let folders = stems.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            .map { url.appendingPathComponent("\($0).xcdatamodel") }
        guard !folders.isEmpty else {
            throw ModelFileError(
                file: url.path,
                reason: "the folder holds no .xcdatamodel. Choose an .xcdatamodeld that Xcode wrote."
            )
        }
        return folders
    }

    /// The version that `.xccurrentversion` names; without a name in it, the only one, or the one that is called like
    /// the whole, or the last by name.
    private static func currentVersionName(at url: URL, among folders: [URL]) throws -> String {
        let names = folders.map { $0.deletingPathExtension().lastPathComponent }
        let file = url.appendingPathComponent(".xccurrentversion")
        if let data = FileManager.default.contents(atPath: file.path) {
            guard
                let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            else {
                throw ModelFileError(
                    file: file.path,
                    reason: "this is not a property list. Choose the current version in Xcode's File inspector again."
                )
            }
            if let entry = list["_XCCurrentVersionName"] as? String, !entry.isEmpty {
                let name = entry.hasSuffix(".xcdatamodel") ? String(entry.dropLast(".xcdatamodel".count)) : entry
                guard names.contains(name) else {
                    throw ModelFileError(
                        file: file.path,
                        reason: "the current version is to be \(entry), but the folder holds only "
                            + "\(folders.map(\.lastPathComponent).joined(separator: ", ")). Add that version, or "
                            + "choose one of these."
                    )
                }
                return name
            }
        }
        let own = url.deletingPathExtension().lastPathComponent
        return names.contains(own) ? own : names[names.count - 1]
    }
}

// Lists and reads folders of model versions, Xcode's (.xcdatamodeld) and compiled ones (.momd). Called by
// NSManagedObjectModel, the code generator and the commands that resolve a model. Listing versions reads none of them.
import Foundation
import GraphArchives
import GraphModel

extension ModelFile {
    /// Reads all versions of a model.
    ///
    /// - Parameters:
    ///   - url: An `.xcdatamodeld` or `.momd` folder. A single `.xcdatamodel` or `.mom` counts as the only version.
    ///   - leavesOutBroken: Whether to leave out an unreadable version if there is another.
    /// - Returns: The versions by name, and the name of the current one.
    /// - Throws: `ModelFileError`, which names the version, also for an unreadable version that is not left out.
    package static func readVersionedModel(at url: URL, leavesOutBroken: Bool = false) throws -> VersionedModel {
        let list = try listVersions(at: url)
        var versions: [VersionedModel.Version] = []
        var broken: [ModelFileError] = []
        for version in list.versions {
            do {
                let reading = try examine(version, of: list)
                versions.append(
                    .init(name: version.name, model: reading.model, url: version.url, findings: reading.findings)
                )
            } catch let error as ModelFileError where leavesOutBroken {
                broken.append(error)
            }
        }
        if versions.isEmpty, let first = broken.first { throw first }
        return VersionedModel(name: list.name, versions: versions, currentName: list.currentName)
    }

    /// Reads one of several versions; an error names the version.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - list: The list that contains the version.
    /// - Returns: The model and its findings.
    /// - Throws: `ModelFileError`.
    package static func examine(_ version: VersionList.Version, of list: VersionList) throws -> ModelReading {
        do {
            return try examine(version.url)
        } catch var error as ModelFileError {
            if list.versions.count > 1 { error.version = version.name }
            throw error
        }
    }

    /// The text of one version, as Xcode writes it in `contents`.
    ///
    /// - Parameter url: As `readModel(at:)` takes it. Generates the text for a model that is an archive.
    /// - Returns: The text.
    /// - Throws: `ModelFileError`, also for a text that is not UTF-8.
    package static func text(of url: URL) throws -> String {
        let file = try modelFile(at: url)
        var data = try content(of: file)
        if data.starts(with: Data("bplist00".utf8)) { data = try ModelDocument(at: file).contents }
        guard let text = String(data: data, encoding: .utf8) else {
            throw ModelFileError(file: file.path, reason: "the file is not UTF-8. Save the model again in Xcode.")
        }
        return text
    }

    /// Lists the versions of a model without reading any.
    ///
    /// - Parameters:
    ///   - url: An `.xcdatamodeld` or `.momd` folder. Anything else counts as its own only version.
    ///   - needsCurrent: Whether a missing current version is an error.
    /// - Returns: The versions by name, and the name of the current one.
    /// - Throws: `ModelFileError` for a folder without versions, or one whose current version is missing.
    package static func listVersions(at url: URL, needsCurrent: Bool = true) throws -> VersionList {
        let isFolder = try isFolder(url)
        let name = url.deletingPathExtension().lastPathComponent
        guard isFolder else {
            if url.pathExtension == "xcdatamodeld" || url.pathExtension == "momd" {
                throw ModelFileError(file: url.path, reason: "this is a file, not a folder of model versions.")
            }
            // The name of the file is fixed; its folder has the version's name.
            let folder = url.deletingLastPathComponent()
            let versionName =
                folder.pathExtension == "xcdatamodel" ? folder.deletingPathExtension().lastPathComponent : name
            return VersionList(
                name: versionName,
                versions: [.init(name: versionName, url: url)],
                currentName: versionName
            )
        }
        if url.pathExtension == "xcdatamodel" {
            return VersionList(name: name, versions: [.init(name: name, url: url)], currentName: name)
        }
        let names = try contents(of: url)
        let kind = url.pathExtension == "momd" ? "mom" : "xcdatamodel"
        let stems = names.filter { $0.hasSuffix(".\(kind)") }.map { String($0.dropLast(kind.count + 1)) }
            // Compare without the extension: `App` precedes `App 2`, and numerically `App 2` precedes `App 10`.
            .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        guard let last = stems.last else { throw noVersions(in: url, names) }
        let current: String?
        do {
            current = try kind == "mom" ? compiledCurrent(at: url, among: stems) : self.current(at: url, among: stems)
        } catch {
            if needsCurrent { throw error }
            current = nil
        }
        return VersionList(
            name: name,
            versions: stems.map { .init(name: $0, url: url.appendingPathComponent("\($0).\(kind)")) },
            // By default, the version named like the folder, or the last by name.
            currentName: current ?? (stems.contains(name) ? name : last)
        )
    }

    private static func contents(of url: URL) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw ModelFileError(
                file: url.path,
                "the folder cannot be read",
                remedy: "Check the disk, its permissions and the limit of open files (ulimit -n).",
                cause: error
            )
        }
    }

    private static func noVersions(in url: URL, _ names: [String]) -> ModelFileError {
        let reason =
            if url.pathExtension == "xcdatamodeld" {
                "the folder contains no .xcdatamodel. Choose an .xcdatamodeld that Xcode wrote."
            } else if url.pathExtension == "momd" {
                names.contains { $0.hasSuffix(".omo") }
                    ? "the folder contains only optimized copies (.omo), which only Apple's frameworks read. Build the "
                        + "model again."
                    : "the folder contains no .mom. Choose a .momd that Xcode's compiler wrote."
            } else {
                "the folder has no file named contents, and no version of a model. Choose an .xcdatamodel that Xcode "
                    + "wrote."
            }
        return ModelFileError(file: url.path, reason: reason)
    }

    /// The version named by `.xccurrentversion`, or nil if it names none.
    private static func current(at url: URL, among names: [String]) throws -> String? {
        let file = url.appendingPathComponent(currentVersionFile)
        guard
            let entry = try entry(
                currentVersionKey,
                of: file,
                remedy: "Choose the current version in Xcode's File inspector again."
            )
        else { return nil }
        let name = entry.hasSuffix(".xcdatamodel") ? String(entry.dropLast(".xcdatamodel".count)) : entry
        guard names.contains(name) else {
            throw ModelFileError(
                file: file.path,
                reason: "the current version is to be \(entry), but the folder contains only "
                    + "\(names.map { "\($0).xcdatamodel" }.joined(separator: ", ")). Add that version, or choose one "
                    + "of these."
            )
        }
        return name
    }

    /// The version named by `VersionInfo.plist`; nil without such a file or with only one version.
    private static func compiledCurrent(at url: URL, among names: [String]) throws -> String? {
        let file = url.appendingPathComponent(versionInfoFile)
        guard let current = try entry(VersionInfoKey.currentName, of: file, remedy: "Build the model again.") else {
            return nil
        }
        guard names.contains(current) else {
            let optimized = url.appendingPathComponent("\(current).omo").path
            throw ModelFileError(
                file: file.path,
                reason: "the current version is to be \(current), but the folder contains only "
                    + "\(names.joined(separator: ", "))"
                    + (FileManager.default.fileExists(atPath: optimized)
                        ? " and an optimized copy (.omo) of it, which only Apple's frameworks read" : "")
                    + ". Build the model again."
            )
        }
        return current
    }

    /// A text in a property list, or nil if there is no such file or entry.
    private static func entry(_ key: String, of file: URL, remedy: String) throws -> String? {
        let data: Data
        do {
            guard try FilePlacement.isThere(file.path) else { return nil }
            data = try Data(contentsOf: file)
        } catch {
            throw ModelFileError(
                file: file.path,
                "the file cannot be read",
                remedy: "Check the disk, its permissions and the limit of open files (ulimit -n).",
                cause: error
            )
        }
        guard let list = PropertyList.read(data) as? [String: Any] else {
            throw ModelFileError(file: file.path, reason: "this is not a property list. \(remedy)")
        }
        guard let name = list[key] as? String, !name.isEmpty else { return nil }
        return name
    }

    /// The file in an `.xcdatamodeld` that names the current version, and its key.
    static let currentVersionFile = ".xccurrentversion"
    static let currentVersionKey = "_XCCurrentVersionName"
    /// The file in a `.momd` that lists its versions.
    static let versionInfoFile = "VersionInfo.plist"
}

/// The keys of `VersionInfo.plist`.
package enum VersionInfoKey {
    /// The name of the current version; omitted if there is only one version.
    package static let currentName = "NSManagedObjectModel_CurrentVersionName"
    /// By version, by entity: 32 bytes.
    package static let hashes = "NSManagedObjectModel_VersionHashes"
    /// By version: base64 of 32 bytes.
    package static let checksums = "NSManagedObjectModel_VersionChecksums"
}

// Whatever a command line, or a program that looks at other people's files, calls a model: found, read, and told of where it came
// from. Called by the commands; it reads and changes nothing.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQLite
import ManagedGraph

/// A model and where it was found.
package struct NamedModel: Sendable {
    /// What the model was read from.
    package enum Form: String, Sendable {
        /// XML, as Xcode keeps it.
        case contents
        /// An archive, as Xcode kept it before version 4.
        case elements
        /// A `.mom`.
        case compiled
        /// The model inside of a store.
        case store
    }

    /// The model as values.
    package let model: Model
    /// The version's name; for a store, the file's.
    package let name: String
    /// The names of all versions that are there, this one included.
    package let versions: [String]
    /// The file or folder of the version.
    package let url: URL
    package let form: Form
    /// What is wrong with the version, which could be read all the same.
    package var findings: [ModelProblem] = []

    /// Reads the model that a path names.
    ///
    /// - Parameters:
    ///   - path: An `.xcdatamodeld` or `.momd`, an `.xcdatamodel`, a `contents` or `elements` file, a `.mom`, or a SQLite store,
    ///     whose own model is taken.
    ///   - version: The name of the version, or nil for the current one.
    /// - Returns: The model.
    /// - Throws: `ModelFileError` with the file, the reason and a remedy.
    package static func read(_ path: String, version: String? = nil) throws -> NamedModel {
        let url = try self.url(path)
        if isStore(url) { return try ofStore(url, version: version) }
        // A version that is named is read also where the current one is missing.
        let list = try ModelFile.listVersions(at: url, needsCurrent: version == nil)
        guard let found = list.version(named: version) else {
            throw missing(version ?? list.currentName, in: list, url)
        }
        return try read(found, of: list)
    }

    /// Reads all versions of the model that a path names.
    ///
    /// - Parameter path: As `read(_:version:)` takes it.
    /// - Returns: The versions by name; a store has one.
    /// - Throws: `ModelFileError` for the first version that cannot be read.
    package static func readAll(_ path: String) throws -> [NamedModel] {
        let url = try self.url(path)
        if isStore(url) { return [try ofStore(url, version: nil)] }
        let list = try ModelFile.listVersions(at: url)
        return try list.versions.map { try read($0, of: list) }
    }

    /// The versions of a model, with the errors of those that cannot be read.
    package struct Versions: Sendable {
        /// By name.
        package var models: [NamedModel] = []
        /// Each names its version.
        package var errors: [ModelFileError] = []
        /// The name of the current version.
        package var currentName = ""
    }

    /// Reads all versions of the model that a path names; one that is broken does not keep the others from being read.
    ///
    /// - Parameters:
    ///   - path: As `read(_:version:)` takes it.
    ///   - needsCurrent: Whether a current version that is missing is an error.
    /// - Returns: The versions.
    /// - Throws: `ModelFileError` where there are no versions.
    package static func readEach(_ path: String, needsCurrent: Bool = true) throws -> Versions {
        let url = try self.url(path)
        if isStore(url) {
            let model = try ofStore(url, version: nil)
            return Versions(models: [model], currentName: model.name)
        }
        let list = try ModelFile.listVersions(at: url, needsCurrent: needsCurrent)
        var versions = Versions(currentName: list.currentName)
        for version in list.versions {
            do {
                versions.models.append(try read(version, of: list))
            } catch let error as ModelFileError {
                versions.errors.append(error)
            }
        }
        return versions
    }

    private static func url(_ path: String) throws -> URL {
        guard !path.isEmpty else { throw ModelFileError(file: path, reason: "there is no file without a name.") }
        return URL(fileURLWithPath: path)
    }

    /// Reads one version of a list.
    static func read(_ version: VersionList.Version, of list: VersionList) throws -> NamedModel {
        let reading = try ModelFile.examine(version, of: list)
        return NamedModel(
            model: reading.model,
            name: version.name,
            versions: list.versions.map(\.name),
            url: version.url,
            form: form(of: reading.file ?? version.url),
            findings: reading.findings
        )
    }

    /// What the file holds, which has been read.
    private static func form(of file: URL) -> Form {
        guard start(of: file, 8) == Data("bplist00".utf8) else { return .contents }
        return file.lastPathComponent == "elements" ? .elements : .compiled
    }

    private static func missing(_ version: String, in list: VersionList, _ url: URL) -> ModelFileError {
        ModelFileError(
            file: url.path,
            reason: "there is no version \(version). Choose one of "
                + "\(list.versions.map(\.name).joined(separator: ", "))."
        )
    }

    // MARK: Stores

    /// Whether the file is a SQLite database.
    static func isStore(_ url: URL) -> Bool { start(of: url, 15) == Data("SQLite format 3".utf8) }

    private static func start(of url: URL, _ count: Int) -> Data? {
        // A folder has no bytes to read.
        DatabaseFiles.head(url.path, count: count)
    }

    private static func ofStore(_ url: URL, version: String?) throws -> NamedModel {
        let name = url.lastPathComponent
        guard version == nil || version == name else {
            throw ModelFileError(file: url.path, reason: "a store holds one model. Leave the version out.")
        }
        do {
            let model = try StoreModelCache.model(at: url)
            return NamedModel(model: model, name: name, versions: [name], url: url, form: .store)
        } catch let error as NSError {
            // What is wrong with the model itself is in the error below.
            let cause = (error.userInfo[NSUnderlyingErrorKey] as? ModelFileError)?.errors.first.map { "\($0)" }
            let parts = [error.localizedDescription, cause, error.localizedRecoverySuggestion].compactMap(\.self)
            throw ModelFileError(file: url.path, reason: parts.map(\.asSentence).joined(separator: " "))
        }
    }
}

extension String {
    /// The text with a full stop at its end, where it has none.
    fileprivate var asSentence: String { hasSuffix(".") || hasSuffix("?") || hasSuffix("!") ? self : self + "." }
}

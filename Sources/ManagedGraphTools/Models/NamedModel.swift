// A model named on a command line or by a program that examines foreign files: located, read, and reported with its
// origin. Called by the commands; it reads files and changes nothing.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQLite
import ManagedGraph

/// A model and its origin.
package struct NamedModel: Sendable {
    /// The kind of file that the model was read from.
    package enum Form: String, Sendable {
        /// XML, Xcode's current format.
        case contents
        /// An archive, Xcode's format before version 4.
        case elements
        /// A `.mom`.
        case compiled
        /// The model inside a store.
        case store
    }

    /// The model as values.
    package let model: Model
    /// The version's name; for a store, the file's name.
    package let name: String
    /// The names of all existing versions, this one included.
    package let versions: [String]
    /// The file or folder of the version.
    package let url: URL
    package let form: Form
    /// Problems of the version that did not prevent reading it.
    package var findings: [ModelProblem] = []

    /// Reads the model that a path names.
    ///
    /// - Parameters:
    ///   - path: An `.xcdatamodeld` or `.momd`, an `.xcdatamodel`, a `contents` or `elements` file, a `.mom`, or a
    ///     SQLite store, whose own model is read.
    ///   - version: The name of the version, or nil for the current one.
    /// - Returns: The model.
    /// - Throws: `ModelFileError` with the file, the reason and a remedy.
    package static func read(_ path: String, version: String? = nil) throws -> NamedModel {
        let url = try self.url(path)
        if isStore(url) { return try ofStore(url, version: version) }
        // A named version can be read even if the current one is missing.
        let list = try ModelFile.listVersions(at: url, needsCurrent: version == nil)
        guard let listed = list.version(named: version) else {
            throw missing(version ?? list.currentName, in: list, url)
        }
        return try read(listed, of: list)
    }

    /// Reads all versions of the model that a path names.
    ///
    /// - Parameter path: A path as in `read(_:version:)`.
    /// - Returns: The versions by name; a store has one.
    /// - Throws: `ModelFileError` for the first version that cannot be read.
    package static func readAll(_ path: String) throws -> [NamedModel] {
        let url = try self.url(path)
        if isStore(url) { return [try ofStore(url, version: nil)] }
        let list = try ModelFile.listVersions(at: url)
        return try list.versions.map { try read($0, of: list) }
    }

    /// The versions of a model, and the errors of unreadable ones.
    package struct Versions: Sendable {
        /// Sorted by name.
        package var models: [NamedModel] = []
        /// Each error names its version.
        package var errors: [ModelFileError] = []
        /// The name of the current version.
        package var currentName = ""
    }

    /// Reads all versions of the model that a path names; a broken version does not keep the others from being read.
    ///
    /// - Parameters:
    ///   - path: A path as in `read(_:version:)`.
    ///   - needsCurrent: Whether a missing current version is an error.
    /// - Returns: The versions.
    /// - Throws: `ModelFileError` if there are no versions.
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
        guard StoreLocation.isDatabase(path) else { return URL(fileURLWithPath: path) }
        guard let url = try? StoreLocation.url(path), (try? StoreLocation.databaseType(of: url)) != nil else {
            throw ModelFileError(
                file: StoreLocation.shown(path),
                reason: "the address cannot be used: it is not a URL, or the program is built without PostgreSQL."
            )
        }
        return url
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

    /// The form of a file that has already been read successfully.
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

    /// Whether the place is a store with a model: a SQLite database, or the address of a database.
    static func isStore(_ url: URL) -> Bool {
        NSPersistentStoreCoordinator.databaseType(of: url) != nil || isSQLite(url)
    }

    private static func isSQLite(_ url: URL) -> Bool { start(of: url, 15) == Data("SQLite format 3".utf8) }

    private static func start(of url: URL, _ count: Int) -> Data? {
        // A folder has no bytes; the result is then nil.
        DatabaseFiles.head(url.path, count: count)
    }

    private static func ofStore(_ url: URL, version: String?) throws -> NamedModel {
        let name = StoreLocation.name(url)
        let place = StoreLocation.shown(url)
        guard version == nil || version == name else {
            throw ModelFileError(file: place, reason: "a store contains one model. Leave the version out.")
        }
        do {
            let model = try StoreModelCache.model(at: url)
            return NamedModel(model: model, name: name, versions: [name], url: url, form: .store)
        } catch let error as NSError {
            // The error below contains the problems of the model itself.
            let cause = (error.userInfo[NSUnderlyingErrorKey] as? ModelFileError)?.errors.first.map { "\($0)" }
            // The description of some errors contains the remedy.
            let description = error.localizedDescription
            let others = [cause, error.localizedRecoverySuggestion].compactMap(\.self)
            let parts = [description] + others.filter { !description.contains($0) }
            throw ModelFileError(file: place, reason: parts.map(\.asSentence).joined(separator: " "))
        }
    }
}

extension String {
    /// The text with a period appended unless it already ends a sentence.
    var asSentence: String { hasSuffix(".") || hasSuffix("?") || hasSuffix("!") ? self : self + "." }
}

// Whatever a command line, or a program that looks at other people's files, calls a model: found, read, and told of where it came
// from. Called by the commands; it reads and changes nothing.
import Foundation
import GraphModel
import GraphModelFiles

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

    private static func url(_ path: String) throws -> URL {
        guard !path.isEmpty else { throw ModelFileError(file: path, reason: "there is no file without a name.") }
        return URL(fileURLWithPath: path)
    }

    private static func read(_ version: VersionList.Version, of list: VersionList) throws -> NamedModel {
        let (model, file) = try ModelFile.readModelAndFile(at: version.url)
        return NamedModel(
            model: model,
            name: version.name,
            versions: list.versions.map(\.name),
            url: version.url,
            form: form(of: file)
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
        guard let handle = FileHandle(forReadingAtPath: url.path) else { return nil }
        defer { try? handle.close() }
        // A folder has no bytes to read.
        return try? handle.read(upToCount: count)
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
            let remedy = error.localizedRecoverySuggestion.map { " \($0)" } ?? ""
            throw ModelFileError(file: url.path, reason: error.localizedDescription + remedy)
        }
    }
}

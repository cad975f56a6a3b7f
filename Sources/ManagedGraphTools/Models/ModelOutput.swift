// Models to files, in the form that the file's name asks for. Called by the commands that convert and compile, and by whoever saves
// an edited model. What the forms look like is the business of ModelDocument and of the compiled models' writer.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles
import ManagedGraph

/// Writes model files as a whole: whoever looks sees what was there, or what is new.
package struct ModelOutput {
    /// A form that models are written in.
    package enum Form: String, CaseIterable, Sendable {
        /// Versions as Xcode keeps them.
        case versions = "xcdatamodeld"
        /// One version as Xcode keeps it.
        case version = "xcdatamodel"
        /// The XML of one version.
        case contents
        /// One compiled version.
        case compiled = "mom"
        /// Compiled versions with `VersionInfo.plist`.
        case compiledVersions = "momd"

        /// Whether several versions can be written.
        package var holdsVersions: Bool { self == .versions || self == .compiledVersions }

        /// The form that a file's name asks for; nil for a name that asks for none.
        package init?(_ url: URL) {
            if url.lastPathComponent == "contents" || url.pathExtension == "xml" {
                self = .contents
            } else if let form = Form(rawValue: url.pathExtension), form != .contents {
                self = form
            } else {
                return nil
            }
        }
    }

    /// A version to write.
    package struct Version: Sendable {
        package var name: String
        package var model: Model
        /// The text that the version was read from, which is kept.
        package var document: ModelDocument?

        package init(name: String, model: Model, document: ModelDocument? = nil) {
            self.name = name
            self.model = model
            self.document = document
        }
    }

    private let form: Form
    private let url: URL

    /// Prepares to write a file.
    ///
    /// - Parameters:
    ///   - url: The file, whose name asks for a form.
    ///   - isReplacing: Whether a file that is there may be replaced.
    /// - Throws: `ModelFileError` for a name that asks for no form, and for a file that is there.
    package init(_ url: URL, isReplacing: Bool = false) throws {
        guard let form = Form(url) else {
            throw ModelFileError(
                file: url.path,
                reason:
                    "the name does not say which form to write. Let it end with .xcdatamodeld, .xcdatamodel, .momd or "
                    + ".mom, or call it contents."
            )
        }
        guard isReplacing || !FileManager.default.fileExists(atPath: url.path) else {
            throw ModelFileError(
                file: url.path,
                reason: "the file is there already. Choose another name, or --force to replace it."
            )
        }
        (self.form, self.url) = (form, url)
    }

    /// Whether several versions can be written.
    package var holdsVersions: Bool { form.holdsVersions }

    /// Writes versions of a model.
    ///
    /// - Parameters:
    ///   - versions: The versions; one for a form that holds one.
    ///   - current: The name of the current one.
    /// - Returns: What the form has no place for and was left out.
    /// - Throws: `ModelFileError`; nothing is changed then.
    package func write(_ versions: [Version], current: String) throws -> [ModelProblem] {
        guard let first = versions.first, holdsVersions || versions.count == 1 else {
            throw ModelFileError(file: url.path, reason: "this form holds one version. Choose the version to write.")
        }
        var losses: [ModelProblem] = []
        func document(_ version: Version) throws -> ModelDocument {
            let document = try version.document ?? ModelDocument(model: version.model, file: version.name)
            losses += document.losses(of: version.model)
            return document
        }
        switch form {
        case .contents: try replace(url, with: document(first).contents)
        case .compiled: try replace(url, with: compiled(first))
        case .version: try replaceFolder(["contents": document(first).contents])
        case .versions:
            var files = [".xccurrentversion": try Self.currentVersion("\(current).xcdatamodel")]
            for version in versions { files["\(version.name).xcdatamodel/contents"] = try document(version).contents }
            try replaceFolder(files)
        case .compiledVersions:
            var files = ["VersionInfo.plist": try VersionInformation.list(of: versions, current: current)]
            for version in versions { files["\(version.name).mom"] = try compiled(version) }
            try replaceFolder(files)
        }
        return losses
    }

    /// Saves an edited text in the place of the one that it was read from.
    ///
    /// - Parameters:
    ///   - document: The text.
    ///   - url: The `contents` file.
    /// - Throws: `ModelFileError`; the file is then as it was.
    package static func save(_ document: ModelDocument, to url: URL) throws {
        try naming(url) { try FileReplacement.write(document.contents, to: url.path) }
    }

    private func compiled(_ version: Version) throws -> Data {
        do {
            return try ModelFile.compiled(version.model)
        } catch {
            throw ModelFileError(
                file: url.path,
                reason: "the version \(version.name) cannot be compiled: \(error). Correct the model."
            )
        }
    }

    /// The list that names the current version, as Xcode writes it.
    private static func currentVersion(_ name: String) throws -> Data {
        try PropertyListSerialization.data(
            fromPropertyList: ["_XCCurrentVersionName": name],
            format: .xml,
            options: 0
        )
    }

    private func replace(_ url: URL, with data: Data) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            throw ModelFileError(file: url.path, reason: "this is a folder. Choose another name for the file.")
        }
        try Self.naming(url) { try FileReplacement.write(data, to: url.path) }
    }

    private func replaceFolder(_ files: [String: Data]) throws {
        try Self.naming(url) { try FolderReplacement.write(files, to: url.path) }
    }

    private static func naming(_ url: URL, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            let cause = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
            throw ModelFileError(
                file: url.path,
                reason:
                    "the file cannot be written: \(cause). Check the folder, its permissions and the space on the disk."
            )
        }
    }
}

/// What a `.momd` says of its versions.
enum VersionInformation {
    /// `VersionInfo.plist` as Xcode's compiler writes it.
    static func list(of versions: [ModelOutput.Version], current: String) throws -> Data {
        let hashes = versions.map { ($0.name, $0.model.versionHashes()) }
        let checksums = versions.map { ($0.name, $0.model.versionChecksum()) }
        var list: [String: Any] = [
            VersionInfoKey.hashes: Dictionary(hashes) { first, _ in first },
            VersionInfoKey.checksums: Dictionary(checksums) { first, _ in first },
        ]
        if versions.count > 1 { list[VersionInfoKey.currentName] = current }
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }
}

extension NamedModel {
    /// The model to be written in another form: with its text, where it has one.
    ///
    /// - Parameter name: The name that the version gets; nil for its own.
    /// - Returns: The version.
    /// - Throws: `ModelFileError` where the file has gone meanwhile.
    package func output(named name: String? = nil) throws -> ModelOutput.Version {
        var document: ModelDocument?
        if form == .contents { document = try ModelDocument(at: url) }
        return ModelOutput.Version(name: name ?? self.name, model: model, document: document)
    }
}

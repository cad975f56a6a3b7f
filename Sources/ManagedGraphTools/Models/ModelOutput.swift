// Writes models to files, in the form that the file's name implies. Called by the commands that convert and compile,
// and by programs that save an edited model. The forms themselves are defined by ModelDocument and the writer of
// compiled models.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles
import ManagedGraph

/// Writes model files atomically: a reader sees either the old or the new contents.
package struct ModelOutput {
    /// A form in which models are written.
    package enum Form: String, CaseIterable, Sendable {
        /// A folder of versions in Xcode's format.
        case versions = "xcdatamodeld"
        /// One version in Xcode's format.
        case version = "xcdatamodel"
        /// The XML of one version.
        case contents
        /// One compiled version.
        case compiled = "mom"
        /// Compiled versions with `VersionInfo.plist`.
        case compiledVersions = "momd"

        /// Whether the form can hold several versions.
        package var holdsVersions: Bool { self == .versions || self == .compiledVersions }

        /// The form that a file's name implies; nil if it implies none.
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
        /// The source text of the version, which is preserved.
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
    ///   - url: The file, whose name implies the form.
    ///   - isReplacing: Whether an existing file may be replaced.
    /// - Throws: `ModelFileError` if the name implies no form, or if the file exists and may not be replaced.
    package init(_ url: URL, isReplacing: Bool = false) throws {
        guard let form = Form(url) else {
            throw ModelFileError(
                file: url.path,
                reason:
                    "the name does not choose a form. Let it end with .xcdatamodeld, .xcdatamodel, .momd or "
                    + ".mom, or call it contents."
            )
        }
        guard try isReplacing || !FilePlacement.isThere(url.path) else {
            throw ModelFileError(
                file: url.path,
                reason: "the file is there already. Choose another name, or --force to replace it.",
                code: .fileWriteFileExists
            )
        }
        (self.form, self.url) = (form, url)
    }

    /// Whether the form can hold several versions.
    package var holdsVersions: Bool { form.holdsVersions }

    /// Writes versions of a model.
    ///
    /// - Parameters:
    ///   - versions: The versions; exactly one if the form holds only one.
    ///   - current: The name of the current version.
    /// - Returns: The parts left out because the form cannot represent them.
    /// - Throws: `ModelFileError`; nothing is changed in that case.
    package func write(_ versions: [Version], current: String) throws -> [ModelProblem] {
        guard let first = versions.first, holdsVersions || versions.count == 1 else {
            throw ModelFileError(file: url.path, reason: "this form contains one version. Choose the version to write.")
        }
        var losses: [ModelProblem] = []
        func document(_ version: Version) throws -> ModelDocument {
            let document = try version.document ?? ModelDocument(model: version.model, file: version.name)
            try document.checkCharacters()
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

    /// Saves an edited document to the file that it was read from.
    ///
    /// - Parameters:
    ///   - document: The edited document.
    ///   - url: The `contents` file.
    /// - Throws: `ModelFileError`; the file is unchanged in that case.
    package static func save(_ document: ModelDocument, to url: URL) throws {
        try document.checkCharacters()
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

    /// The property list that names the current version, as Xcode writes it.
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
            throw ModelFileError(
                file: url.path,
                "the file cannot be written",
                remedy: "Check the folder, its permissions and the space on the disk.",
                cause: error
            )
        }
    }
}

extension NamedModel {
    /// The model as a version to write in another form, with its source text if it has one.
    ///
    /// - Parameter name: The name of the new version; nil to keep its own.
    /// - Returns: The version.
    /// - Throws: `ModelFileError` if the file no longer exists.
    package func output(named name: String? = nil) throws -> ModelOutput.Version {
        var document: ModelDocument?
        if form == .contents { document = try ModelDocument(at: url) }
        return ModelOutput.Version(name: name ?? self.name, model: model, document: document)
    }
}

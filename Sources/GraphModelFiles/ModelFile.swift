// The entry point for model files. Called by NSManagedObjectModel, the code generator and tests.
// It locates files and reports errors with their paths; ContentsReader interprets the XML.
import Foundation
import GraphArchives
import GraphModel

/// Reads the model files that Xcode writes.
package enum ModelFile {
    /// Reads one version of a model.
    ///
    /// The content of the file determines its format, not its name.
    ///
    /// - Parameter url: An `.xcdatamodel` folder, the `contents` or `elements` in it, or a `.mom`.
    /// - Returns: The model.
    /// - Throws: `ModelFileError`, naming the entity and property if there is one.
    package static func readModel(at url: URL) throws -> Model {
        try examine(url).model
    }

    /// Reads one version of a model, and returns its findings and the file that holds it.
    ///
    /// - Parameter url: As `readModel(at:)` takes it.
    /// - Returns: The model, its findings and the file that was read.
    /// - Throws: `ModelFileError` for a model that Apple's compiler refuses, or a file that is not a model.
    package static func examine(_ url: URL) throws -> ModelReading {
        let file = try modelFile(at: url)
        var reading = try examine(content(of: file), file: file.path)
        reading.file = file
        return reading
    }

    /// Reads one version of a model from the data of one of its files.
    ///
    /// - Parameters:
    ///   - data: XML, or the keyed archive of a compiled model or of one that Xcode wrote before version 4.
    ///   - file: The name for errors.
    /// - Returns: The model.
    /// - Throws: `ModelFileError`, naming the entity and property if there is one.
    package static func readModel(_ data: Data, file: String) throws -> Model {
        try examine(data, file: file).model
    }

    /// Reads one version of a model from the data of one of its files, and returns its findings.
    ///
    /// - Parameters:
    ///   - data: As `readModel(_:file:)` takes them.
    ///   - file: The name for errors.
    /// - Returns: The model and its findings.
    /// - Throws: `ModelFileError` for a model that Apple's compiler refuses, or data that are not a model.
    package static func examine(_ data: Data, file: String) throws -> ModelReading {
        if data.starts(with: Data("bplist00".utf8)) {
            guard let archive = KeyedArchive(data), let root = archive.root else { throw damagedArchive(file) }
            return root.className == EditorModelReader.className
                ? try EditorModelReader.read(archive, file: file) : try CompiledModelReader.read(archive, file: file)
        }
        if let foreign = foreignKind(of: data) { throw ModelFileError(file: file, reason: foreign) }
        return try examine(rootOfModel(data, file: file), file: file)
    }

    private static func damagedArchive(_ file: String) -> ModelFileError {
        ModelFileError(
            file: file,
            reason: URL(fileURLWithPath: file).lastPathComponent == "elements"
                ? "the archive is damaged: it should contain a model as Xcode wrote it before version 4. Restore it from "
                    + "version control or a backup."
                : "the archive is damaged: it should contain a compiled model. Build the model again."
        )
    }

    /// The kind of a file that is not a model, and a remedy; nil if the file may be a model.
    static func foreignKind(of data: Data) -> String? {
        if data.isEmpty {
            return "the file is empty. Restore it from version control or a backup."
        }
        if data.starts(with: Data("momv2$".utf8)) {
            return
                "this is the optimized copy of a compiled model (.omo), which only Apple's frameworks read. Choose the "
                + ".mom beside it, or build the model again."
        }
        if data.starts(with: Data("SQLite format 3".utf8)) || data.starts(with: Data("CoreData".utf8)) {
            return "this is a store, not a model. Choose the model that it was made with."
        }
        return nil
    }

    /// Reads a compiled model.
    ///
    /// - Parameters:
    ///   - compiled: A keyed archive of `NSManagedObjectModel`.
    ///   - file: The name for errors.
    /// - Returns: The model. A compiled model lacks settings that only generated code uses.
    /// - Throws: `ModelFileError`, naming the entity and property if there is one.
    package static func readModel(compiled: Data, file: String) throws -> Model {
        try CompiledModelReader.read(KeyedArchive(compiled), file: file).model
    }

    /// Reads the model that a store holds in `Z_MODELCACHE`.
    ///
    /// - Parameters:
    ///   - cache: Raw deflate data that hold a keyed archive of `NSManagedObjectModel`.
    ///   - file: The name for errors.
    /// - Returns: The model.
    /// - Throws: `ModelFileError`.
    package static func readModel(cache: Data, file: String) throws -> Model {
        let archive: Data
        do {
            archive = try RawDeflate.inflate(cache, limit: min(cacheLimit, max(cacheFloor, 16 * cache.count)))
        } catch {
            throw ModelFileError(
                file: file,
                reason: "the store's own model cannot be decompressed: it is damaged. Open the store with a model."
            )
        }
        return try readModel(compiled: archive, file: file)
    }

    /// A model as a store holds it in `Z_MODELCACHE`.
    ///
    /// - Parameter model: The model.
    /// - Returns: Raw deflate data that hold a keyed archive of `NSManagedObjectModel`.
    /// - Throws: An error for an invalid predicate or expression in the model.
    package static func cache(of model: Model) throws -> Data {
        RawDeflate.deflate(try CompiledModelWriter.write(model, form: .cache))
    }

    /// A model as Xcode's compiler writes it.
    ///
    /// - Parameter model: The model.
    /// - Returns: A keyed archive of `NSManagedObjectModel`, as a `.mom` holds it.
    /// - Throws: An error for an invalid predicate or expression in the model.
    package static func compiled(_ model: Model) throws -> Data {
        try CompiledModelWriter.write(model, form: .file)
    }

    /// Larger data are not a model, but an attempt to exhaust memory.
    private static let cacheLimit = 64 << 20
    /// Archives of models shrink to a fifth or a tenth; only small ones may be compressed further.
    private static let cacheFloor = 1 << 20

    /// Reads one version of a model from the text of its `contents` file.
    ///
    /// - Parameters:
    ///   - contents: The XML.
    ///   - file: The name for errors.
    /// - Returns: The model.
    /// - Throws: `ModelFileError`, naming the entity and property if there is one.
    package static func readModel(contents: Data, file: String) throws -> Model {
        try examine(rootOfModel(contents, file: file), file: file).model
    }

    /// The model of an element tree, as far as Apple's compiler accepts it, or as it is written.
    static func examine(_ root: ModelNode, file: String, keepsFaults: Bool = false) throws -> ModelReading {
        var reader = ContentsReader()
        let model = reader.readModel(root)
        let findings = reader.problems + model.problems()
        if keepsFaults { return ModelReading(model: model, findings: findings) }
        guard !findings.contains(where: { $0.level == .error }) else {
            throw ModelFileError(file: file, problems: findings)
        }
        return ModelReading(model: model.usablePart(findings), findings: findings)
    }

    /// The `<model>` element of a text.
    static func rootOfModel(_ contents: Data, file: String) throws -> ModelNode {
        let root: ModelNode
        do {
            root = try ModelXMLParser.parse(contents)
        } catch {
            throw ModelFileError(file: file, reason: error.message)
        }
        guard root.name == "model" else {
            throw ModelFileError(
                file: file,
                reason: "this is not a Core Data model: the XML begins with <\(root.name)> instead of <model>. Choose "
                    + "the contents file of an .xcdatamodel."
            )
        }
        if let type = root["type"], type != "com.apple.IDECoreDataModeler.DataModel" {
            throw ModelFileError(
                file: file,
                reason: "this is not a Core Data model: its type is \(type). Choose the contents file of an "
                    + ".xcdatamodel."
            )
        }
        return root
    }

    /// The file that holds the model; XML takes precedence over an archive.
    ///
    /// - Parameter url: A version's folder, or a file in it.
    /// - Returns: The file.
    /// - Throws: `ModelFileError` if there is none.
    package static func modelFile(at url: URL) throws -> URL {
        guard try isFolder(url) else { return url }
        for name in ["contents", "elements"] {
            let file = url.appendingPathComponent(name)
            if try reportingUnreadable(file, { try FilePlacement.isThere(file.path) }) { return file }
        }
        let holdsVersions = ["xcdatamodeld", "momd"].contains(url.pathExtension)
        throw ModelFileError(
            file: url.path,
            reason: holdsVersions
                ? "this is a folder of model versions. Read it with readVersionedModel(at:)."
                : "the folder has no file named contents. Choose an .xcdatamodel that Xcode wrote."
        )
    }

    package static func missing(_ file: URL) -> ModelFileError {
        ModelFileError(file: file.path, reason: "the file does not exist. Check the path.", code: .fileReadNoSuchFile)
    }

    /// Whether a model is a folder.
    ///
    /// - Throws: `ModelFileError` if there is nothing, or if the file system reports an error.
    static func isFolder(_ url: URL) throws -> Bool {
        guard let isFolder = try reportingUnreadable(url, { try FilePlacement.isFolder(url.path) }) else {
            throw missing(url)
        }
        return isFolder
    }

    /// The bytes of a file.
    static func content(of file: URL) throws -> Data {
        try reportingUnreadable(file) {
            do {
                return try Data(contentsOf: file)
            } catch CocoaError.fileReadNoSuchFile {
                throw missing(file)
            }
        }
    }

    private static func reportingUnreadable<Result>(_ file: URL, _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error as ModelFileError {
            throw error
        } catch {
            throw ModelFileError(
                file: file.path,
                "the file cannot be read",
                remedy: "Check the disk, its permissions and the limit of open files (ulimit -n).",
                cause: error
            )
        }
    }
}

// The way into model files. Called by NSManagedObjectModel, the code generator and tests.
// It finds files and reports errors with their paths; what the XML means is ContentsReader's business.
import Foundation
import GraphModel

/// Reads the model files that Xcode writes.
package enum ModelFile {
    /// Reads one version of a model.
    ///
    /// - Parameter url: An `.xcdatamodel` folder, the `contents` file in it, or a `.mom`.
    /// - Returns: The model.
    /// - Throws: `ModelFileError`, naming the entity and property where there is one.
    package static func readModel(at url: URL) throws -> Model {
        if let legacy = legacyModel(at: url) { return legacy }
        let file = try contentsFile(at: url)
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw ModelFileError(file: file.path, reason: "the file cannot be read. Check its permissions.")
        }
        if url.pathExtension == "mom" { return try readModel(compiled: data, file: file.path) }
        return try readModel(contents: data, file: file.path)
    }

    /// Reads a compiled model.
    ///
    /// - Parameters:
    ///   - compiled: A keyed archive of `NSManagedObjectModel`.
    ///   - file: The name to give in errors.
    /// - Returns: The model. What only generated code uses is not in a compiled model.
    /// - Throws: `ModelFileError`, naming the entity and property where there is one.
    package static func readModel(compiled: Data, file: String) throws -> Model {
        try CompiledModelReader.read(compiled, file: file)
    }

    /// Reads the model that a store holds in `Z_MODELCACHE`.
    ///
    /// - Parameters:
    ///   - cache: Raw deflate data that hold a keyed archive of `NSManagedObjectModel`.
    ///   - file: The name to give in errors.
    /// - Returns: The model.
    /// - Throws: `ModelFileError`.
    package static func readModel(cache: Data, file: String) throws -> Model {
        let archive: Data
        do {
            archive = try RawDeflate.inflate(cache, limit: cacheLimit)
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
    /// - Throws: What is wrong with a predicate or an expression in the model.
    package static func cache(of model: Model) throws -> Data {
        RawDeflate.deflate(try CompiledModelWriter.write(model, form: .cache))
    }

    /// No model is as large as this; what claims to be is made to fill the memory.
    private static let cacheLimit = 64 << 20

    /// Reads one version of a model from the text of its `contents` file.
    ///
    /// - Parameters:
    ///   - contents: The XML.
    ///   - file: The name to give in errors.
    /// - Returns: The model.
    /// - Throws: `ModelFileError`, naming the entity and property where there is one.
    package static func readModel(contents: Data, file: String) throws -> Model {
        if contents.starts(with: Data("bplist00".utf8)) {
            throw ModelFileError(
                file: file,
                reason: "this is a binary archive, as Xcode wrote models before version 4, not XML. Open the model in "
                    + "a current Xcode and save it."
            )
        }
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
        var reader = ContentsReader()
        let model = reader.readModel(root)
        let problems = reader.problems + model.problems()
        guard problems.isEmpty else { throw ModelFileError(file: file, problems: problems) }
        return model
    }

    /// A model as Xcode wrote it before version 4, where its archive can be read.
    private static func legacyModel(at url: URL) -> Model? {
        let file = url.appendingPathComponent("elements")
        guard url.pathExtension == "xcdatamodel",
            !FileManager.default.fileExists(atPath: url.appendingPathComponent("contents").path),
            let data = FileManager.default.contents(atPath: file.path), let model = EditorModelReader.read(data),
            !model.entities.isEmpty, model.problems().isEmpty
        else { return nil }
        return model
    }

    private static func contentsFile(at url: URL) throws -> URL {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw ModelFileError(file: url.path, reason: "there is no such file. Check the path.")
        }
        guard isFolder.boolValue else { return url }
        let contents = url.appendingPathComponent("contents")
        guard FileManager.default.fileExists(atPath: contents.path) else {
            let isLegacy = FileManager.default.fileExists(atPath: url.appendingPathComponent("elements").path)
            let isBundle = url.pathExtension == "xcdatamodeld"
            let reason =
                isLegacy
                ? "this is a model as Xcode wrote it before version 4, damaged or without entities. Open it "
                    + "in a current Xcode and save it as XML."
                : isBundle
                    ? "this is a folder of model versions. Read it with readVersionedModel(at:)."
                    : "the folder has no file named contents. Choose an .xcdatamodel that Xcode wrote."
            throw ModelFileError(file: url.path, reason: reason)
        }
        return contents
    }
}

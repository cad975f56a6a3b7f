// A version of a model, named so that it can be found when a migration needs it. Made by programs for custom stages.
import Foundation
import GraphModel
import GraphModelFiles

/// A model that is looked up by its checksum when it is needed.
///
/// See [NSManagedObjectModelReference](https://developer.apple.com/documentation/coredata/nsmanagedobjectmodelreference).
open class NSManagedObjectModelReference: NSObject {
    private enum Place {
        case model(NSManagedObjectModel)
        case file(URL)
        case hashes([AnyHashable: Any], Bundle?)
        case name(String, Bundle?)
    }

    private let place: Place
    /// The checksum that the model has, as `NSManagedObjectModel.versionChecksum` gives it.
    public final let versionChecksum: String
    private var cachedModel: NSManagedObjectModel?

    /// Refers to a model in memory.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - versionChecksum: Its checksum.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        place = .model(model)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// Refers to the model of a file.
    ///
    /// - Parameters:
    ///   - fileURL: A model file of any kind; if it has several versions, the one with the checksum is used.
    ///   - versionChecksum: The model's checksum.
    public init(fileURL: URL, versionChecksum: String) {
        place = .file(fileURL)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// Refers to the version with these hashes.
    ///
    /// - Parameters:
    ///   - versionHash: The version hashes of the entities by name, as a store's metadata have them.
    ///   - bundle: The bundle of the model; nil for the program.
    ///   - versionChecksum: The model's checksum.
    public init(entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String) {
        place = .hashes(versionHash, bundle)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// Refers to a version by its name.
    ///
    /// - Parameters:
    ///   - modelName: The name of a model or of a version of one, without a suffix.
    ///   - bundle: The bundle of the model; nil for the program.
    ///   - versionChecksum: The model's checksum.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        place = .name(modelName, bundle)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// The model.
    ///
    /// Stops the program with a message if no model has the checksum; `resolve()` and a migration throw 134504 instead.
    open var resolvedModel: NSManagedObjectModel {
        do {
            return try resolve()
        } catch {
            preconditionFailure(CoreDataError.stopMessage(error))
        }
    }

    /// The model, found once.
    ///
    /// - Returns: The model.
    /// - Throws: 134504 if no model has the checksum.
    public final func resolve() throws -> NSManagedObjectModel {
        if let cachedModel { return cachedModel }
        var seen: [String] = []
        for candidate in try candidates() {
            let checksum = candidate.versionChecksum()
            if checksum == versionChecksum {
                let model = try model(of: candidate)
                cachedModel = model
                return model
            }
            seen.append(checksum)
        }
        throw CoreDataError.unresolvedReference(placeDescription, versionChecksum, seen)
    }

    /// A model in memory is used itself, so that its classes and closures stay.
    private func model(of candidate: Model) throws -> NSManagedObjectModel {
        if case .model(let model) = place { return model }
        return try NSManagedObjectModel(candidate)
    }

    private func candidates() throws -> [Model] {
        switch place {
        case .model(let model): return [model.schema]
        case .file(let url):
            let file = try ModelFile.readVersionedModel(at: url, leavesOutBroken: true)
            return file.versions.map(\.model)
        case .hashes(let hashes, let bundle):
            let versionHashes = hashes as? [String: Data] ?? [:]
            return ModelVersions.all(in: bundle).map(\.model).filter { $0.versionHashes() == versionHashes }
        case .name(let name, let bundle):
            let versions = ModelVersions.all(in: bundle)
            return versions.filter { $0.version == name }.map(\.model)
                + versions.filter { $0.name == name && $0.version != name }.map(\.model)
        }
    }

    private var placeDescription: String {
        switch place {
        case .model: "the model in memory"
        case .file(let url): "the file \(url.path)"
        case .hashes: "the version hashes"
        case .name(let name, _): "the name \(name)"
        }
    }
}

extension NSManagedObjectModel {
    /// The checksums of the versions of a model file.
    ///
    /// See [checksumsForVersionedModel(at:)](https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel).
    ///
    /// - Parameter modelURL: A `.momd`, an `.xcdatamodeld`, or a file of one version.
    /// - Returns: The checksums by the versions' names.
    /// - Throws: The errors of reading the file.
    public class func __checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
        let versions = try ModelFile.readVersionedModel(at: modelURL).versions
        return Dictionary(versions.map { ($0.name, $0.model.versionChecksum()) }) { first, _ in first }
    }
}

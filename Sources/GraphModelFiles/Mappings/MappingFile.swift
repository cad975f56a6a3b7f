// The content of an .xcmappingmodel or .cdm, as values. Created by MappingReader; embedded in programs as JSON by the
// code generator; read by NSMappingModel, which interprets the expressions.
import Foundation
import GraphModel

/// A mapping model as Xcode's editor keeps it.
package struct MappingFile: Sendable, Hashable, Codable {
    /// The mapping of one entity's objects.
    package struct EntityMapping: Sendable, Hashable, Codable {
        package var name: String
        package var sourceName: String?
        package var destinationName: String?
        package var policyClassName: String?
        /// The format of the filter for the source's objects.
        package var sourcePredicate: String?
        package var userInfo: [String: String]
        package var attributes: [PropertyMapping]
        package var relationships: [PropertyMapping]
        /// Raw value of `NSEntityMappingType` in a compiled mapping; for the editor's, derived from the hashes.
        package var type: Int?
        /// The keyed archive of the expression that fetches the source's objects, in a compiled mapping.
        package var sourceExpression: Data?
    }

    /// The mapping of one property's value.
    package struct PropertyMapping: Sendable, Hashable, Codable {
        package var name: String
        /// The keyed archive of the value's expression; nil if the editor derives it from the names.
        package var expression: Data?
        /// For a relationship: the entity mapping of its destination objects, and the key path of their sources.
        package var mappingName: String?
        package var sourceKeyPath: String?
    }

    /// The version hashes of the entities of both models.
    package var sourceHashes: [String: Data]
    package var destinationHashes: [String: Data]
    /// The names of the source's properties by entity, inherited ones included.
    package var sourceProperties: [String: Set<String>]
    /// The paths of the models as recorded by the editor.
    package var sourcePath: String
    package var destinationPath: String
    /// In order of execution.
    package var entities: [EntityMapping]

    /// Replaces the source model embedded in the file with the one that the file's path refers to now.
    package mutating func setSource(_ model: Model) {
        sourceHashes = model.versionHashes()
        sourceProperties = Dictionary(
            model.entities.map { ($0.name, Set(model.allProperties(ofEntityNamed: $0.name).map(\.name))) }
        ) { first, _ in first }
    }

    /// Replaces the destination model in the same way.
    package mutating func setDestination(_ model: Model) {
        destinationHashes = model.versionHashes()
    }

    /// Replaces the embedded models with the versions at the end of the paths, if the folder has them: the current
    /// versions count, not those at the time of the last save.
    ///
    /// - Parameter find: Returns the version with a name, in the model with a name if the path contains one.
    package mutating func resolve(_ find: (_ model: String?, _ version: String) throws -> Model?) rethrows {
        func version(_ path: String) throws -> Model? {
            let parts = path.split(separator: "/").map(String.init)
            guard let last = parts.last, last.hasSuffix(".xcdatamodel") else { return nil }
            let folder = parts.dropLast().last.flatMap { name in
                name.hasSuffix(".xcdatamodeld") ? String(name.dropLast(".xcdatamodeld".count)) : nil
            }
            return try find(folder, String(last.dropLast(".xcdatamodel".count)))
        }
        if let model = try version(sourcePath) { setSource(model) }
        if let model = try version(destinationPath) { setDestination(model) }
    }

    /// The JSON text of the mapping.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Reads the JSON text of a mapping.
    package init(json: String) throws {
        self = try JSONDecoder().decode(MappingFile.self, from: Data(json.utf8))
    }

    package init(sourcePath: String = "", destinationPath: String = "", entities: [EntityMapping] = []) {
        sourceHashes = [:]
        destinationHashes = [:]
        sourceProperties = [:]
        self.sourcePath = sourcePath
        self.destinationPath = destinationPath
        self.entities = entities
    }
}

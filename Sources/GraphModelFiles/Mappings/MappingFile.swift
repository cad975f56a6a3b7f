// What an .xcmappingmodel or .cdm says, as values. Made by MappingReader; kept in programs as JSON by the code generator; read by
// NSMappingModel, which knows what the expressions mean.
import Foundation
import GraphModel

/// A mapping model as Xcode's editor keeps it.
package struct MappingFile: Sendable, Hashable, Codable {
    /// What becomes of one entity's objects.
    package struct EntityMapping: Sendable, Hashable, Codable {
        package var name: String
        package var sourceName: String?
        package var destinationName: String?
        package var policyClassName: String?
        /// The filter over the source's objects, as a format.
        package var sourcePredicate: String?
        package var userInfo: [String: String]
        package var attributes: [PropertyMapping]
        package var relationships: [PropertyMapping]
        /// Raw value of `NSEntityMappingType`, as a compiled mapping says it; the editor's is found by the hashes.
        package var type: Int?
        /// What gives the source's objects: the keyed archive of a compiled mapping's expression.
        package var sourceExpression: Data?
    }

    /// What one property is set to.
    package struct PropertyMapping: Sendable, Hashable, Codable {
        package var name: String
        /// The value's expression: a keyed archive; nil where the editor makes one of the names.
        package var expression: Data?
        /// For a relationship: the entity mapping whose objects it leads to, and where their sources are found.
        package var mappingName: String?
        package var sourceKeyPath: String?
    }

    /// The entities' version hashes of both models.
    package var sourceHashes: [String: Data]
    package var destinationHashes: [String: Data]
    /// The names of the source's properties by entity, inherited ones included.
    package var sourceProperties: [String: Set<String>]
    /// The paths of the models as the editor has noted them.
    package var sourcePath: String
    package var destinationPath: String
    /// In the order in which they are run.
    package var entities: [EntityMapping]

    /// Takes another model than the one inside of the file: the one that the file's path names now.
    package mutating func setSource(_ model: Model) {
        sourceHashes = model.versionHashes()
        sourceProperties = Dictionary(
            model.entities.map { ($0.name, Set(model.allProperties(ofEntityNamed: $0.name).map(\.name))) }
        ) { first, _ in first }
    }

    /// The same for the destination.
    package mutating func setDestination(_ model: Model) {
        destinationHashes = model.versionHashes()
    }

    /// Takes the versions that the paths end with, where the folder has them: they count, not what was true when the file was
    /// saved.
    ///
    /// - Parameter find: The version of a name, of the model of a name where the path has one.
    package mutating func resolve(_ find: (_ model: String?, _ version: String) -> Model?) {
        func version(_ path: String) -> Model? {
            let parts = path.split(separator: "/").map(String.init)
            guard let last = parts.last, last.hasSuffix(".xcdatamodel") else { return nil }
            let folder = parts.dropLast().last.flatMap { name in
                name.hasSuffix(".xcdatamodeld") ? String(name.dropLast(".xcdatamodeld".count)) : nil
            }
            return find(folder, String(last.dropLast(".xcdatamodel".count)))
        }
        if let model = version(sourcePath) { setSource(model) }
        if let model = version(destinationPath) { setDestination(model) }
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

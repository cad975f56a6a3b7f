// Reads mapping models as Xcode's compiler writes them (.cdm): keyed archives of NSMappingModel. Called by
// MappingReader.
// It reads objects by their entries and never instantiates a class that the archive names. Each expression stays an
// archive of its own.
import Foundation
import GraphArchives

/// Reads the archive of a mapping model.
struct CompiledMappingReader {
    private let archive: KeyedArchive
    private let file: String

    /// The mapping.
    ///
    /// - Throws: `ModelFileError` for data that are not an archive of a mapping model, or a damaged one.
    static func read(_ data: Data, file: String) throws(ModelFileError) -> MappingFile {
        guard let archive = KeyedArchive(data), let root = archive.root, root.className == "NSMappingModel" else {
            throw ModelFileError(
                file: file,
                reason: "this is not a compiled mapping model, or a damaged one. Build the mapping model again."
            )
        }
        return try CompiledMappingReader(archive: archive, file: file).mapping(root)
    }

    private func mapping(_ root: KeyedArchive.Object) throws(ModelFileError) -> MappingFile {
        let listed = archive.members(archive.object("NSEntityMappings", of: root))
        let mappingsByName = archive.pairs(archive.object("NSEntityMappingsByName", of: root)).map(\.value)
        var result = MappingFile()
        for reference in listed.isEmpty ? mappingsByName : listed {
            guard let object = archive.object(reference), object.className == "NSEntityMapping" else {
                throw damaged("an entity mapping is missing")
            }
            let mapping = try entity(object)
            if let source = mapping.sourceName {
                result.sourceHashes[source] = hash("NSSourceEntityVersionHash", object)
            }
            if let destination = mapping.destinationName {
                result.destinationHashes[destination] = hash("NSDestinationEntityVersionHash", object)
            }
            result.entities.append(mapping)
        }
        guard !result.entities.isEmpty else { throw damaged("it maps no entities") }
        return result
    }

    private func damaged(_ reason: String) -> ModelFileError {
        ModelFileError(
            file: file,
            reason: "the compiled mapping model is damaged: \(reason). Build the mapping model again."
        )
    }

    private func hash(_ key: String, _ object: KeyedArchive.Object) -> Data? {
        guard case .data(let data)? = archive.value(key, of: object) else { return nil }
        return data
    }

    private func entity(_ object: KeyedArchive.Object) throws(ModelFileError) -> MappingFile.EntityMapping {
        guard let name = archive.text("NSMappingName", of: object) else {
            throw damaged("an entity mapping has no name")
        }
        var mapping = MappingFile.EntityMapping(
            name: name,
            sourceName: archive.text("NSSourceEntityName", of: object),
            destinationName: archive.text("NSDestinationEntityName", of: object),
            policyClassName: archive.text("NSEntityMigrationPolicyClassName", of: object),
            userInfo: userInfo(object),
            attributes: try properties("NSAttributeMappings", of: object),
            relationships: try properties("NSRelationshipMappings", of: object)
        )
        mapping.type = archive.integer("NSMappingType", of: object)
        mapping.sourceExpression = expression("NSSourceExpression", of: object)
        return mapping
    }

    private func properties(
        _ key: String,
        of object: KeyedArchive.Object
    ) throws(ModelFileError) -> [MappingFile.PropertyMapping] {
        var result: [MappingFile.PropertyMapping] = []
        for member in archive.members(archive.object(key, of: object)) {
            guard let property = archive.object(member),
                let name = archive.text("NSDestinationPropertyName", of: property)
            else { throw damaged("a property mapping has no name") }
            result.append(
                MappingFile.PropertyMapping(
                    name: name,
                    expression: expression("NSValueExpression", of: property)
                )
            )
        }
        return result
    }

    private func userInfo(_ object: KeyedArchive.Object) -> [String: String] {
        let pairs = archive.pairs(archive.object("NSUserInfo", of: object))
            .compactMap { pair in archive.text(pair.value).map { (pair.key, $0) } }
        return Dictionary(pairs) { first, _ in first }
    }

    /// An expression as an archive of its own, or nil if there is none.
    private func expression(_ key: String, of object: KeyedArchive.Object) -> Data? {
        guard let reference = object.entries[key], archive.object(reference) != nil else { return nil }
        var writer = KeyedArchiveWriter()
        let copy = writer.graft(reference, of: archive)
        return writer.data(top: [NSKeyedArchiveRootObjectKey: copy])
    }
}

// Writes mapping models as Xcode's compiler does (.cdm): keyed archives of NSMappingModel. Called by `managedgraph
// model convert`; CompiledMappingReader reads the same keys. The expressions of a mapping are archives of their own,
// whose objects are copied unchanged into this one.
import Foundation
import GraphArchives

/// Writes the archive of a mapping model.
package struct CompiledMappingWriter {
    private var archive = KeyedArchiveWriter()
    private let mapping: MappingFile

    /// Writes a mapping model.
    ///
    /// - Parameter mapping: The mapping model; an entity mapping without a type is written as one of type 0
    ///   (undefined).
    /// - Returns: A keyed archive of `NSMappingModel`.
    package static func write(_ mapping: MappingFile) -> Data {
        var writer = CompiledMappingWriter(mapping: mapping)
        let root = writer.root()
        return writer.archive.data(top: ["root": root])
    }

    private init(mapping: MappingFile) { self.mapping = mapping }

    private mutating func root() -> ListValue {
        let entities = mapping.entities.map { (name: $0.name, object: entity($0)) }
        let listed = archive.collection(entities.map(\.object))
        let pairs = entities.map { (key: archive.text($0.name), value: $0.object) }
        return archive.object(
            ["NSMappingModel", "NSObject"],
            ["NSEntityMappings": listed, "NSEntityMappingsByName": archive.dictionary(pairs, isMutable: true)]
        )
    }

    private mutating func entity(_ entity: MappingFile.EntityMapping) -> ListValue {
        let source = entity.sourceName.flatMap { mapping.sourceHashes[$0] }
        let destination = entity.destinationName.flatMap { mapping.destinationHashes[$0] }
        return archive.object(
            ["NSEntityMapping", "NSObject"],
            [
                "NSMappingName": archive.text(entity.name), "NSMappingType": .integer(Int64(entity.type ?? 0)),
                "NSSourceEntityName": archive.text(entity.sourceName),
                "NSSourceEntityVersionHash": data(source),
                "NSDestinationEntityName": archive.text(entity.destinationName),
                "NSDestinationEntityVersionHash": data(destination),
                "NSEntityMigrationPolicyClassName": archive.text(entity.policyClassName),
                "NSSourceExpression": expression(entity.sourceExpression), "NSUserInfo": userInfo(entity.userInfo),
                "NSAttributeMappings": properties(entity.attributes),
                "NSRelationshipMappings": properties(entity.relationships),
            ]
        )
    }

    private mutating func properties(_ properties: [MappingFile.PropertyMapping]) -> ListValue {
        let members = properties.map { property in
            archive.object(
                ["NSPropertyMapping", "NSObject"],
                [
                    "NSDestinationPropertyName": archive.text(property.name),
                    "NSValueExpression": expression(property.expression), "NSUserInfo": KeyedArchiveWriter.null,
                    "NSPropertyTransforms": KeyedArchiveWriter.null,
                ]
            )
        }
        return archive.collection(members)
    }

    private mutating func userInfo(_ entries: [String: String]) -> ListValue {
        guard !entries.isEmpty else { return KeyedArchiveWriter.null }
        let pairs = entries.sorted { $0.key < $1.key }.map { (key: archive.text($0), value: archive.text($1)) }
        return archive.dictionary(pairs)
    }

    private mutating func data(_ data: Data?) -> ListValue {
        data.map { archive.plain(.data($0)) } ?? KeyedArchiveWriter.null
    }

    private mutating func expression(_ data: Data?) -> ListValue {
        guard let data, let source = KeyedArchive(data), let root = source.top[NSKeyedArchiveRootObjectKey] else {
            return KeyedArchiveWriter.null
        }
        return archive.graft(root, of: source)
    }
}

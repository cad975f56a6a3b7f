// Models for collected XML and binary stores. The original models of published ones are lost: they are derived from the
// content of the files.
import CollectionSupport
import Foundation
import GraphSupport
import ManagedGraph

@testable import GraphModelFiles

enum PawModels {
    /// The shape of an entity in a file.
    private struct Found {
        var attributes: [String: NSAttributeType] = [:]
        /// Relationships by name, with their destination entities and whether they are to-many.
        var relationships: [String: (destinations: Set<String>, isToMany: Bool)] = [:]
        var related: [String: [(Int64, [Int64])]] = [:]
    }

    /// The model of a store: the one of its collection that has the same hashes, or one derived from the content.
    static func model(of file: CollectedFile, type: String) throws -> NSManagedObjectModel {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: file.url)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        for candidate in file.neighbours(.model) {
            guard let model = try? NSManagedObjectModel(readingFrom: candidate.url.deletingLastPathComponent()),
                model.entityVersionHashesByName == hashes
            else { continue }
            for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
            return model
        }
        return type == NSXMLStoreType ? try xml(file.url) : try binary(file.url)
    }

    // MARK: XML

    static func xml(_ url: URL) throws -> NSManagedObjectModel {
        let document = try XMLShape.read(try Data(contentsOf: url))
        var entities: [String: Found] = [:]
        let types = Dictionary(uniqueKeysWithValues: document.objects.map { ($0.identifier, $0.type) })
        for object in document.objects {
            var entity = entities[object.type] ?? Found()
            for (name, (type, _)) in object.attributes {
                entity.attributes[name] =
                    ["bool": .booleanAttributeType, "int64": .integer64AttributeType][type]
                    ?? .stringAttributeType
            }
            for (name, (bounds, _, references)) in object.relationships {
                let number = Int64(object.identifier.dropFirst()) ?? 0
                var relationship = entity.relationships[name] ?? ([], bounds == "0/0")
                relationship.destinations.formUnion(references.compactMap { types[$0] })
                entity.relationships[name] = relationship
                entity.related[name, default: []].append((number, references.compactMap { Int64($0.dropFirst()) }))
            }
            entities[object.type] = entity
        }
        return model(entities)
    }

    // MARK: Binary

    static func binary(_ url: URL) throws -> NSManagedObjectModel {
        let shape = try BinaryShape(try Data(contentsOf: url))
        var entities: [String: Found] = [:]
        let types = Dictionary(uniqueKeysWithValues: shape.nodes.map { ($0.number, $0.entity) })
        for node in shape.nodes {
            var entity = entities[node.entity] ?? Found()
            for (name, (isToMany, numbers)) in node.related {
                var relationship = entity.relationships[name] ?? ([], isToMany)
                relationship.destinations.formUnion(numbers.compactMap { types[$0] })
                entity.relationships[name] = relationship
                entity.related[name, default: []].append((node.number, numbers))
            }
            entities[node.entity] = entity
        }
        // The last values belong to relationships.
        for node in shape.nodes {
            var entity = entities[node.entity] ?? Found()
            for (place, value) in node.values.dropLast(entity.relationships.count).enumerated() {
                let name = String(format: "a%02d", place)
                if value.hasPrefix("integer") { entity.attributes[name] = .integer64AttributeType }
                entity.attributes[name] = entity.attributes[name] ?? .stringAttributeType
            }
            entities[node.entity] = entity
        }
        return model(entities)
    }

    // MARK: Entities

    private static func model(_ shapes: [String: Found]) -> NSManagedObjectModel {
        var entities: [String: NSEntityDescription] = [:]
        func entity(_ name: String) -> NSEntityDescription {
            if let existing = entities[name] { return existing }
            let newEntity = NSEntityDescription(name)
            entities[name] = newEntity
            return newEntity
        }
        // Several destination entities of one relationship get a common superentity.
        var above: [String: String] = [:]
        for entity in shapes.values {
            for (destinations, _) in entity.relationships.values where destinations.count > 1 {
                let name = "Any" + destinations.sorted().joined(separator: "Or")
                for destination in destinations where above[destination] == nil { above[destination] = name }
            }
        }
        for (name, shape) in shapes {
            let description = entity(name)
            description.properties = shape.attributes.map { NSAttributeDescription($0.key, $0.value) }
            if let parent = above[name] { entity(parent).subentities += [description] }
        }
        var done: Set<String> = []
        for (name, shape) in shapes.sorted(by: { $0.key < $1.key }) {
            for (key, (destinations, isToMany)) in shape.relationships.sorted(by: { $0.key < $1.key }) {
                guard done.insert("\(name).\(key)").inserted else { continue }
                let target = destinations.count > 1 ? above[destinations.sorted()[0]] : destinations.first
                let pairs = Set((shape.related[key] ?? []).flatMap { source, members in members.map { [source, $0] } })
                let inverse = destinations.sorted().lazy.compactMap { other -> (String, String, Bool)? in
                    shapes[other]?.relationships.sorted { $0.key < $1.key }.lazy.compactMap { back, shape in
                        let reversed = Set(
                            (shapes[other]?.related[back] ?? []).flatMap { source, members in
                                members.map { [$0, source] }
                            }
                        )
                        let isSelf = other == name && back == key
                        return !pairs.isEmpty && pairs == reversed && !isSelf && !done.contains("\(other).\(back)")
                            ? (other, back, shape.isToMany) : nil
                    }
                    .first
                }
                .first
                if let (other, back, isBackToMany) = inverse, destinations.count == 1 {
                    done.insert("\(other).\(back)")
                    entity(name).relate(key, toMany: isToMany, to: entity(other), back, inverseToMany: isBackToMany)
                } else {
                    entity(name)
                        .relate(
                            key,
                            toMany: isToMany,
                            to: entity(target ?? name),
                            "back_\(name)_\(key)",
                            inverseToMany: true
                        )
                }
            }
        }
        return NSManagedObjectModel(Array(entities.values))
    }
}

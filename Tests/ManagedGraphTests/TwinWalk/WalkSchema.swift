// The entities of the random walk: one table that defines the framework's model and the plain model's relationships and
// rules.
import Foundation
import GraphSupport
import ManagedGraph

/// The walk's entities.
enum WalkSchema {
    /// The attribute with an object's number, set once.
    static let serial = "serial"

    static let declared: [WalkEntity] = [
        WalkEntity(
            name: "Node",
            attributes: [
                "name": .stringAttributeType, "count": .integer16AttributeType, "ratio": .doubleAttributeType,
                "flag": .booleanAttributeType, "due": .dateAttributeType, "price": .decimalAttributeType,
                "ident": .UUIDAttributeType, "link": .URIAttributeType, "blob": .binaryDataAttributeType,
            ],
            relationships: [
                WalkRelationship(name: "parent", destination: "Node", inverse: "children"),
                WalkRelationship(
                    name: "children",
                    destination: "Node",
                    inverse: "parent",
                    isToMany: true,
                    rule: .cascadeDeleteRule
                ),
                WalkRelationship(name: "box", destination: "Box", inverse: "nodes"),
                WalkRelationship(name: "tags", destination: "Tag", inverse: "nodes", isToMany: true),
                WalkRelationship(name: "badge", destination: "Badge", inverse: "owner", rule: .cascadeDeleteRule),
                WalkRelationship(name: "links", destination: "Node", inverse: "linkedBy", isToMany: true),
                WalkRelationship(name: "linkedBy", destination: "Node", inverse: "links", isToMany: true),
            ]
        ),
        WalkEntity(name: "Leaf", parent: "Node", attributes: ["color": .stringAttributeType]),
        WalkEntity(
            name: "Box",
            attributes: ["name": .stringAttributeType],
            relationships: [
                WalkRelationship(
                    name: "nodes",
                    destination: "Node",
                    inverse: "box",
                    isToMany: true,
                    isOrdered: true,
                    rule: .denyDeleteRule
                ),
                WalkRelationship(name: "labels", destination: "Tag", inverse: "boxes", isToMany: true, isOrdered: true),
            ]
        ),
        WalkEntity(
            name: "Tag",
            attributes: ["name": .stringAttributeType],
            relationships: [
                WalkRelationship(name: "nodes", destination: "Node", inverse: "tags", isToMany: true),
                WalkRelationship(name: "boxes", destination: "Box", inverse: "labels", isToMany: true),
            ]
        ),
        WalkEntity(
            name: "Badge",
            attributes: ["name": .stringAttributeType],
            relationships: [WalkRelationship(name: "owner", destination: "Node", inverse: "badge")]
        ),
    ]

    /// Entities with their inherited properties.
    static let entities: [String: WalkEntity] = {
        var result: [String: WalkEntity] = [:]
        for entity in declared {
            var whole = entity
            if let parent = entity.parent.flatMap({ result[$0] }) {
                whole.attributes.merge(parent.attributes) { own, _ in own }
                whole.relationships += parent.relationships
            }
            result[entity.name] = whole
        }
        return result
    }()

    static let names = declared.map(\.name)
    /// Attributes of each entity in a fixed order.
    static let attributes = entities.mapValues { $0.attributes.keys.sorted() }

    static func isKind(_ entity: String, of ancestor: String) -> Bool {
        entity == ancestor || entities[entity]?.parent == ancestor
    }

    static func relationships(_ entity: String) -> [WalkRelationship] { entities[entity]?.relationships ?? [] }

    static func relationship(_ entity: String, _ name: String) -> WalkRelationship? {
        relationships(entity).first { $0.name == name }
    }

    static func makeModel() -> NSManagedObjectModel {
        var descriptions: [String: NSEntityDescription] = [:]
        for entity in declared {
            let description = NSEntityDescription()
            description.name = entity.name
            descriptions[entity.name] = description
        }
        for entity in declared {
            guard let description = descriptions[entity.name] else { continue }
            var properties: [NSPropertyDescription] = entity.attributes.sorted { $0.key < $1.key }.map {
                NSAttributeDescription($0.key, $0.value, default: $0.key == "count" ? 0 : nil)
            }
            if entity.parent == nil { properties.append(NSAttributeDescription(serial, .integer64AttributeType)) }
            for relationship in entity.relationships {
                guard let destination = descriptions[relationship.destination] else { continue }
                properties.append(
                    NSRelationshipDescription(
                        relationship.name,
                        to: destination,
                        toMany: relationship.isToMany,
                        rule: relationship.rule,
                        ordered: relationship.isOrdered
                    )
                )
            }
            description.properties = properties
        }
        for entity in declared {
            for relationship in entity.relationships {
                let inverse = descriptions[relationship.destination]?.relationshipsByName[relationship.inverse]
                descriptions[entity.name]?.relationshipsByName[relationship.name]?.inverseRelationship = inverse
            }
            if let parent = entity.parent, let description = descriptions[entity.name] {
                descriptions[parent]?.subentities = [description]
            }
        }
        let model = NSManagedObjectModel()
        model.entities = declared.compactMap { descriptions[$0.name] }
        return model
    }
}

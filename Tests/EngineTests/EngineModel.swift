// The model that engines are tested with: every type of attribute, inheritance, every kind of relationship, and a
// uniqueness constraint.
import Foundation
import GraphEngine
import GraphModel

@testable import ManagedGraph

/// A model with everything that an engine must store.
enum EngineModel {
    static let types: [(name: String, type: NSAttributeType)] = [
        ("boolean", .booleanAttributeType), ("data", .binaryDataAttributeType), ("date", .dateAttributeType),
        ("decimal", .decimalAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
        ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
        ("string", .stringAttributeType), ("uri", .URIAttributeType), ("uuid", .UUIDAttributeType),
    ]

    /// Makes a new model for each store, as models are compiled once.
    static func make() -> NSManagedObjectModel {
        let thing = entity("Thing", types.map { attribute($0.name, $0.type) })
        let large = attribute("large", .binaryDataAttributeType)
        large.allowsExternalBinaryDataStorage = true
        thing.properties.append(large)
        let owner = entity(
            "Owner",
            [attribute("name", .stringAttributeType), attribute("age", .integer64AttributeType)]
        )
        let animal = entity("Animal", [attribute("name", .stringAttributeType)])
        let dog = entity("Dog", [attribute("tricks", .integer64AttributeType)])
        let puppy = entity("Puppy", [])
        let tag = entity("Tag", [attribute("name", .stringAttributeType)])
        let badge = entity("Badge", [attribute("code", .stringAttributeType)])
        badge.uniquenessConstraints = [["code"]]
        dog.subentities = [puppy]
        animal.subentities = [dog]
        relate(owner, "pets", isMany: true, animal, "owner", isMany: false)
        relate(owner, "queue", isMany: true, animal, "keeper", isMany: false, isOrdered: true)
        relate(owner, "tags", isMany: true, tag, "owners", isMany: true)
        relate(owner, "ranks", isMany: true, tag, "ranked", isMany: true, isOrdered: true)
        let friends = relationship("friends", owner, isMany: true)
        friends.inverseRelationship = friends
        owner.properties.append(friends)
        // Without an inverse: to many, and to one.
        owner.properties.append(relationship("things", thing, isMany: true))
        owner.properties.append(relationship("favourite", animal, isMany: false))
        let model = NSManagedObjectModel()
        model.entities = [thing, owner, animal, dog, puppy, tag, badge]
        return model
    }

    private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func relationship(_ name: String, _ destination: NSEntityDescription, isMany: Bool)
        -> NSRelationshipDescription
    {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.isOptional = true
        relationship.minCount = 0
        relationship.maxCount = isMany ? 0 : 1
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }

    private static func relate(
        _ one: NSEntityDescription,
        _ name: String,
        isMany: Bool,
        _ other: NSEntityDescription,
        _ inverse: String,
        isMany isManyBack: Bool,
        isOrdered: Bool = false
    ) {
        let there = relationship(name, other, isMany: isMany)
        let back = relationship(inverse, one, isMany: isManyBack)
        there.isOrdered = isOrdered
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        one.properties.append(there)
        other.properties.append(back)
    }
}

// The model that engines are tested with: every type of attribute, inheritance, every kind of relationship, and a
// uniqueness constraint.
import Foundation
import GraphEngine
import GraphModel
import GraphSupport

@testable import ManagedGraph

/// A model with everything that an engine must store.
enum EngineModel {
    static let types: [(name: String, type: NSAttributeType)] = [
        ("boolean", .booleanAttributeType), ("data", .binaryDataAttributeType), ("date", .dateAttributeType),
        ("decimal", .decimalAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
        ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
        ("string", .stringAttributeType), ("uri", .URIAttributeType), ("uuid", .UUIDAttributeType),
    ]

    /// Creates a new model for each store, because a model is compiled once.
    static func make() -> NSManagedObjectModel {
        let thing = NSEntityDescription("Thing", types.map { NSAttributeDescription($0.name, $0.type) })
        let large = NSAttributeDescription("large", .binaryDataAttributeType)
        large.allowsExternalBinaryDataStorage = true
        thing.properties.append(large)
        let owner = NSEntityDescription(
            "Owner",
            [NSAttributeDescription("name"), NSAttributeDescription("age", .integer64AttributeType)]
        )
        let animal = NSEntityDescription("Animal", [NSAttributeDescription("name")])
        let dog = NSEntityDescription("Dog", [NSAttributeDescription("tricks", .integer64AttributeType)])
        let puppy = NSEntityDescription("Puppy")
        let tag = NSEntityDescription("Tag", [NSAttributeDescription("name")])
        let badge = NSEntityDescription("Badge", [NSAttributeDescription("code")])
        badge.uniquenessConstraints = [["code"]]
        dog.subentities = [puppy]
        animal.subentities = [dog]
        owner.relate("pets", toMany: true, to: animal, "owner")
        owner.relate("queue", toMany: true, to: animal, "keeper", ordered: true)
        owner.relate("tags", toMany: true, to: tag, "owners", inverseToMany: true)
        owner.relate("ranks", toMany: true, to: tag, "ranked", inverseToMany: true, ordered: true)
        let friends = NSRelationshipDescription("friends", to: owner, toMany: true)
        friends.inverseRelationship = friends
        owner.properties.append(friends)
        // Without an inverse: to many, and to one.
        owner.properties.append(NSRelationshipDescription("things", to: thing, toMany: true))
        owner.properties.append(NSRelationshipDescription("favourite", to: animal))
        return NSManagedObjectModel([thing, owner, animal, dog, puppy, tag, badge])
    }
}

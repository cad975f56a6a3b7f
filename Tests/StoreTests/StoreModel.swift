// The model of the conformance suite: every attribute type, every kind of relationship, inheritance.
import Foundation
import GraphSupport
import ManagedGraph

enum StoreModel {
    private static func entity(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
        NSEntityDescription(name, [NSAttributeDescription("name")] + properties)
    }

    /// In version 2, a person has a nickname, and `age` is renamed `years`.
    static func make(version: Int = 1, isConstrained: Bool = false) -> NSManagedObjectModel {
        let item = entity(
            "Item",
            NSAttributeDescription.list([
                "short": .integer16AttributeType, "middle": .integer32AttributeType, "long": .integer64AttributeType,
                "float": .floatAttributeType, "double": .doubleAttributeType, "decimal": .decimalAttributeType,
                "flag": .booleanAttributeType, "text": .stringAttributeType, "date": .dateAttributeType,
                "data": .binaryDataAttributeType, "uuid": .UUIDAttributeType, "url": .URIAttributeType,
                "list": .transformableAttributeType,
            ])
        )
        let large = NSAttributeDescription("large", .binaryDataAttributeType)
        large.allowsExternalBinaryDataStorage = true
        let note = NSAttributeDescription("note", .undefinedAttributeType)
        note.isTransient = true
        item.properties += [large, note]
        let age = NSAttributeDescription(version == 1 ? "age" : "years", .integer16AttributeType)
        if version == 2 { age.renamingIdentifier = "age" }
        let person = entity("Person", [age])
        if version == 2 { person.properties += [NSAttributeDescription("nickname")] }
        if isConstrained { person.uniquenessConstraints = [["name"]] }
        let worker = NSEntityDescription("Worker", [NSAttributeDescription("salary", .doubleAttributeType)])
        person.subentities = [worker]
        let (team, step, tag, room) = (entity("Team"), entity("Step"), entity("Tag"), entity("Room"))
        team.relate("members", toMany: true, to: person, "team")
        team.relate("leader", to: person, "leads")
        team.relate("steps", toMany: true, to: step, "team", rule: .cascadeDeleteRule, ordered: true)
        team.relate("rooms", toMany: true, to: room, "team", rule: .denyDeleteRule)
        person.relate("tags", toMany: true, to: tag, "people", inverseToMany: true)
        person.relate("friends", toMany: true, to: person, "friendOf", inverseToMany: true)
        return NSManagedObjectModel([item, person, worker, team, step, tag, room])
    }
}

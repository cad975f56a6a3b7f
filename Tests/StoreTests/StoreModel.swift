// The model of the conformance suite: every attribute type, every kind of relationship, inheritance.
import Foundation
import ManagedGraph

enum StoreModel {
    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    static func relate(
        _ one: NSEntityDescription,
        _ name: String,
        _ isToMany: Bool,
        _ other: NSEntityDescription,
        _ inverseName: String,
        _ isInverseToMany: Bool,
        rule: NSDeleteRule = .nullifyDeleteRule,
        isOrdered: Bool = false
    ) {
        func make(_ name: String, _ destination: NSEntityDescription, _ isToMany: Bool) -> NSRelationshipDescription {
            let made = NSRelationshipDescription()
            made.name = name
            made.destinationEntity = destination
            made.minCount = 0
            made.maxCount = isToMany ? 0 : 1
            made.isOptional = true
            return made
        }
        let there = make(name, other, isToMany)
        there.deleteRule = rule
        there.isOrdered = isOrdered
        let back = make(inverseName, one, isInverseToMany)
        there.inverseRelationship = back
        back.inverseRelationship = there
        one.properties += [there]
        other.properties += [back]
    }

    private static func entity(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = [attribute("name", .stringAttributeType)] + properties
        return entity
    }

    /// In version 2, a person has a nickname, and `age` is renamed `years`.
    static func make(version: Int = 1, isConstrained: Bool = false) -> NSManagedObjectModel {
        let item = entity(
            "Item",
            [
                attribute("short", .integer16AttributeType), attribute("middle", .integer32AttributeType),
                attribute("long", .integer64AttributeType), attribute("float", .floatAttributeType),
                attribute("double", .doubleAttributeType), attribute("decimal", .decimalAttributeType),
                attribute("flag", .booleanAttributeType), attribute("text", .stringAttributeType),
                attribute("date", .dateAttributeType), attribute("data", .binaryDataAttributeType),
                attribute("uuid", .UUIDAttributeType), attribute("url", .URIAttributeType),
                attribute("list", .transformableAttributeType),
            ]
        )
        let large = attribute("large", .binaryDataAttributeType)
        large.allowsExternalBinaryDataStorage = true
        let note = attribute("note", .undefinedAttributeType)
        note.isTransient = true
        item.properties += [large, note]
        let age = attribute(version == 1 ? "age" : "years", .integer16AttributeType)
        if version == 2 { age.renamingIdentifier = "age" }
        let person = entity("Person", [age])
        if version == 2 { person.properties += [attribute("nickname", .stringAttributeType)] }
        if isConstrained { person.uniquenessConstraints = [["name"]] }
        let worker = NSEntityDescription()
        worker.name = "Worker"
        worker.properties = [attribute("salary", .doubleAttributeType)]
        person.subentities = [worker]
        let (team, step, tag, room) = (entity("Team"), entity("Step"), entity("Tag"), entity("Room"))
        relate(team, "members", true, person, "team", false)
        relate(team, "leader", false, person, "leads", false)
        relate(team, "steps", true, step, "team", false, rule: .cascadeDeleteRule, isOrdered: true)
        relate(team, "rooms", true, room, "team", false, rule: .denyDeleteRule)
        relate(person, "tags", true, tag, "people", true)
        relate(person, "friends", true, person, "friendOf", true)
        let model = NSManagedObjectModel()
        model.entities = [item, person, worker, team, step, tag, room]
        return model
    }
}

// A small model created in code, for the tests of this folder.
import Foundation
import ManagedGraph

enum Made {
    static func attribute(
        _ name: String,
        _ type: NSAttributeType = .stringAttributeType,
        optional: Bool = true,
        default value: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        attribute.defaultValue = value
        return attribute
    }

    static func entity(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    static func relationship(
        _ name: String,
        to destination: NSEntityDescription,
        many: Bool = false
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = many ? 0 : 1
        return relationship
    }

    static func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    /// Person (name, to-one home), its subentity Employee (salary), and Place (name, to-many people).
    static func people() -> NSManagedObjectModel {
        let place = entity("Place", [attribute("name")])
        let person = entity("Person", [attribute("name", optional: false)])
        let employee = entity("Employee", [attribute("salary", .decimalAttributeType)])
        person.isAbstract = true
        person.subentities = [employee]
        let home = relationship("home", to: place)
        let people = relationship("people", to: person, many: true)
        home.inverseRelationship = people
        people.inverseRelationship = home
        person.properties += [home]
        place.properties += [people]
        return model([person, employee, place])
    }
}

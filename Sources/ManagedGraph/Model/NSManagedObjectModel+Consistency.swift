// Checks of a model built in code that the compiler cannot do. Called by the coordinator before it takes a model.
import Foundation

extension NSManagedObjectModel {
    /// Checks that the model can be used.
    ///
    /// - Throws: `ModelDefect` for the first thing that is wrong.
    package final func checkConsistency() throws {
        if isEditable { connectCopiedInverses() }
        var names: Set<String> = []
        for entity in entities {
            guard let name = entity.name, !name.isEmpty else {
                throw ModelDefect(reason: "an entity has no name")
            }
            guard names.insert(name).inserted else {
                throw ModelDefect(entity: name, reason: "the model has two entities of this name")
            }
            if let parent = entity.superentity, parent.owner !== entity.owner {
                throw ModelDefect(entity: name, reason: "its superentity \(parent.displayName) is not in the model")
            }
            try check(entity, named: name)
        }
    }

    private func check(_ entity: NSEntityDescription, named name: String) throws {
        var seen = Set((entity.superentity?.properties ?? []).map(\.name))
        for property in entity.declaredProperties {
            guard !property.name.isEmpty else {
                throw ModelDefect(entity: name, reason: "a property has no name")
            }
            guard seen.insert(property.name).inserted else {
                throw ModelDefect(entity: name, property: property.name, reason: "the entity has this property twice")
            }
            if let relationship = property as? NSRelationshipDescription { try check(relationship, of: name) }
        }
        let properties = entity.propertiesByName
        for index in entity.indexes {
            guard let missing = index.elements.compactMap(\.propertyName).first(where: { properties[$0] == nil }) else {
                continue
            }
            throw ModelDefect(
                entity: name,
                property: missing,
                reason: "index \(index.name) names a property that the entity does not have"
            )
        }
        let attributes = entity.attributesByName
        for attribute in entity.uniquenessConstraintNames.flatMap({ $0 }) where attributes[attribute] == nil {
            if entity.relationshipsByName[attribute] != nil { continue }
            throw ModelDefect(
                entity: name,
                property: attribute,
                reason: "a uniqueness constraint names an attribute that the entity does not have"
            )
        }
    }

    private func check(_ relationship: NSRelationshipDescription, of entity: String) throws {
        func defect(_ reason: String) -> ModelDefect {
            ModelDefect(entity: entity, property: relationship.name, reason: reason)
        }
        guard let destination = relationship.destinationEntity else { throw defect("it has no destination") }
        guard destination.owner === relationship.owner?.owner else {
            throw defect("its destination \(destination.displayName) is not in the model")
        }
        guard let inverse = relationship.inverseRelationship else { return }
        guard destination.properties.contains(where: { $0 === inverse }) else {
            throw defect("its inverse \(inverse.name) does not belong to \(destination.displayName)")
        }
    }
}

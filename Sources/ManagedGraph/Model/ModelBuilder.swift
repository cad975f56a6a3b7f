// Converts values to descriptions: the steps that make an NSManagedObjectModel from the content of a file. Called by
// the model's initializer only. It reports parts that it cannot build, with their places in the model.
import Foundation
import GraphModel
import GraphPredicates

/// Builds the descriptions of one model.
struct ModelBuilder {
    private let model: Model
    private var entities: [String: NSEntityDescription] = [:]

    init(_ model: Model) {
        self.model = model
    }

    /// Fills an empty model.
    mutating func build(into target: NSManagedObjectModel) throws {
        try makeEntities()
        try linkHierarchy()
        target.entities = model.entities.compactMap { entities[$0.name] }
        try linkRelationships()
        try makeIndexes()
        for configuration in model.configurations {
            let members = configuration.entityNames.compactMap { entities[$0] }
            target.setEntities(members, forConfigurationName: configuration.name)
        }
        for template in model.fetchRequestTemplates {
            let request = try ModelDefect.locate(entity: template.entityName, property: nil) {
                try template.makeRequest()
            }
            target.setFetchRequestTemplate(request, forName: template.name)
        }
        target.versionIdentifiers = Set(model.versionIdentifiers.map(AnyHashable.init))
    }

    private mutating func makeEntities() throws {
        for value in model.entities {
            guard entities[value.name] == nil else {
                throw ModelDefect(entity: value.name, reason: "the model has two entities of this name")
            }
            let entity = NSEntityDescription()
            entity.name = value.name
            entity.managedObjectClassName = value.className
            entity.codeGeneration = value.codeGeneration
            entity.isAbstract = value.isAbstract
            entity.renamingIdentifier = value.renamingIdentifier
            entity.versionHashModifier = value.versionHashModifier
            entity.userInfo = value.userInfo
            entity.coreSpotlightDisplayNameExpression = try value.spotlightNameFormat.map { format in
                try ModelDefect.locate(entity: value.name, property: nil) { try NSExpression(validating: format) }
            }
            entity.uniquenessConstraints = value.uniquenessConstraints
            entity.compoundIndexNames = value.compoundIndexes
            entity.properties = try value.properties.map { property in
                try ModelDefect.locate(entity: value.name, property: property.name) {
                    try property.makeDescription()
                }
            }
            entities[value.name] = entity
        }
    }

    private func linkHierarchy() throws {
        let valuesByName = model.entitiesByName()
        var children: [String: [NSEntityDescription]] = [:]
        for value in model.entities {
            guard let parent = value.superentityName, let entity = entities[value.name] else { continue }
            guard entities[parent] != nil else {
                throw ModelDefect(entity: value.name, reason: "its superentity \(parent) is not in the model")
            }
            try checkLineage(of: value, valuesByName)
            children[parent, default: []].append(entity)
        }
        for (parent, subentities) in children {
            entities[parent]?.subentities = subentities
        }
    }

    private func checkLineage(of value: Entity, _ valuesByName: [String: Entity]) throws {
        var seen: Set<String> = [value.name]
        var next = value.superentityName
        while let name = next {
            guard seen.insert(name).inserted else {
                throw ModelDefect(entity: value.name, reason: "its superentities form a circle through \(name)")
            }
            next = valuesByName[name]?.superentityName
        }
    }

    private func linkRelationships() throws {
        for value in model.entities {
            let properties = entities[value.name]?.declaredProperties ?? []
            for case let relationship as NSRelationshipDescription in properties {
                guard let declared = value.relationships.first(where: { $0.name == relationship.name })
                else { continue }
                guard let destination = entities[declared.destinationEntityName] else {
                    throw ModelDefect(
                        entity: value.name,
                        property: declared.name,
                        reason: "its destination \(declared.destinationEntityName) is not in the model"
                    )
                }
                relationship.destinationEntity = destination
                guard let inverseName = declared.inverseName else { continue }
                guard let inverse = destination.relationshipsByName[inverseName] else {
                    throw ModelDefect(
                        entity: value.name,
                        property: declared.name,
                        reason: "its inverse \(declared.destinationEntityName).\(inverseName) does not exist"
                    )
                }
                relationship.inverseRelationship = inverse
            }
        }
    }

    private func makeIndexes() throws {
        for value in model.entities where !value.indexes.isEmpty {
            guard let entity = entities[value.name] else { continue }
            entity.indexes = try value.indexes.map { index in
                try ModelDefect.locate(entity: value.name, property: nil) { try index.makeDescription(in: entity) }
            }
        }
    }
}

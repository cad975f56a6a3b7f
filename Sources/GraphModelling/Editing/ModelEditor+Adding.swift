// Edits that add parts to a model.
import GraphModel

extension ModelEditor {
    mutating func addEntity(
        _ name: String?,
        superentity: String?,
        position: CardPosition?
    ) throws(ModelSessionError) -> String {
        let name = try checked(name, like: "Entity", among: entityNames, "entity")
        if let superentity { _ = try entityIndex(superentity) }
        model.entities.append(
            Entity(
                name: name,
                className: name,
                codeGeneration: .classDefinition,
                superentityName: superentity
            )
        )
        if var position {
            position.entity = name
            try arrange([position])
        }
        return "Add \(name)"
    }

    mutating func addProperty(
        to entity: String,
        kind: PropertyKind,
        name: String?
    ) throws(ModelSessionError) -> String {
        let index = try entityIndex(entity)
        let stem = kind == .fetched ? "fetchedProperty" : kind.rawValue
        let name = try checked(name, like: stem, among: propertyNames(around: entity), "property")
        let common = PropertyCommon(name: name)
        let property: Property =
            switch kind {
            case .attribute: .attribute(Attribute(common: common, type: .string))
            case .relationship:
                // A relationship to its own entity is a valid one; the inspector offers the others.
                .relationship(Relationship(common: common, destinationEntityName: entity))
            case .fetched: .fetched(FetchedProperty(common: common, request: .init(name: "", entityName: entity)))
            }
        model.entities[index].properties.append(property)
        return "Add \(entity).\(name)"
    }

    mutating func addRelationship(
        from entity: String,
        to destination: String,
        name: String,
        isToMany: Bool,
        inverse: String?,
        isInverseToMany: Bool
    ) throws(ModelSessionError) -> String {
        let index = try entityIndex(entity)
        let destinationIndex = try entityIndex(destination)
        var usedNames = propertyNames(around: entity)
        let name = try checked(name, like: Self.stem(destination, isToMany), among: usedNames, "property")
        var inverseName: String?
        if let inverse {
            usedNames = propertyNames(around: destination)
            if entity == destination { usedNames.insert(name) }
            inverseName = try checked(inverse, like: Self.stem(entity, isInverseToMany), among: usedNames, "property")
        }
        func relationship(_ name: String, _ destination: String, _ inverse: String?, _ isToMany: Bool) -> Property {
            .relationship(
                Relationship(
                    common: PropertyCommon(name: name),
                    destinationEntityName: destination,
                    inverseName: inverse,
                    maxCount: isToMany ? 0 : 1,
                    isToMany: isToMany
                )
            )
        }
        model.entities[index].properties.append(relationship(name, destination, inverseName, isToMany))
        if let inverseName {
            model.entities[destinationIndex].properties.append(relationship(inverseName, entity, name, isInverseToMany))
        }
        return "Relate \(entity) to \(destination)"
    }

    /// A name for a relationship: `task` or `tasks` for the entity `Task`.
    private static func stem(_ entity: String, _ isToMany: Bool) -> String {
        let name = entity.prefix(1).lowercased() + entity.dropFirst()
        return isToMany && !name.hasSuffix("s") ? name + "s" : name
    }

    mutating func addElement(to place: ModelPlace, name: String?) throws(ModelSessionError) -> String {
        var added = ""
        try changeAttribute(place) { editor, attribute throws(ModelSessionError) in
            guard attribute.type == .composite else {
                throw ModelSessionError(
                    .invalidEdit,
                    "The attribute \(attribute.name) is not composite.",
                    remedy: "Set its type to Composite first.",
                    place: place
                )
            }
            let usedNames = Set(attribute.elements.map(\.name))
            added = try editor.checked(name, like: "element", among: usedNames, "element")
            attribute.elements.append(Attribute(common: PropertyCommon(name: added), type: .string))
        }
        return "Add \(place.description).\(added)"
    }

    mutating func addRequest(_ name: String?, entity: String?) throws(ModelSessionError) -> String {
        let usedNames = Set(model.fetchRequestTemplates.map(\.name))
        let name = try checked(name, like: "FetchRequest", among: usedNames, "fetch request", isIdentifier: false)
        if let entity { _ = try entityIndex(entity) }
        guard let entity = entity ?? model.entities.first?.name else {
            throw ModelSessionError(
                .invalidEdit,
                "A fetch request needs an entity, and the model has none.",
                remedy: "Add an entity first."
            )
        }
        model.fetchRequestTemplates.append(FetchRequestTemplate(name: name, entityName: entity))
        return "Add the fetch request \(name)"
    }

    mutating func addConfiguration(_ name: String?) throws(ModelSessionError) -> String {
        let usedNames = Set(model.configurations.map(\.name))
        let name = try checked(name, like: "Configuration", among: usedNames, "configuration", isIdentifier: false)
        model.configurations.append(Configuration(name: name, entityNames: []))
        return "Add the configuration \(name)"
    }

    mutating func duplicate(_ place: ModelPlace) throws(ModelSessionError) -> String {
        if place.property != nil {
            let (entity, property) = try propertyIndex(place)
            var copy = model.entities[entity].properties[property]
            let usedNames = propertyNames(around: model.entities[entity].name)
            copy.common.name = try checked(nil, like: copy.name + "Copy", among: usedNames, "property")
            // An inverse has one relationship only.
            if case .relationship(var relationship) = copy {
                relationship.inverseName = nil
                copy = .relationship(relationship)
            }
            copy.common.renamingIdentifier = nil
            model.entities[entity].properties.insert(copy, at: property + 1)
            return "Duplicate \(place.description)"
        }
        let index = try entityIndex(place.entity)
        var copy = model.entities[index]
        let former = copy.name
        copy.name = try checked(nil, like: former + "Copy", among: entityNames, "entity")
        if let className = copy.className {
            copy.className = EntityClassName(name: copy.name, module: EntityClassName(className).module).text
        }
        copy.renamingIdentifier = nil
        for property in copy.properties.indices {
            guard case .relationship(var relationship) = copy.properties[property] else { continue }
            relationship.inverseName = nil
            if relationship.destinationEntityName == former { relationship.destinationEntityName = copy.name }
            copy.properties[property] = .relationship(relationship)
        }
        model.entities.insert(copy, at: index + 1)
        return "Duplicate \(former)"
    }
}

// The checks of an entity's properties, constraints and indexes. Called by ModelCheck.run only.

extension ModelCheck {
    mutating func findDuplicateProperties(of entity: Entity) {
        let ancestors = model.lineage(of: entity, in: entities).dropLast()
        var seen: Set<String> = []
        for property in entity.properties {
            let name = property.name
            if name.isEmpty {
                report(.missingName, entity, nil, "a property has no name. Give it one.")
            } else if !seen.insert(name).inserted {
                report(
                    .duplicateProperty,
                    entity,
                    name,
                    "the entity has two properties of this name. Rename one of them."
                )
            } else if let ancestor = ancestors.first(where: { $0.properties.contains { $0.name == name } }) {
                report(
                    .duplicateProperty,
                    entity,
                    name,
                    "the entity inherits a property of this name from \(ancestor.name). Rename or remove this one."
                )
            }
        }
    }

    mutating func checkProperties(of entity: Entity) {
        for property in entity.properties {
            switch property {
            case .attribute(let attribute): check(attribute, of: entity)
            case .relationship(let relationship): check(relationship, of: entity)
            case .fetched(let fetched): check(fetched, of: entity)
            }
        }
    }

    private mutating func check(_ attribute: Attribute, of entity: Entity) {
        if attribute.type == .composite, attribute.elements.isEmpty {
            report(
                .unknownComposite,
                entity,
                attribute.name,
                "the composite attribute has no elements. Choose a composite type that has attributes."
            )
        }
        var seen: Set<String> = []
        for element in attribute.elements where !seen.insert(element.name).inserted {
            report(
                .duplicateProperty,
                entity,
                attribute.name,
                "its composite type has two attributes named \(element.name). Rename one of them."
            )
        }
    }

    private mutating func check(_ relationship: Relationship, of entity: Entity) {
        let destination = relationship.destinationEntityName
        guard entities[destination] != nil else {
            let reason =
                destination.isEmpty
                ? "the relationship has no destination. Choose its destination entity."
                : "its destination, the entity \(destination), is not in the model. Add that entity, or choose "
                    + "another destination."
            report(.unknownDestination, entity, relationship.name, reason)
            return
        }
        checkInverse(of: relationship, in: entity)
        if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
            report(
                .invalidCount,
                entity,
                relationship.name,
                "its minimum count \(relationship.minCount) is above its maximum count \(relationship.maxCount). "
                    + "Lower the one or raise the other."
            )
        }
    }

    private mutating func checkInverse(of relationship: Relationship, in entity: Entity) {
        guard let inverseName = relationship.inverseName else { return }
        let destination = relationship.destinationEntityName
        guard case .relationship(let inverse)? = properties[destination]?[inverseName] else {
            report(
                .unknownInverse,
                entity,
                relationship.name,
                "its inverse \(destination).\(inverseName) is not a relationship of the model, so that it has none. "
                    + "Add that relationship, or name another inverse."
            )
            return
        }
        let pointsBack = inverse.inverseName == relationship.name
        guard pointsBack, areRelated(inverse.destinationEntityName, entity.name) else {
            let target = inverse.inverseName.map { "\(inverse.destinationEntityName).\($0)" } ?? "no relationship"
            report(
                .inverseDoesNotPointBack,
                entity,
                relationship.name,
                "its inverse \(destination).\(inverseName) does not point back: that one names \(target) as its own "
                    + "inverse. Make the two name each other."
            )
            return
        }
    }

    private mutating func check(_ fetched: FetchedProperty, of entity: Entity) {
        let name = fetched.request.entityName
        if name.isEmpty {
            report(
                .missingRequest,
                entity,
                fetched.name,
                "the fetched property has no fetch request and stays empty. Choose its destination and write its "
                    + "predicate."
            )
        } else if entities[name] == nil {
            report(
                .unknownEntity,
                entity,
                fetched.name,
                "the fetched property fetches the entity \(name), which is not in the model, and stays empty. "
                    + "Add that entity, or choose another destination."
            )
        }
    }

    mutating func findUnknownNames(in entity: Entity) {
        let entityProperties = properties[entity.name] ?? [:]
        for name in entity.uniquenessConstraints.joined() where entityProperties[name] == nil {
            report(
                .unknownConstraintProperty,
                entity,
                name,
                "a uniqueness constraint names this property, which the entity does not have. Add the property, or "
                    + "take its name out of the constraint."
            )
        }
        for index in entity.indexes {
            for name in index.elements.compactMap(\.propertyName) where !resolves(name, in: entityProperties) {
                report(
                    .unknownProperty,
                    entity,
                    name,
                    "the fetch index \(index.name) names this property, which the entity does not have, and is not "
                        + "made. Add the property, or take its name out of the index."
                )
            }
        }
        for name in entity.compoundIndexes.joined() where !resolves(name, in: entityProperties) {
            report(
                .unknownProperty,
                entity,
                name,
                "a compound index names this property, which the entity does not have, and is not made. Add the "
                    + "property, or take its name out of the index."
            )
        }
    }

    /// Whether the first step of a key path such as `location.latitude` exists; `entity` and `self` always do.
    func resolves(_ keyPath: String, in properties: [String: Property]) -> Bool {
        let first = keyPath.prefix { $0 != "." }
        return properties[String(first)] != nil || ["entity", "self", "SELF"].contains(String(first))
    }
}

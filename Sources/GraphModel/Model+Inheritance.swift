// Walks over superentities. Called by the hashes, the checks and all code that needs an entity with its inherited
// properties. A cycle of superentities ends the walk.

extension Model {
    /// The entities by name; the first one if several have the same name.
    package func entitiesByName() -> [String: Entity] {
        Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The properties of an entity, inherited ones first.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The properties; none for an unknown entity.
    package func allProperties(ofEntityNamed name: String) -> [Property] {
        let byName = entitiesByName()
        guard let entity = byName[name] else { return [] }
        return lineage(of: entity, in: byName).flatMap(\.properties)
    }

    /// The properties of each entity by its name, inherited ones first.
    ///
    /// - Parameter byName: The entities by name.
    /// - Returns: The properties; O(n) in their number, times the depth of the hierarchies.
    package func propertiesByEntity(_ byName: [String: Entity]) -> [String: [Property]] {
        byName.mapValues { lineage(of: $0, in: byName).flatMap(\.properties) }
    }

    /// For each entity the names of itself and its subentities.
    ///
    /// - Parameter byName: The entities by name.
    /// - Returns: The names.
    package func familiesByEntity(_ byName: [String: Entity]) -> [String: Set<String>] {
        var families: [String: Set<String>] = [:]
        for entity in byName.values {
            for member in lineage(of: entity, in: byName) { families[member.name, default: []].insert(entity.name) }
        }
        return families
    }

    /// The entity and its superentities, the root first.
    func lineage(of entity: Entity, in byName: [String: Entity]) -> [Entity] {
        var chain = [entity]
        var seen: Set<String> = [entity.name]
        while let name = chain.last?.superentityName, let parent = byName[name], seen.insert(name).inserted {
            chain.append(parent)
        }
        return chain.reversed()
    }
}

extension Model {
    /// The model with inverses that objects and tables can link: the inverse's destination must be related to this
    /// entity, and between two to-many sides both must name each other, since they share their rows.
    ///
    /// Version hashes include the removed inverses all the same. O(n) in the relationships.
    ///
    /// - Returns: The model, usually unchanged.
    package func withLinkableInverses() -> Model {
        let byName = entitiesByName()
        var model = self
        for (index, entity) in entities.enumerated() {
            for (place, property) in entity.properties.enumerated() {
                guard case .relationship(var relationship) = property, let name = relationship.inverseName,
                    let destination = byName[relationship.destinationEntityName],
                    !isLinkable(relationship, of: entity, to: inverse(named: name, of: destination, in: byName), byName)
                else { continue }
                relationship.inverseName = nil
                model.entities[index].properties[place] = .relationship(relationship)
            }
        }
        return model
    }

    private func inverse(named name: String, of entity: Entity, in byName: [String: Entity]) -> Relationship? {
        for member in lineage(of: entity, in: byName) {
            for case .relationship(let relationship) in member.properties where relationship.name == name {
                return relationship
            }
        }
        return nil
    }

    private func isLinkable(
        _ relationship: Relationship,
        of entity: Entity,
        to inverse: Relationship?,
        _ byName: [String: Entity]
    ) -> Bool {
        guard let inverse else { return false }
        if inverse.destinationEntityName != entity.name {
            let above = lineage(of: entity, in: byName).map(\.name)
            let destinationLineage =
                byName[inverse.destinationEntityName].map { lineage(of: $0, in: byName).map(\.name) } ?? []
            guard above.contains(inverse.destinationEntityName) || destinationLineage.contains(entity.name) else {
                return false
            }
        }
        return !relationship.isToMany || !inverse.isToMany || inverse.inverseName == relationship.name
    }
}

// Walks over superentities. Called by the hashes, the checks and whoever lays out an entity with its inherited
// properties. A circle of superentities ends the walk, it does not hang it.

extension Model {
    /// The entities by name; of two with one name the first.
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

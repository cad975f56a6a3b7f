// The part of a model that stores of a configuration hold. Called wherever a store is opened, described or migrated.

extension Model {
    /// The part of the model that stores of a configuration hold.
    ///
    /// These are the listed entities, those they inherit from and those that inherit from them, as one table has a whole
    /// hierarchy. Apple's framework counts subentities too. O(n) in the entities, times the depth of their hierarchies.
    ///
    /// - Parameter listed: The names that the configuration lists.
    /// - Returns: The model with these entities only; requests and configurations for them.
    package func part(listing listed: some Sequence<String>) -> Model {
        let byName = entitiesByName()
        let listed = Set(listed)
        var names = listed
        for entity in entities {
            let lineage = lineage(of: entity, in: byName).map(\.name)
            if listed.contains(entity.name) { names.formUnion(lineage) }
            if lineage.contains(where: listed.contains) { names.insert(entity.name) }
        }
        var part = self
        part.entities = entities.filter { names.contains($0.name) }
        part.fetchRequestTemplates = fetchRequestTemplates.filter { names.contains($0.entityName) }
        for index in part.configurations.indices {
            part.configurations[index].entityNames.removeAll { !names.contains($0) }
        }
        part.configurations.removeAll { $0.entityNames.isEmpty }
        return part
    }
}

// The part of the model that belongs to a configuration. Called to open, describe or migrate a store.

extension Model {
    /// The part of the model that belongs to a configuration.
    ///
    /// These are the listed entities, their superentities and their subentities, as a hierarchy shares one table.
    /// Apple's framework includes subentities too. O(n) in the entities, times the depth of their hierarchies.
    ///
    /// - Parameter listed: The names that the configuration lists.
    /// - Returns: The model with only these entities, and the requests and configurations that use them.
    package func part(listing listed: [String]) -> Model {
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

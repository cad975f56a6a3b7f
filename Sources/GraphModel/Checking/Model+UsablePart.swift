// Removes the parts of a model that Apple's compiler drops with a warning. Called by the readers of model files, so
// that layouts, hashes and stores see only usable parts.

extension Model {
    /// The model without indexes of unknown properties, inverses and members that do not exist, and duplicate names.
    ///
    /// O(1) if nothing was found, otherwise O(n) in the number of properties.
    ///
    /// - Parameter findings: The model's problems.
    /// - Returns: The usable part.
    package func usablePart(_ findings: [ModelProblem]) -> Model {
        let kinds = Set(findings.map(\.kind))
        guard !kinds.isDisjoint(with: [.unknownInverse, .unknownProperty, .unknownEntity, .duplicateName]) else {
            return self
        }
        var model = self
        let check = ModelCheck(model: self)
        for index in model.entities.indices { check.removeUnusable(from: &model.entities[index]) }
        for index in model.configurations.indices {
            model.configurations[index].entityNames.removeAll { check.entities[$0] == nil }
        }
        model.configurations = Model.lastOfEachName(model.configurations, \.name)
        model.fetchRequestTemplates = Model.lastOfEachName(model.fetchRequestTemplates, \.name)
        return model
    }

    /// Keeps the last part of each name, as the dictionaries of Apple's models do.
    private static func lastOfEachName<Part>(_ parts: [Part], _ name: KeyPath<Part, String>) -> [Part] {
        var last: [String: Int] = [:]
        for (index, part) in parts.enumerated() { last[part[keyPath: name]] = index }
        return parts.enumerated().filter { last[$1[keyPath: name]] == $0 }.map(\.element)
    }
}

extension ModelCheck {
    fileprivate func removeUnusable(from entity: inout Entity) {
        let entityProperties = properties[entity.name] ?? [:]
        entity.indexes.removeAll { index in
            index.elements.compactMap(\.propertyName).contains { !resolves($0, in: entityProperties) }
        }
        entity.compoundIndexes.removeAll { names in names.contains { !resolves($0, in: entityProperties) } }
        for index in entity.properties.indices {
            guard case .relationship(var relationship) = entity.properties[index], let name = relationship.inverseName
            else { continue }
            if case .relationship? = properties[relationship.destinationEntityName]?[name] { continue }
            relationship.inverseName = nil
            entity.properties[index] = .relationship(relationship)
        }
    }
}

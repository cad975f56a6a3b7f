// Validates a model. Called by the readers of model files and before a model built in code is used. A list of named
// steps; each adds its findings, and none stops the others.

extension Model {
    /// The problems of this model, in its order; empty for a valid one.
    ///
    /// Problems of level `error` make it unusable.
    ///
    /// O(n) in the number of properties.
    package func problems() -> [ModelProblem] {
        ModelCheck(model: self).run()
    }
}

/// One run of the checks over a model.
struct ModelCheck {
    let model: Model
    let entities: [String: Entity]
    /// Properties by name, including inherited ones, by entity name.
    let properties: [String: [String: Property]]
    var problems: [ModelProblem] = []

    init(model: Model) {
        self.model = model
        let entities = model.entitiesByName()
        self.entities = entities
        properties = entities.mapValues { entity in
            let all = model.lineage(of: entity, in: entities).flatMap(\.properties)
            return Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Runs all steps in order.
    func run() -> [ModelProblem] {
        var check = self
        check.findDuplicateEntities()
        check.findBrokenSuperentities()
        for entity in model.entities {
            check.findDuplicateProperties(of: entity)
            check.checkProperties(of: entity)
            check.findUnknownNames(in: entity)
        }
        check.checkConfigurations()
        check.checkTemplates()
        return check.problems
    }

    mutating func report(_ kind: ModelProblem.Kind, _ entity: Entity?, _ property: String?, _ reason: String) {
        problems.append(ModelProblem(kind, entity: entity?.name, property: property, reason: reason))
    }

    private mutating func findDuplicateEntities() {
        var seen: Set<String> = []
        for entity in model.entities {
            if entity.name.isEmpty {
                report(.missingName, nil, nil, "an entity has no name. Give it one.")
            } else if !seen.insert(entity.name).inserted {
                report(.duplicateEntity, entity, nil, "the model has two entities of this name. Rename one of them.")
            }
        }
    }

    private mutating func findBrokenSuperentities() {
        for entity in model.entities {
            guard let name = entity.superentityName else { continue }
            guard entities[name] != nil else {
                report(
                    .unknownSuperentity,
                    entity,
                    nil,
                    "its superentity \(name) is not in the model. Add that entity, or choose another superentity."
                )
                continue
            }
            if let circle = circle(from: entity) {
                report(
                    .superentityCycle,
                    entity,
                    nil,
                    "its superentities form a circle: \(circle.joined(separator: " -> ")). "
                        + "Take the superentity away from one of them."
                )
            }
        }
    }

    /// The names from the entity up to itself, if its superentities form a cycle.
    private func circle(from entity: Entity) -> [String]? {
        var path = [entity.name]
        var current = entity
        while let name = current.superentityName, let parent = entities[name] {
            path.append(name)
            if name == entity.name { return path }
            if path.count > entities.count { return nil }
            current = parent
        }
        return nil
    }

    private mutating func checkConfigurations() {
        for name in repeatedNames(model.configurations.map(\.name)) {
            let reason = repetition("configurations", name)
            problems.append(ModelProblem(.duplicateName, configuration: name, reason: reason))
        }
        for configuration in model.configurations {
            for name in configuration.entityNames where entities[name] == nil {
                let reason =
                    "the configuration \(configuration.name) lists the entity \(name), which is not in the model. "
                    + "Add that entity, or take its name out of the configuration."
                problems.append(ModelProblem(.unknownEntity, configuration: configuration.name, reason: reason))
            }
        }
    }

    private func repeatedNames(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { !seen.insert($0).inserted }
    }

    private func repetition(_ kind: String, _ name: String) -> String {
        "the model has two \(kind) named \(name); the last one counts. Rename one of them."
    }

    private mutating func checkTemplates() {
        for name in repeatedNames(model.fetchRequestTemplates.map(\.name)) {
            let reason = repetition("fetch request templates", name)
            problems.append(ModelProblem(.duplicateName, template: name, reason: reason))
        }
        for template in model.fetchRequestTemplates where entities[template.entityName] == nil {
            let reason =
                "the fetch request template \(template.name) is for the entity \(template.entityName), which is "
                + "not in the model. Add that entity, or choose another for the template."
            problems.append(ModelProblem(.unknownEntity, template: template.name, reason: reason))
        }
    }

    /// Whether the entities are the same, or one inherits from the other.
    func areRelated(_ first: String, _ second: String) -> Bool {
        func lineageNames(_ name: String) -> [String] {
            entities[name].map { model.lineage(of: $0, in: entities).map(\.name) } ?? []
        }
        return lineageNames(first).contains(second) || lineageNames(second).contains(first)
    }
}

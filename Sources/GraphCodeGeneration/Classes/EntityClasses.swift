// The classes that the entities of models name, each once. Used by the writers of classes and of the registration.
import GraphModel

/// The classes of one or more models.
package struct EntityClasses: Sendable {
    /// The entities of a model.
    ///
    /// Entities of different models may have the same name and different classes.
    private struct EntityTable {
        /// Class names by entity name, without entities whose class is `NSManagedObject`.
        var classNames: [String: String] = [:]
        var superentities: [String: String] = [:]
        var entities: [String: Entity] = [:]
    }

    /// In the order of the models.
    package private(set) var classes: [EntityClass] = []
    /// In the order of the models.
    private var tables: [EntityTable] = []

    /// Collects the classes of one or more models.
    package init(_ models: [Model]) {
        for model in models {
            var table = EntityTable()
            for entity in model.entities {
                table.entities[entity.name] = entity
                table.classNames[entity.name] = SwiftName.className(entity.className)
                table.superentities[entity.name] = entity.superentityName
            }
            tables.append(table)
        }
        for (index, model) in models.enumerated() {
            for entity in model.entities { add(entity, ofModel: index) }
        }
    }

    private mutating func add(_ entity: Entity, ofModel model: Int) {
        guard let name = tables[model].classNames[entity.name] else { return }
        guard let index = classes.firstIndex(where: { $0.name == name }) else {
            classes.append(
                EntityClass(
                    name: name,
                    entities: [(model, entity)],
                    codeGeneration: entity.codeGeneration,
                    superclass: superclass(of: entity, ofModel: model, named: name),
                    properties: Self.sorted(entity.properties)
                )
            )
            return
        }
        // A class that two entities share is generated once, with the properties of both.
        let existingNames = Set(classes[index].properties.map(\.name))
        let new = entity.properties.filter { !existingNames.contains($0.name) }
        classes[index].properties = Self.sorted(classes[index].properties + new)
        let superclass = superclass(of: entity, ofModel: model, named: name)
        if superclass == name { return }
        let isSub = classes[index].entities.contains {
            $0.model == model && ancestors(of: $0.entity.name, inModel: model).contains(entity.name)
        }
        classes[index].entities.insert((model, entity), at: isSub ? 0 : classes[index].entities.count)
        if isSub { classes[index].superclass = superclass }
    }

    private static func sorted(_ properties: [Property]) -> [Property] {
        properties.sorted { $0.name < $1.name }
    }

    /// The class of the nearest superentity with a different class.
    private func superclass(of entity: Entity, ofModel model: Int, named name: String) -> String {
        for ancestor in ancestors(of: entity.name, inModel: model) {
            if let candidate = tables[model].classNames[ancestor], candidate != name { return candidate }
        }
        return "NSManagedObject"
    }

    private func ancestors(of entity: String, inModel model: Int) -> [String] {
        var result: [String] = []
        var current = tables[model].superentities[entity]
        while let name = current, !result.contains(name) {
            result.append(name)
            current = tables[model].superentities[name]
        }
        return result
    }

    /// The class of the objects of an entity that a property of a class leads to.
    ///
    /// - Parameters:
    ///   - name: The entity's name.
    ///   - item: The class with the property: the entity is one of its model, if that has one of this name.
    /// - Returns: The class's name.
    package func className(ofEntity name: String, from item: EntityClass) -> String {
        let models = item.entities.map(\.model) + Array(tables.indices)
        let model = models.first { tables[$0].entities[name] != nil }
        return model.flatMap { tables[$0].classNames[name] } ?? "NSManagedObject"
    }

    /// The class with this name.
    package func entityClass(named name: String) -> EntityClass? {
        classes.first { $0.name == name }
    }

    /// All properties of the entities that name this class, inherited ones included, by name.
    package func allProperties(ofClass name: String) -> [String: Property] {
        var result: [String: Property] = [:]
        for (model, entity) in entityClass(named: name)?.entities ?? [] {
            for ancestor in [entity.name] + ancestors(of: entity.name, inModel: model) {
                for property in tables[model].entities[ancestor]?.properties ?? [] where result[property.name] == nil {
                    result[property.name] = property
                }
            }
        }
        return result
    }
}

extension EntityClasses {
    /// The ends, as `Cars` in `addToCars`, of the methods that Xcode generates for unordered relationships.
    ///
    /// - Parameter models: The classes of each model.
    /// - Returns: The relationships' names with an uppercase first letter, without those that are ordered elsewhere.
    package static func generatedSets(_ models: [EntityClasses]) -> Set<String> {
        var names: [Bool: Set<String>] = [:]
        for item in models.flatMap(\.classes) where item.codeGeneration != .manual {
            for case .relationship(let relationship) in item.properties where relationship.isToMany {
                names[relationship.isOrdered, default: []].insert(SwiftName.capitalized(relationship.name))
            }
        }
        return (names[false] ?? []).subtracting(names[true] ?? [])
    }
}

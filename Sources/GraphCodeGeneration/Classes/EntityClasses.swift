// The classes that the entities of a model name, each once. Used by the writers of classes and of the registration.
import GraphModel

/// The classes of a model.
package struct EntityClasses: Sendable {
    /// In the order of the model.
    package private(set) var classes: [EntityClass] = []
    /// Class names by entity name, without entities whose class is `NSManagedObject`.
    private var namesByEntity: [String: String] = [:]
    private var superentities: [String: String] = [:]
    private var entities: [String: Entity] = [:]

    /// Collects the classes of one or more models.
    package init(_ models: [Model]) {
        for model in models {
            for entity in model.entities {
                entities[entity.name] = entity
                namesByEntity[entity.name] = SwiftName.className(entity.className)
                superentities[entity.name] = entity.superentityName
            }
        }
        for model in models {
            for entity in model.entities { add(entity) }
        }
    }

    private mutating func add(_ entity: Entity) {
        guard let name = namesByEntity[entity.name] else { return }
        guard let index = classes.firstIndex(where: { $0.name == name }) else {
            classes.append(
                EntityClass(
                    name: name,
                    entities: [entity],
                    codeGeneration: entity.codeGeneration,
                    superclass: superclass(of: entity, named: name),
                    properties: Self.sorted(entity.properties)
                )
            )
            return
        }
        // A class that two entities share is generated once, with the properties of both.
        let existingNames = Set(classes[index].properties.map(\.name))
        let new = entity.properties.filter { !existingNames.contains($0.name) }
        classes[index].properties = Self.sorted(classes[index].properties + new)
        if superclass(of: entity, named: name) == name { return }
        let isSub = classes[index].entities.contains { isAncestor(entity.name, of: $0.name) }
        classes[index].entities.insert(entity, at: isSub ? 0 : classes[index].entities.count)
        if isSub { classes[index].superclass = superclass(of: entity, named: name) }
    }

    private static func sorted(_ properties: [Property]) -> [Property] {
        properties.sorted { $0.name < $1.name }
    }

    /// The class of the nearest superentity with a different class.
    private func superclass(of entity: Entity, named name: String) -> String {
        for ancestor in ancestors(of: entity.name) {
            if let candidate = namesByEntity[ancestor], candidate != name { return candidate }
        }
        return "NSManagedObject"
    }

    private func ancestors(of entity: String) -> [String] {
        var result: [String] = []
        var current = superentities[entity]
        while let name = current, !result.contains(name) {
            result.append(name)
            current = superentities[name]
        }
        return result
    }

    private func isAncestor(_ ancestor: String, of entity: String) -> Bool {
        ancestors(of: entity).contains(ancestor)
    }

    /// The class of an entity's objects.
    package func className(ofEntity name: String) -> String {
        namesByEntity[name] ?? "NSManagedObject"
    }

    /// The class with this name.
    package func entityClass(named name: String) -> EntityClass? {
        classes.first { $0.name == name }
    }

    /// All properties of the entities that name this class, inherited ones included, by name.
    package func allProperties(ofClass name: String) -> [String: Property] {
        var result: [String: Property] = [:]
        for entity in entityClass(named: name)?.entities ?? [] {
            for ancestor in [entity.name] + ancestors(of: entity.name) {
                for property in entities[ancestor]?.properties ?? [] where result[property.name] == nil {
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

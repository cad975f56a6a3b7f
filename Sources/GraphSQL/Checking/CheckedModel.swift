// A model with the look-ups that checks make, computed once. Has inheritance in both directions: a key may be a
// property of a subentity, too.
import GraphModel

/// Entities by name with all properties that a key may mean.
struct CheckedModel: Sendable {
    struct CheckedEntity: Sendable {
        var name: String
        /// The number of the root of its inheritance, which shows whether two objects may be the same.
        var tree: Int
        /// Its own and inherited properties.
        var properties: [String: Property]
        /// Those of the entities below it.
        var below: [String: Property]
        /// The entity itself and those below it.
        var family: [String]
    }

    let entities: [String: CheckedEntity]
    let isComputed: @Sendable (_ entity: String, _ property: String) -> Bool

    init(_ model: Model, isComputed: @escaping @Sendable (_ entity: String, _ property: String) -> Bool) {
        self.isComputed = isComputed
        let byName = model.entitiesByName()
        func lineage(_ entity: Entity) -> [Entity] {
            var chain = [entity]
            while let name = chain.last?.superentityName, let parent = byName[name], chain.count <= byName.count {
                chain.append(parent)
            }
            return chain
        }
        var trees: [String: Int] = [:]
        var entities: [String: CheckedEntity] = [:]
        for entity in model.entities {
            let chain = lineage(entity)
            let root = chain.last?.name ?? entity.name
            let tree = trees[root] ?? trees.count
            trees[root] = tree
            var properties: [String: Property] = [:]
            for property in chain.flatMap(\.properties) where properties[property.name] == nil {
                properties[property.name] = property
            }
            entities[entity.name] = CheckedEntity(
                name: entity.name,
                tree: tree,
                properties: properties,
                below: [:],
                family: [entity.name]
            )
        }
        for entity in model.entities {
            for ancestor in lineage(entity).dropFirst() {
                entities[ancestor.name]?.family.append(entity.name)
                for property in entity.properties {
                    entities[ancestor.name]?.below[property.name] = property
                }
            }
        }
        self.entities = entities
    }

    /// Every name that a key may use on an entity.
    func names(of entity: CheckedEntity) -> Set<String> {
        Set(entity.properties.keys).union(entity.below.keys)
    }
}

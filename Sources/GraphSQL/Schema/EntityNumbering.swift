// The numbers of a model's entities: roots by ascending name, each followed by its subentities depth first, from 1.
// Called by SchemaLayout.
import GraphModel

/// The entities of a model as trees, in the order of their numbers.
struct EntityNumbering {
    struct Place {
        let entity: Entity
        let number: Int64
        let superNumber: Int64
        /// Index of the tree among the roots.
        let tree: Int
        let rootName: String
        /// This entity's number and those of all below it, ascending.
        var family: [Int64]
    }

    /// In the order of the numbers: number n stands at n - 1.
    private(set) var places: [Place] = []
    private(set) var indexByName: [String: Int] = [:]
    private(set) var treeCount = 0

    init(_ model: Model) {
        var children: [String: [Entity]] = [:]
        var roots: [Entity] = []
        let byName = model.entitiesByName()
        for entity in byName.values {
            if let parent = entity.superentityName, byName[parent] != nil {
                children[parent, default: []].append(entity)
            } else {
                roots.append(entity)
            }
        }
        for root in roots.sorted(by: { $0.name < $1.name }) {
            add(root, superNumber: 0, rootName: root.name, children: children)
            treeCount += 1
        }
    }

    subscript(name: String) -> Place? {
        indexByName[name].map { places[$0] }
    }

    /// Adds an entity and all below it.
    ///
    /// A circle of superentities hangs below no root and is never reached.
    private mutating func add(_ entity: Entity, superNumber: Int64, rootName: String, children: [String: [Entity]]) {
        let index = places.count
        let number = Int64(index + 1)
        indexByName[entity.name] = index
        places.append(
            Place(
                entity: entity,
                number: number,
                superNumber: superNumber,
                tree: treeCount,
                rootName: rootName,
                family: []
            )
        )
        for child in (children[entity.name] ?? []).sorted(by: { $0.name < $1.name }) {
            add(child, superNumber: number, rootName: rootName, children: children)
        }
        places[index].family = Array(number...Int64(places.count))
    }
}

// The numbers of a model's entities: roots by ascending name, each followed by its subentities depth first, from 1.
// Called by SchemaLayout.
import GraphModel

/// The entities of a model as trees, in the order of their numbers.
struct EntityNumbering {
    struct Place {
        let entity: Entity
        /// The entity's number: its place and 1, unless the file has another.
        var number: Int64
        /// The number of the superentity; 0 for a root.
        var superNumber: Int64
        /// Index of the entity above, nil for a root.
        let parent: Int?
        /// Index of the tree among the roots.
        let tree: Int
        let rootName: String
        /// This entity's number and those of all below it, ascending.
        var family: [Int64]
    }

    /// In Apple's order, which gives number n the place n - 1.
    private(set) var places: [Place] = []
    private(set) var indexByName: [String: Int] = [:]
    private(set) var treeCount = 0

    /// Numbers a model's entities.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - numbers: The numbers that a file has for some entities, by name; they take precedence.
    init(_ model: Model, given numbers: [String: Int64] = [:]) {
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
            add(root, parent: nil, rootName: root.name, children: children)
            treeCount += 1
        }
        if places.contains(where: { (numbers[$0.entity.name] ?? $0.number) != $0.number }) { renumber(numbers) }
    }

    private mutating func renumber(_ numbers: [String: Int64]) {
        let former = places.map(\.number)
        for index in places.indices { places[index].number = numbers[places[index].entity.name] ?? former[index] }
        for index in places.indices {
            places[index].superNumber = places[index].parent.map { places[$0].number } ?? 0
            places[index].family = places[index].family.map { places[Int($0) - 1].number }.sorted()
        }
    }

    subscript(name: String) -> Place? {
        indexByName[name].map { places[$0] }
    }

    /// The indexes of the places, sorted by the entities' names.
    var indexesByEntityName: [Int] {
        places.indices.sorted { places[$0].entity.name < places[$1].entity.name }
    }

    /// Adds an entity and all below it.
    ///
    /// A circle of superentities hangs below no root and is never reached.
    private mutating func add(_ entity: Entity, parent: Int?, rootName: String, children: [String: [Entity]]) {
        let index = places.count
        let number = Int64(index + 1)
        indexByName[entity.name] = index
        places.append(
            Place(
                entity: entity,
                number: number,
                superNumber: parent.map { places[$0].number } ?? 0,
                parent: parent,
                tree: treeCount,
                rootName: rootName,
                family: []
            )
        )
        for child in (children[entity.name] ?? []).sorted(by: { $0.name < $1.name }) {
            add(child, parent: index, rootName: rootName, children: children)
        }
        places[index].family = Array(number...Int64(places.count))
    }
}

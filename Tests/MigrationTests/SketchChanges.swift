// The changes that a lightweight migration supports: each is applied to a sketch, and to the objects expected in a
// migrated store. The expectations are stated in terms of objects, not of tables.
import TestSupport

/// A sketch with the objects expected in a store of it.
struct SketchState {
    var sketch = Sketch()
    var content: SketchContent?
    private var names = 0
    /// Attributes that were moved or became required; undoing that within one version would not be a change.
    private var settled: Set<String> = []

    /// A small random model as a starting point.
    init(_ numbers: inout SeededNumbers) {
        for _ in 0..<3 { _ = apply(.addEntity, &numbers) }
        for _ in 0..<2 { _ = apply(.addChild, &numbers) }
        for _ in 0..<6 { _ = apply(.addAttribute, &numbers) }
        for _ in 0..<4 { _ = apply(.addRelation, &numbers) }
        content = SketchContent(sketch, perEntity: 4, &numbers)
    }

    /// Apple's table of changes, row by row.
    enum Change: CaseIterable {
        case addAttribute, removeAttribute, renameAttribute, attributeToOptional, attributeToRequired
        case addRelation, removeRelation, renameRelation, toOneToMany, toggleOrder
        case addEntity, removeEntity, renameEntity
        case addParent, addChild, moveUp, moveDown, leaveHierarchy
        case changeDefault, indexAttribute
    }

    /// Returns a name whose sort order is independent of its creation, so that the numbers of entities move.
    private mutating func name(_ prefix: String, _ numbers: inout SeededNumbers) -> String {
        names += 1
        let letter = ["b", "f", "m", "q", "w"].randomElement(using: &numbers) ?? "x"
        return prefix + letter + "\(names)"
    }

    /// Applies a change at a random place; returns false if there is none.
    mutating func apply(_ change: Change, _ numbers: inout SeededNumbers) -> Bool {
        switch change {
        case .addAttribute: addAttribute(&numbers)
        case .removeAttribute: removeAttribute(&numbers)
        case .renameAttribute: renameAttribute(&numbers)
        case .attributeToOptional: attributeToOptional(&numbers)
        case .attributeToRequired: attributeToRequired(&numbers)
        case .changeDefault: changeDefault(&numbers)
        case .indexAttribute:
            changeAttribute(&numbers, where: { $0.type != "Binary" }) {
                $0.more = $0.more.isEmpty ? "indexed=\"YES\"" : ""
            }
        case .addRelation: addRelation(&numbers)
        case .removeRelation: removeRelation(&numbers)
        case .renameRelation: renameRelation(&numbers)
        case .toOneToMany: toOneToMany(&numbers)
        case .toggleOrder: toggleOrder(&numbers)
        case .addEntity: addEntity(nil, &numbers)
        case .addChild: addChild(&numbers)
        case .removeEntity: removeEntity(&numbers)
        case .renameEntity: renameEntity(&numbers)
        case .addParent: addParent(&numbers)
        case .moveUp: moveUp(&numbers)
        case .moveDown: moveDown(&numbers)
        case .leaveHierarchy: leaveHierarchy(&numbers)
        }
    }

    // MARK: Objects

    private mutating func update(_ names: some Sequence<String>, _ body: (inout SketchContent.Object) -> Void) {
        let names = Set(names)
        for tag in (content?.objects ?? [:]).keys {
            guard var object = content?.objects[tag], names.contains(object.entity) else { continue }
            body(&object)
            content?.objects[tag] = object
        }
    }

    private func family(_ name: String) -> [String] { sketch.family(name).map(\.name) }

    // MARK: Attributes

    /// A random attribute that satisfies a condition: indexes of entity and attribute.
    private func pick(_ numbers: inout SeededNumbers, where isWanted: (Sketch.Attribute) -> Bool) -> (Int, Int)? {
        sketch.entities.indices.flatMap { entity in
            sketch.entities[entity].attributes.indices
                .filter {
                    sketch.entities[entity].attributes[$0].name != "tag"
                        && isWanted(sketch.entities[entity].attributes[$0])
                }
                .map { (entity, $0) }
        }
        .randomElement(using: &numbers)
    }

    private mutating func changeAttribute(
        _ numbers: inout SeededNumbers,
        where isWanted: (Sketch.Attribute) -> Bool,
        _ body: (inout Sketch.Attribute) -> Void
    ) -> Bool {
        guard let (entity, index) = pick(&numbers, where: isWanted) else { return false }
        body(&sketch.entities[entity].attributes[index])
        return true
    }

    private mutating func attributeToOptional(_ numbers: inout SeededNumbers) -> Bool {
        let settled = settled
        return changeAttribute(&numbers, where: { !$0.isOptional && !settled.contains($0.name) }) {
            $0.isOptional = true
        }
    }

    private mutating func addAttribute(_ numbers: inout SeededNumbers) -> Bool {
        guard let index = sketch.entities.indices.randomElement(using: &numbers),
            let type = SketchContent.types.randomElement(using: &numbers)
        else { return false }
        var attribute = Sketch.Attribute(name: name("a", &numbers), type: type)
        let value = SketchContent.value(type, &numbers)
        if numbers.chance(50), let literal = SketchContent.defaultText(type, value) {
            attribute.defaultText = literal
            attribute.isOptional = numbers.chance(50)
        }
        sketch.entities[index].attributes.append(attribute)
        let isSet = attribute.defaultText != nil
        update(family(sketch.entities[index].name)) { $0.values[attribute.name] = isSet ? value : nil }
        return true
    }

    private mutating func removeAttribute(_ numbers: inout SeededNumbers) -> Bool {
        guard let (entity, index) = pick(&numbers, where: { _ in true }) else { return false }
        let removed = sketch.entities[entity].attributes.remove(at: index).name
        update(family(sketch.entities[entity].name)) { $0.values[removed] = nil }
        return true
    }

    private mutating func renameAttribute(_ numbers: inout SeededNumbers) -> Bool {
        guard let (entity, index) = pick(&numbers, where: { _ in true }) else { return false }
        let old = sketch.entities[entity].attributes[index]
        let new = name("a", &numbers)
        sketch.entities[entity].attributes[index].name = new
        sketch.entities[entity].attributes[index].former = old.former ?? old.name
        if settled.contains(old.name) { settled.insert(new) }
        update(family(sketch.entities[entity].name)) { $0.values[new] = $0.values.removeValue(forKey: old.name) }
        return true
    }

    private mutating func attributeToRequired(_ numbers: inout SeededNumbers) -> Bool {
        guard let (entity, index) = pick(&numbers, where: { $0.isOptional && !["Binary", "UUID"].contains($0.type) })
        else { return false }
        let attribute = sketch.entities[entity].attributes[index]
        let value = SketchContent.value(attribute.type, &numbers)
        settled.insert(attribute.name)
        sketch.entities[entity].attributes[index].isOptional = false
        sketch.entities[entity].attributes[index].defaultText = SketchContent.defaultText(attribute.type, value)
        update(family(sketch.entities[entity].name)) { $0.values[attribute.name] = $0.values[attribute.name] ?? value }
        return true
    }

    /// Changes a default, which affects only new objects.
    private mutating func changeDefault(_ numbers: inout SeededNumbers) -> Bool {
        var numbersCopy = numbers
        return changeAttribute(&numbers, where: { $0.defaultText != nil }) {
            $0.defaultText = SketchContent.defaultText($0.type, SketchContent.value($0.type, &numbersCopy))
        }
    }

    // MARK: Relationships

    private mutating func addRelation(_ numbers: inout SeededNumbers) -> Bool {
        guard let from = sketch.entities.indices.randomElement(using: &numbers),
            let to = sketch.entities.indices.randomElement(using: &numbers)
        else { return false }
        let (one, two) = (name("r", &numbers), name("r", &numbers))
        var relations = [
            Sketch.Relation(name: one, destination: sketch.entities[to].name, inverse: two, isMany: numbers.chance(50)),
            Sketch.Relation(
                name: two,
                destination: sketch.entities[from].name,
                inverse: one,
                isMany: numbers.chance(50)
            ),
        ]
        for index in relations.indices where relations[index].isMany {
            relations[index].isOrdered = numbers.chance(33)
        }
        sketch.entities[from].relations.append(relations[0])
        sketch.entities[to].relations.append(relations[1])
        return true
    }

    private func pickRelation(_ numbers: inout SeededNumbers, where isWanted: (Sketch.Relation) -> Bool) -> (Int, Int)?
    {
        sketch.entities.flatMap(\.relations).filter(isWanted).randomElement(using: &numbers)
            .flatMap { sketch.place(ofRelation: $0.name) }
    }

    private mutating func removeRelation(_ numbers: inout SeededNumbers) -> Bool {
        guard let (entity, index) = pickRelation(&numbers, where: { _ in true }) else { return false }
        remove(sketch.entities[entity].relations[index])
        return true
    }

    /// Removes a relationship with its inverse.
    private mutating func remove(_ relation: Sketch.Relation) {
        for index in sketch.entities.indices {
            sketch.entities[index].relations.removeAll { [relation.name, relation.inverse].contains($0.name) }
        }
        update(sketch.entities.map(\.name)) {
            $0.links[relation.name] = nil
            $0.links[relation.inverse] = nil
        }
    }

    private mutating func renameRelation(_ numbers: inout SeededNumbers) -> Bool {
        guard let (entity, index) = pickRelation(&numbers, where: { _ in true }) else { return false }
        let old = sketch.entities[entity].relations[index]
        let new = name("r", &numbers)
        sketch.entities[entity].relations[index].name = new
        sketch.entities[entity].relations[index].former = old.former ?? old.name
        if let (other, place) = sketch.place(ofRelation: old.inverse) {
            sketch.entities[other].relations[place].inverse = new
        }
        let isLoose = content?.looseRelations.contains(old.name) == true
        if isLoose { content?.looseRelations.insert(new) }
        update(sketch.entities.map(\.name)) { $0.links[new] = $0.links.removeValue(forKey: old.name) }
        return true
    }

    private mutating func toOneToMany(_ numbers: inout SeededNumbers) -> Bool {
        guard let (entity, index) = pickRelation(&numbers, where: { !$0.isMany }) else { return false }
        sketch.entities[entity].relations[index].isMany = true
        return true
    }

    private mutating func toggleOrder(_ numbers: inout SeededNumbers) -> Bool {
        guard let (entity, index) = pickRelation(&numbers, where: \.isMany) else { return false }
        let relation = sketch.entities[entity].relations[index]
        sketch.entities[entity].relations[index].isOrdered.toggle()
        content?.looseRelations.insert(relation.name)
        update(sketch.entities.map(\.name)) { $0.links[relation.name]?.sort() }
        return true
    }

    // MARK: Entities

    private mutating func addEntity(_ parent: String?, _ numbers: inout SeededNumbers) -> Bool {
        var entity = Sketch.Entity(name: name("E", &numbers), parent: parent)
        if parent == nil { entity.attributes = [Sketch.Attribute(name: "tag", type: "Integer 64")] }
        entity.attributes.append(Sketch.Attribute(name: name("a", &numbers), type: "String"))
        sketch.entities.append(entity)
        return true
    }

    private mutating func addChild(_ numbers: inout SeededNumbers) -> Bool {
        guard let parent = sketch.entities.randomElement(using: &numbers) else { return false }
        return addEntity(parent.name, &numbers)
    }

    private mutating func removeEntity(_ numbers: inout SeededNumbers) -> Bool {
        let leaves = sketch.entities.filter { family($0.name).count == 1 }
        guard sketch.entities.count > 2, let removed = leaves.randomElement(using: &numbers) else { return false }
        for relation in removed.relations { remove(relation) }
        for relation in sketch.entities.flatMap(\.relations) where relation.destination == removed.name {
            remove(relation)
        }
        let gone = Set((content?.objects ?? [:]).filter { $0.value.entity == removed.name }.map(\.key))
        for tag in gone { content?.objects[tag] = nil }
        update(sketch.entities.map(\.name)) { object in
            for (name, tags) in object.links {
                let remaining = tags.filter { !gone.contains($0) }
                object.links[name] = remaining.isEmpty ? nil : remaining
            }
        }
        sketch.entities.removeAll { $0.name == removed.name }
        return true
    }

    private mutating func renameEntity(_ numbers: inout SeededNumbers) -> Bool {
        guard let index = sketch.entities.indices.randomElement(using: &numbers) else { return false }
        let old = sketch.entities[index]
        let new = name("E", &numbers)
        update([old.name]) { $0.entity = new }
        sketch.entities[index].name = new
        sketch.entities[index].former = old.former ?? old.name
        for position in sketch.entities.indices {
            if sketch.entities[position].parent == old.name { sketch.entities[position].parent = new }
            for place in sketch.entities[position].relations.indices
            where sketch.entities[position].relations[place].destination == old.name {
                sketch.entities[position].relations[place].destination = new
            }
        }
        return true
    }

    // MARK: Hierarchies

    private mutating func addParent(_ numbers: inout SeededNumbers) -> Bool {
        let roots = sketch.entities.indices.filter { sketch.entities[$0].parent == nil }
        guard let index = roots.randomElement(using: &numbers) else { return false }
        let parent = Sketch.Entity(
            name: name("E", &numbers),
            isAbstract: numbers.chance(50),
            attributes: [Sketch.Attribute(name: "tag", type: "Integer 64")]
        )
        sketch.entities[index].parent = parent.name
        sketch.entities[index].attributes.removeAll { $0.name == "tag" }
        sketch.entities.append(parent)
        return true
    }

    private mutating func moveUp(_ numbers: inout SeededNumbers) -> Bool {
        let settled = settled
        let isFree = { (attribute: Sketch.Attribute) in
            attribute.isOptional && attribute.defaultText == nil && !settled.contains(attribute.name)
        }
        let children = sketch.entities.indices.filter { child in
            sketch.entities[child].parent != nil && sketch.entities[child].attributes.contains(where: isFree)
        }
        guard let child = children.randomElement(using: &numbers), let parent = sketch.entities[child].parent,
            let above = sketch.index(parent),
            let index = sketch.entities[child].attributes.firstIndex(where: isFree)
        else { return false }
        let moved = sketch.entities[child].attributes.remove(at: index)
        sketch.entities[above].attributes.append(moved)
        self.settled.insert(moved.name)
        return true
    }

    private mutating func moveDown(_ numbers: inout SeededNumbers) -> Bool {
        let settled = settled
        guard let (entity, index) = pick(&numbers, where: { !settled.contains($0.name) }),
            let child = sketch.entities.indices.filter({ sketch.entities[$0].parent == sketch.entities[entity].name })
                .randomElement(using: &numbers)
        else { return false }
        let moved = sketch.entities[entity].attributes.remove(at: index)
        let losing = Set(family(sketch.entities[entity].name)).subtracting(family(sketch.entities[child].name))
        sketch.entities[child].attributes.append(moved)
        self.settled.insert(moved.name)
        update(losing) { $0.values[moved.name] = nil }
        return true
    }

    /// Makes a child a root, with copies of its inherited attributes, if no relationship would lose objects.
    private mutating func leaveHierarchy(_ numbers: inout SeededNumbers) -> Bool {
        let children = sketch.entities.filter { child in
            let above = sketch.lineage(child.name).dropFirst()
            let names = Set(above.map(\.name))
            return !above.isEmpty && above.allSatisfy(\.relations.isEmpty)
                && !sketch.entities.flatMap(\.relations).contains { names.contains($0.destination) }
        }
        guard let child = children.randomElement(using: &numbers), let index = sketch.index(child.name) else {
            return false
        }
        let inherited = sketch.lineage(child.name).dropFirst().flatMap(\.attributes)
        sketch.entities[index].attributes += inherited
        sketch.entities[index].parent = nil
        return true
    }
}

// Models of arbitrary relationships in a compact form, and helpers for tests of relationships.
import Foundation
import GraphSupport
import ManagedGraph
import Testing

enum RelationsModel {
    /// A model with these relationships and their inverses; every entity has a `name` and a `number`.
    static func make(_ pairs: (Side, Side)..., oneWay: [(Side, to: String)] = []) -> NSManagedObjectModel {
        var entities: [String: NSEntityDescription] = [:]
        var properties: [String: [NSPropertyDescription]] = [:]
        var order: [String] = []
        func entity(_ name: String) -> NSEntityDescription {
            if let existing = entities[name] { return existing }
            let newEntity = NSEntityDescription(name)
            entities[name] = newEntity
            order.append(name)
            properties[name] = [
                NSAttributeDescription("name"),
                NSAttributeDescription("number", .integer16AttributeType),
            ]
            return newEntity
        }
        func relationship(_ side: Side, to destination: String) -> NSRelationshipDescription {
            let newRelationship = NSRelationshipDescription(
                side.name,
                to: entity(destination),
                toMany: side.isToMany,
                rule: side.rule,
                ordered: side.isOrdered
            )
            newRelationship.isOptional = side.isOptional
            if side.isToMany {
                newRelationship.minCount = side.minimum
                newRelationship.maxCount = side.maximum
            }
            _ = entity(side.entity)
            properties[side.entity]?.append(newRelationship)
            return newRelationship
        }
        for (one, other) in pairs {
            let there = relationship(one, to: other.entity)
            // A relationship may be its own inverse.
            let back =
                one.entity == other.entity && one.name == other.name ? there : relationship(other, to: one.entity)
            there.pair(with: back)
        }
        for (side, destination) in oneWay { _ = relationship(side, to: destination) }
        for (name, list) in properties { entities[name]?.properties = list }
        let model = NSManagedObjectModel()
        model.entities = order.compactMap { entities[$0] }
        return model
    }
}

extension NSManagedObjectContext {
    /// Inserts an object of the entity with a name.
    func make(_ entity: String, _ name: String) throws -> NSManagedObject {
        return self.make(entity, ["name": name])
    }

    func make(_ entity: String, names: String) throws -> [NSManagedObject] {
        try names.map { try make(entity, String($0)) }
    }

    /// Saves a list with items, each named by a letter.
    func saveList(of names: String) throws -> (list: NSManagedObject, items: [NSManagedObject]) {
        let list = try make("List", "l")
        let items = try make("Item", names: names)
        list.relate("items", items)
        try save()
        return (list, items)
    }

    /// The object of an entity with the given name.
    func find(_ entity: String, _ name: String) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        return try #require(try fetch(request).first)
    }
}

extension NSManagedObject {
    var label: String { value(forKey: "name") as? String ?? "?" }

    /// The concatenated names of a relationship's members: in order, or sorted for unordered relationships.
    func joinedNames(_ key: String) -> String { names(key).joined() }

    /// Sets a to-one or to-many relationship.
    func relate(_ key: String, _ objects: [NSManagedObject]) {
        let description = entity.relationshipsByName[key]
        if description?.isOrdered == true {
            setValue(NSOrderedSet(array: objects), forKey: key)
        } else if description?.isToMany == true {
            setValue(NSSet(array: objects), forKey: key)
        } else {
            setValue(objects.first, forKey: key)
        }
    }
}

extension Stack {
    /// The members of a relationship in another context.
    func stored(_ entity: String, _ name: String, _ key: String) throws -> String {
        let other = otherContext()
        return try other.performAndWait { () throws in try other.find(entity, name).joinedNames(key) }
    }

    /// The number of statements that `body` executes.
    func statements(_ body: () throws -> Void) rethrows -> Int {
        let before = coordinator.statistics.statements
        try body()
        return coordinator.statistics.statements - before
    }
}

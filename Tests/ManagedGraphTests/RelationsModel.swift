// Models of arbitrary relationships in a compact form, and helpers for tests of relationships.
import Foundation
import ManagedGraph
import Testing

enum RelationsModel {
    /// A model with these relationships and their inverses; every entity has a `name` and a `number`.
    static func make(_ pairs: (Side, Side)..., oneWay: [(Side, to: String)] = []) -> NSManagedObjectModel {
        var entities: [String: NSEntityDescription] = [:]
        var properties: [String: [NSPropertyDescription]] = [:]
        var order: [String] = []
        func entity(_ name: String) -> NSEntityDescription {
            if let known = entities[name] { return known }
            let made = NSEntityDescription()
            made.name = name
            entities[name] = made
            order.append(name)
            properties[name] = [
                TasksModel.attribute("name", .stringAttributeType),
                TasksModel.attribute("number", .integer16AttributeType),
            ]
            return made
        }
        func relationship(_ side: Side, to destination: String) -> NSRelationshipDescription {
            let made = TasksModel.relationship(
                side.name,
                to: entity(destination),
                toMany: side.isToMany,
                rule: side.rule,
                ordered: side.isOrdered
            )
            made.isOptional = side.isOptional
            if side.isToMany {
                made.minCount = side.minimum
                made.maxCount = side.maximum
            }
            _ = entity(side.entity)
            properties[side.entity]?.append(made)
            return made
        }
        for (one, other) in pairs {
            let there = relationship(one, to: other.entity)
            // A relationship may be its own inverse.
            let back =
                one.entity == other.entity && one.name == other.name ? there : relationship(other, to: one.entity)
            there.inverseRelationship = back
            back.inverseRelationship = there
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
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        object.setValue(name, forKey: "name")
        return object
    }

    func make(_ entity: String, names: String) throws -> [NSManagedObject] {
        try names.map { try make(entity, String($0)) }
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
    func names(_ key: String) -> String {
        switch value(forKey: key) {
        case let set as NSOrderedSet: set.array.compactMap { ($0 as? NSManagedObject)?.label }.joined()
        case let set as NSSet: set.allObjects.compactMap { ($0 as? NSManagedObject)?.label }.sorted().joined()
        case let object as NSManagedObject: object.label
        default: ""
        }
    }

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
        return try other.performAndWait { () throws in try other.find(entity, name).names(key) }
    }

    /// The number of statements that `body` executes.
    func statements(_ body: () throws -> Void) rethrows -> Int {
        let before = coordinator.statistics.statements
        try body()
        return coordinator.statistics.statements - before
    }
}

// Results that are placed or chosen by a related object's value (`location.name`) must follow when that object changes,
// although they themselves do not. This finds them: from the changed object back along the inverses.
import Foundation

/// A property of a related object that places or chooses the results.
struct RelatedKey {
    /// The entity of the related object.
    let entity: NSEntityDescription
    /// The property of it; nil where a class computes the value from any of them.
    let key: String?
    /// The relationships from the result's entity to the related object.
    let path: [NSRelationshipDescription]

    /// The related keys in key paths.
    ///
    /// - Parameters:
    ///   - keyPaths: Key paths from an entity.
    ///   - entity: The entity of the results.
    /// - Returns: One entry for each step behind a relationship.
    static func keys(in keyPaths: [String], from entity: NSEntityDescription) -> [RelatedKey] {
        var result: [RelatedKey] = []
        var seen: Set<String> = []
        for keyPath in keyPaths {
            var entity = entity
            var path: [NSRelationshipDescription] = []
            var prefix = ""
            // What @count, @sum and the like are applied to is another key of the same path.
            for key in keyPath.split(separator: ".").map(String.init) where !key.hasPrefix("@") {
                prefix += "." + key
                let isStored = entity.propertiesByName[key].map { !$0.isTransient } ?? false
                if !path.isEmpty, seen.insert(prefix).inserted {
                    result.append(RelatedKey(entity: entity, key: isStored ? key : nil, path: path))
                }
                guard let relationship = entity.relationshipsByName[key],
                    let destination = relationship.destinationEntity
                else { break }
                path.append(relationship)
                entity = destination
            }
        }
        return result
    }

    /// The results that a related object places; nil where the model has no way back to them.
    ///
    /// - Parameter object: The related object.
    /// - Returns: The objects that have it at the end of the path. O(their number) where all inverses exist.
    func dependents(of object: NSManagedObject) -> [NSManagedObject]? {
        var current = [object]
        for relationship in path.reversed() {
            guard let inverse = relationship.inverseRelationship else { return nil }
            current = current.flatMap { Self.objects(in: $0.value(forKey: inverse.name)) }
        }
        return current
    }

    /// Whether an object has the related object at the end of the path.
    func leads(from object: NSManagedObject, to related: NSManagedObject) -> Bool {
        var current = [object]
        for relationship in path { current = current.flatMap { Self.objects(in: $0.value(forKey: relationship.name)) } }
        return current.contains { $0 === related }
    }

    private static func objects(in value: Any?) -> [NSManagedObject] {
        switch value {
        case let object as NSManagedObject: [object]
        case let set as Set<NSManagedObject>: Array(set)
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let array as [NSManagedObject]: array
        default: []
        }
    }
}

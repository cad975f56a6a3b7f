// Results that are sorted or selected by a related object's value (`location.name`) must be updated when that object
// changes, although they do not change themselves. RelatedKey finds them by following inverses from the changed object.
import Foundation

/// A property of a related object that places or selects results.
struct RelatedKey {
    /// The entity of the related object.
    let entity: NSEntityDescription
    /// The property of that entity; nil if a class computes the value, possibly from any property.
    let key: String?
    /// The relationships from the result's entity to the related object.
    let path: [NSRelationshipDescription]

    /// Collects the related keys of key paths.
    ///
    /// - Parameters:
    ///   - keyPaths: Key paths from an entity.
    ///   - entity: The entity of the results.
    /// - Returns: One entry for each key after a relationship.
    static func keys(in keyPaths: [String], from entity: NSEntityDescription) -> [RelatedKey] {
        var result: [RelatedKey] = []
        var seen: Set<String> = []
        for keyPath in keyPaths {
            var entity = entity
            var path: [NSRelationshipDescription] = []
            var prefix = ""
            // Aggregates such as @count and @sum are skipped: the key they apply to is another key of the same path.
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

    /// The results that a related object places; nil if a relationship of the path has no inverse.
    ///
    /// - Parameter object: The related object.
    /// - Returns: The objects that have it at the end of the path. O(their number) if all inverses exist.
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

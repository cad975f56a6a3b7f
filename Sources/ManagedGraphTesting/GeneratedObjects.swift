// Generates objects for stores that tests migrate: all properties are set and valid. The same model always produces the
// same objects. Used by StoreFixtures.
import Foundation
import ManagedGraph

/// Fills a context with objects of a model.
struct GeneratedObjects {
    private let model: NSManagedObjectModel
    private let count: Int

    init(_ model: NSManagedObjectModel, count: Int) {
        self.model = model
        // Provide enough objects for the minimum count of every relationship.
        let wanted = model.entities.flatMap { $0.relationshipsByName.values.map(\.minCount) }.max() ?? 0
        self.count = max(count, wanted)
    }

    /// Inserts the objects; saving reports rules that no generated value satisfies.
    func insert(into context: NSManagedObjectContext) throws {
        var objects: [String: [NSManagedObject]] = [:]
        let entities = model.entities.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") }
        var latestNumbers: [String: Int] = [:]
        for entity in entities {
            guard let name = entity.name else { continue }
            // Entities of one inheritance tree share the uniqueness constraints of those above them.
            let former = latestNumbers[Self.root(of: entity), default: 0]
            latestNumbers[Self.root(of: entity)] = former + count
            objects[name] = (former + 1...former + count).map { number in
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                let attributes = entity.attributesByName.values.sorted { $0.name < $1.name }
                for attribute in attributes
                where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
                    if let value = GeneratedValue.value(of: attribute, number: number) {
                        object.setValue(value, forKey: attribute.name)
                    }
                }
                return object
            }
        }
        for entity in entities {
            guard let name = entity.name else { continue }
            let relationships = entity.relationshipsByName.values.sorted { $0.name < $1.name }
            for relationship in relationships where !relationship.isTransient {
                relate(objects[name] ?? [], relationship, members(of: relationship, objects))
            }
        }
    }

    /// The name of the entity at the top of an inheritance tree.
    private static func root(of entity: NSEntityDescription) -> String {
        var root = entity
        while let above = root.superentity { root = above }
        return root.name ?? ""
    }

    /// The possible destinations of a relationship: the objects of the first entity that has any.
    private func members(
        of relationship: NSRelationshipDescription,
        _ objects: [String: [NSManagedObject]]
    ) -> [NSManagedObject] {
        guard let destination = relationship.destinationEntity else { return [] }
        return model.entities.filter { $0.isKindOf(entity: destination) && !$0.isAbstract }
            .sorted { ($0.name ?? "") < ($1.name ?? "") }
            .lazy.compactMap { $0.name.flatMap { objects[$0] } }.first ?? []
    }

    /// Relates the n-th object to the n-th member; to-many relationships without a to-one inverse also get the next
    /// members.
    private func relate(
        _ objects: [NSManagedObject],
        _ relationship: NSRelationshipDescription,
        _ members: [NSManagedObject]
    ) {
        guard !members.isEmpty else { return }
        for (index, object) in objects.enumerated() {
            let name = relationship.name
            guard relationship.isToMany else {
                if object.value(forKey: name) == nil { object.setValue(members[index % members.count], forKey: name) }
                continue
            }
            let isShared = relationship.inverseRelationship?.isToMany ?? true
            let limit = relationship.maxCount > 0 ? relationship.maxCount : 2
            let number = isShared ? min(max(relationship.minCount, 1), limit, members.count) : 1
            let chosen = (0..<number).map { members[(index + $0) % members.count] }
            if relationship.isOrdered {
                object.mutableOrderedSetValue(forKey: name).addObjects(from: chosen)
            } else {
                object.mutableSetValue(forKey: name).addObjects(from: chosen)
            }
        }
    }
}

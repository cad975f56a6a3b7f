// Objects for stores that tests migrate: every property set, within the model's rules. The same model always gives the same
// objects. Used by StoreFixtures.
import Foundation
import ManagedGraph

/// Fills a context with objects of a model.
struct GeneratedObjects {
    private let model: NSManagedObjectModel
    private let count: Int

    init(_ model: NSManagedObjectModel, count: Int) {
        self.model = model
        // A relationship to at least so many objects needs them.
        let wanted = model.entities.flatMap { $0.relationshipsByName.values.map(\.minCount) }.max() ?? 0
        self.count = max(count, wanted)
    }

    /// Inserts the objects; rules that no generated value keeps show when they are saved.
    func insert(into context: NSManagedObjectContext) throws {
        var objects: [String: [NSManagedObject]] = [:]
        let entities = model.entities.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") }
        for entity in entities {
            guard let name = entity.name else { continue }
            objects[name] = (1...count).map { number in
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

    /// The objects that a relationship may lead to: of the first entity that has any.
    private func members(
        of relationship: NSRelationshipDescription,
        _ objects: [String: [NSManagedObject]]
    ) -> [NSManagedObject] {
        guard let destination = relationship.destinationEntity else { return [] }
        return model.entities.filter { $0.isKindOf(entity: destination) && !$0.isAbstract }
            .sorted { ($0.name ?? "") < ($1.name ?? "") }
            .lazy.compactMap { $0.name.flatMap { objects[$0] } }.first ?? []
    }

    /// The n-th object gets the n-th member; to-many relationships without a to-one inverse the next ones too.
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

// The values of deleted objects, from which they are inserted again. Undo works on this copy instead of an undo manager:
// the undo stack of a context that all readers share would undo the latest change of any reader, and it would overwrite
// the values that others have saved since.
import CoreData
import Foundation

/// A deleted object with the objects that its cascade took along.
struct KeptDeletion: @unchecked Sendable {
    // Unchecked: the values are immutable Foundation values, and no objects.

    /// The values of one object.
    struct Copy {
        let objectID: NSManagedObjectID
        let entityName: String
        let attributes: [String: Any]
        /// The objects of each relationship, in its order.
        let relationships: [String: [NSManagedObjectID]]
        /// The approximate size of the attributes, in bytes.
        let bytes: Int

        init(_ object: NSManagedObject) {
            let entity = object.entity
            objectID = object.objectID
            entityName = entity.name ?? ""
            var attributes: [String: Any] = [:]
            var bytes = 0
            for (name, attribute) in entity.attributesByName where Self.has(attribute) {
                guard let value = object.value(forKey: name) else { continue }
                attributes[name] = value
                bytes += (value as? Data)?.count ?? (value as? String)?.utf8.count ?? 8
            }
            self.attributes = attributes
            relationships = entity.relationshipsByName.filter { !$0.value.isTransient }
                .mapValues { object.related($0.name).map(\.objectID) }
            self.bytes = bytes
        }

        /// Whether copies contain the values of an attribute.
        static func has(_ attribute: NSAttributeDescription) -> Bool {
            !attribute.isTransient && !(attribute is NSDerivedAttributeDescription)
        }
    }

    /// The deleted object, followed by those of its cascade.
    let copies: [Copy]
    let bytes: Int

    /// Inserts the objects again and relates them to the remaining objects; the caller saves.
    ///
    /// An object that refers to one object only, and that has been related to another one since, stays with that one.
    ///
    /// - Parameters:
    ///   - context: The context, on its queue.
    ///   - renewed: Returns the object that an earlier call has inserted in place of a deleted one.
    /// - Returns: The inserted objects, by the IDs of the deleted ones.
    func restore(in context: NSManagedObjectContext, renewed: (NSManagedObjectID) -> NSManagedObjectID)
        -> [NSManagedObjectID: NSManagedObject]
    {
        var inserted: [NSManagedObjectID: NSManagedObject] = [:]
        for copy in copies {
            let object = NSEntityDescription.insertNewObject(forEntityName: copy.entityName, into: context)
            for (name, attribute) in object.entity.attributesByName where Copy.has(attribute) {
                // Primitive values, because setValue(_:forKey:) refuses nil for a scalar property that awakeFromInsert
                // may have set.
                object.willChangeValue(forKey: name)
                object.setPrimitiveValue(copy.attributes[name], forKey: name)
                object.didChangeValue(forKey: name)
            }
            inserted[copy.objectID] = object
        }
        let isNew = Set(inserted.values)
        func object(_ id: NSManagedObjectID) -> NSManagedObject? {
            if let object = inserted[id] { return object }
            guard let object = try? context.existingObject(with: renewed(id)), !object.isDeleted else { return nil }
            return object
        }
        for copy in copies {
            guard let owner = inserted[copy.objectID] else { continue }
            for (name, ids) in copy.relationships {
                guard let relationship = owner.entity.relationshipsByName[name] else { continue }
                var relatedObjects = ids.compactMap(object)
                if let inverse = relationship.inverseRelationship, !inverse.isToMany {
                    relatedObjects.removeAll { $0.value(forKey: inverse.name) != nil && !isNew.contains($0) }
                }
                owner.relate(relationship, to: relatedObjects)
            }
        }
        for object in inserted.values { object.awake(fromSnapshotEvents: .undoDeletion) }
        return inserted
    }
}

extension NSManagedObject {
    fileprivate func relate(_ relationship: NSRelationshipDescription, to relatedObjects: [NSManagedObject]) {
        switch (relationship.isToMany, relationship.isOrdered) {
        case (false, _): setValue(relatedObjects.first, forKey: relationship.name)
        case (true, true): setValue(NSOrderedSet(array: relatedObjects), forKey: relationship.name)
        case (true, false): setValue(Set(relatedObjects), forKey: relationship.name)
        }
    }
}

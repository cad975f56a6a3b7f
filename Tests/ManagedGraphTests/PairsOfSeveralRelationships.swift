// Relationships within one entity: their own inverses, and pairs of them.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

/// Two relationships with the same name whose pairs have the same keys.
@Suite struct PairsOfSeveralRelationships {
    @Test func pairsOfOneNameAndOneKeyAreAllWritten() throws {
        func entity(_ name: String) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            return entity
        }
        let (task, note, tag) = (entity("Task"), entity("Note"), entity("Tag"))
        var inverses: [NSRelationshipDescription] = []
        for (owner, inverse) in [(task, "ztasks"), (note, "znotes")] {
            let tags = TasksModel.relationship("tags", to: tag, toMany: true)
            let tagged = TasksModel.relationship(inverse, to: owner, toMany: true)
            tags.inverseRelationship = tagged
            tagged.inverseRelationship = tags
            owner.properties = [tags]
            inverses.append(tagged)
        }
        tag.properties = inverses
        let model = NSManagedObjectModel()
        model.entities = [task, note, tag]
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            let objects = [task, note, tag].map { NSManagedObject(entity: $0, insertInto: stack.context) }
            objects[2].setValue(NSSet(object: objects[0]), forKey: "ztasks")
            objects[2].setValue(NSSet(object: objects[1]), forKey: "znotes")
            try stack.context.save()
            let other = stack.otherContext()
            try other.run { () throws in
                let found = try other.existingObject(with: objects[2].objectID)
                #expect((found.value(forKey: "ztasks") as? NSSet)?.count == 1)
                #expect((found.value(forKey: "znotes") as? NSSet)?.count == 1)
            }
        }
    }
}

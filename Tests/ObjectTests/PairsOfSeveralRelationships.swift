// Relationships within one entity: their own inverses, and pairs of them.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

/// Two relationships with the same name whose pairs have the same keys.
struct PairsOfSeveralRelationships {
    @Test func pairsOfOneNameAndOneKeyAreAllWritten() throws {
        let task = NSEntityDescription("Task")
        let note = NSEntityDescription("Note")
        let tag = NSEntityDescription("Tag")
        task.relate("tags", toMany: true, to: tag, "ztasks", inverseToMany: true)
        note.relate("tags", toMany: true, to: tag, "znotes", inverseToMany: true)
        let model = NSManagedObjectModel([task, note, tag])
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            let objects = [task, note, tag].map { NSManagedObject(entity: $0, insertInto: stack.context) }
            objects[2].setValue(NSSet(object: objects[0]), forKey: "ztasks")
            objects[2].setValue(NSSet(object: objects[1]), forKey: "znotes")
            try stack.context.save()
            let other = stack.otherContext()
            try other.run { () throws in
                let object = try other.existingObject(with: objects[2].objectID)
                expectEqual((object.value(forKey: "ztasks") as? NSSet)?.count, 1)
                expectEqual((object.value(forKey: "znotes") as? NSSet)?.count, 1)
            }
        }
    }
}

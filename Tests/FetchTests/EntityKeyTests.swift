// Keys of entities and identifiers in predicates and key paths, for saved rows and objects in memory.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

@Suite("Keys of entities and identifiers")
struct EntityKeyTests {
    @Test("A predicate with an entity's name gives the same result for saved and unsaved objects")
    func names() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let savedTask = stack.context.task("saved")
            try stack.context.save()
            let unsavedTask = stack.context.task("unsaved")
            for format in [
                "entity.name == 'Task'", "self.entity.name == 'Task'", "entity.name IN {'Task', 'Tag'}",
                "entity.name BEGINSWITH 'Ta'", "objectID.entity.name == 'Task'", "entity.name != 'Location'",
                "entity.superentity == nil", "entity.isAbstract == NO",
            ] {
                let tasks = try stack.context.tasks(format)
                expectEqual(tasks, [savedTask, unsavedTask], "\(format)")
                #expect(NSPredicate(format: format).evaluate(with: unsavedTask), "\(format)")
            }
            let type = savedTask.entity.managedObjectClassName ?? ""
            try expectEqual(
                stack.context.tasks("self.entity.managedObjectClassName == %@", type),
                [savedTask, unsavedTask]
            )
            #expect(try stack.context.tasks("entity.name == 'Location'").isEmpty)
            try expectEqual(stack.context.tasks("entity == %@", savedTask.entity), [savedTask, unsavedTask])
            let copy = try #require(stack.coordinator.managedObjectModel.copy() as? NSManagedObjectModel)
            let copiedEntity = try #require(copy.entitiesByName["Task"])
            try expectEqual(stack.context.tasks("entity == %@", copiedEntity), [savedTask, unsavedTask])
            try expectEqual(stack.context.tasks("objectID == %@", unsavedTask.objectID), [unsavedTask])
            try expectEqual(stack.context.tasks("SELF == %@", savedTask), [savedTask])
        }
    }

    @Test("Key paths read the properties of entities and identifiers")
    func keyPaths() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            try stack.context.save()
            expectEqual(task.value(forKeyPath: "entity.name") as? String, "Task")
            expectEqual(task.value(forKeyPath: "objectID.entity.name") as? String, "Task")
            expectEqual(
                task.value(forKeyPath: "entity.managedObjectClassName") as? String,
                task.entity.managedObjectClassName
            )
            expectEqual((task.value(forKeyPath: "objectID.isTemporaryID") as? NSNumber)?.boolValue, false)
            expectEqual(task.value(forKeyPath: "objectID.URIRepresentation") as? URL, task.objectID.uriRepresentation())
            expectNil(task.value(forKeyPath: "entity.nothing"))
        }
    }
}

// Keys of entities and identifiers in predicates and key paths, for saved rows and objects in memory.
import Foundation
import ManagedGraph
import Testing

@Suite("Keys of entities and identifiers")
struct EntityKeyTests {
    @Test("A predicate with an entity's name gives the same result for saved and unsaved objects")
    func names() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let saved = stack.context.task("saved")
            try stack.context.save()
            let unsaved = stack.context.task("unsaved")
            for format in [
                "entity.name == 'Task'", "self.entity.name == 'Task'", "entity.name IN {'Task', 'Tag'}",
                "entity.name BEGINSWITH 'Ta'", "objectID.entity.name == 'Task'", "entity.name != 'Location'",
                "entity.superentity == nil", "entity.isAbstract == NO",
            ] {
                let found = try stack.context.tasks(format)
                #expect(found == [saved, unsaved], "\(format)")
                #expect(NSPredicate(format: format).evaluate(with: unsaved), "\(format)")
            }
            let type = saved.entity.managedObjectClassName ?? ""
            #expect(try stack.context.tasks("self.entity.managedObjectClassName == %@", type) == [saved, unsaved])
            #expect(try stack.context.tasks("entity.name == 'Location'").isEmpty)
            #expect(try stack.context.tasks("entity == %@", saved.entity) == [saved, unsaved])
            let copy = try #require(stack.coordinator.managedObjectModel.copy() as? NSManagedObjectModel)
            let other = try #require(copy.entitiesByName["Task"])
            #expect(try stack.context.tasks("entity == %@", other) == [saved, unsaved])
            #expect(try stack.context.tasks("objectID == %@", unsaved.objectID) == [unsaved])
            #expect(try stack.context.tasks("SELF == %@", saved) == [saved])
        }
    }

    @Test("Key paths read the properties of entities and identifiers")
    func keyPaths() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            try stack.context.save()
            #expect(task.value(forKeyPath: "entity.name") as? String == "Task")
            #expect(task.value(forKeyPath: "objectID.entity.name") as? String == "Task")
            #expect(
                task.value(forKeyPath: "entity.managedObjectClassName") as? String
                    == task.entity.managedObjectClassName
            )
            #expect((task.value(forKeyPath: "objectID.isTemporaryID") as? NSNumber)?.boolValue == false)
            #expect(task.value(forKeyPath: "objectID.URIRepresentation") as? URL == task.objectID.uriRepresentation())
            #expect(task.value(forKeyPath: "entity.nothing") == nil)
        }
    }
}

// Child contexts: the visible objects, the changes that a save pushes, and the change of identifiers.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct ParentContexts {
    let stack: Stack
    let parent: NSManagedObjectContext
    let child: NSManagedObjectContext

    init() throws {
        stack = try Stack()
        parent = stack.context
        child = parent.makeChild()
    }

    @Test func aChildHasItsRootsCoordinator() {
        #expect(child.persistentStoreCoordinator === stack.coordinator)
        let late = NSManagedObjectContext(.privateQueue)
        let below = late.makeChild()
        expectNil(below.persistentStoreCoordinator)
        late.persistentStoreCoordinator = stack.coordinator
        #expect(below.persistentStoreCoordinator === stack.coordinator)
    }

    // "a fetch in a child includes the parent's pending changes"
    @Test func aFetchInAChildIncludesTheParentsPendingChanges() throws {
        let parentTasks = try parent.run { () throws in
            let saved = parent.task("saved", priority: 1)
            try parent.save()
            saved.text = "changed"
            return [saved, parent.task("new", priority: 2)]
        }
        try child.run { () throws in
            let tasks = try child.tasks("priority > 0")
            expectEqual(tasks.map(\.text), ["changed", "new"])
            #expect(tasks.allSatisfy { $0.managedObjectContext === child && !$0.hasChanges })
            #expect(tasks[1].objectID.isTemporaryID)
            try expectEqual(child.count(for: NSFetchRequest<TestTask>(entityName: "Task")), 2)
            #expect(try child.tasks("text == 'saved'").isEmpty)
        }
        withExtendedLifetime(parentTasks) {}
    }

    @Test func aFetchInAChildIncludesItsOwnPendingChangesToo() throws {
        let unsavedTask = try parent.run { () throws in
            _ = parent.task("a")
            _ = parent.task("b")
            _ = parent.task("c")
            try parent.save()
            return parent.task("d")
        }
        try child.run { () throws in
            let tasks = try child.tasks()
            tasks[0].text = "z"
            child.delete(tasks[1])
            _ = child.task("m")
            try expectEqual(child.tasks().map(\.text), ["c", "d", "m", "z"])
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            request.fetchLimit = 2
            request.fetchOffset = 1
            try expectEqual(child.fetch(request).map(\.text), ["d", "m"])
        }
        withExtendedLifetime(unsavedTask) {}
    }

    // "save() on a child pushes one level up only"
    @Test func aSavePushesOneLevelUpOnly() throws {
        try child.run { () throws in
            let task = child.task("from below", priority: 3)
            let place = TestLocation(context: child)
            place.name = "here"
            task.location = place
            try child.save()
            #expect(!child.hasChanges)
            #expect(!task.isInserted)
            expectEqual(task.text, "from below")
            #expect(task.location === place)
            #expect(task.objectID.isTemporaryID)
        }
        try parent.run { () throws in
            expectEqual(parent.insertedObjects.count, 2)
            let task = try #require(try parent.tasks().first)
            expectEqual(task.text, "from below")
            expectEqual(task.priority, 3)
            expectEqual(task.location?.name, "here")
            expectEqual(task.location?.tasks, NSSet(object: task))
        }
        let other = stack.otherContext()
        try other.run { () throws in #expect(try other.tasks().isEmpty) }
        try parent.run { () throws in try parent.save() }
        try other.run { () throws in try expectEqual(other.tasks().first?.location?.name, "here") }
    }

    @Test func updatesDeletionsAndRelationshipsReachTheParentAndThenTheStore() throws {
        try parent.run { () throws in
            let home = TestLocation(context: parent)
            home.name = "home"
            for text in ["a", "b", "c"] { parent.task(text).location = home }
            try parent.save()
        }
        parent.performAndWait { parent.reset() }
        try child.run { () throws in
            let tasks = try child.tasks()
            let work = TestLocation(context: child)
            work.name = "work"
            tasks[0].text = "A"
            tasks[1].location = work
            child.delete(tasks[2])
            try child.save()
        }
        try parent.run { () throws in
            #expect(parent.updatedObjects.contains { ($0 as? TestTask)?.text == "A" })
            expectEqual(parent.deletedObjects.count, 1)
            try parent.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in
            let tasks = try other.tasks()
            expectEqual(tasks.map(\.text), ["A", "b"])
            expectEqual(tasks.map { $0.location?.name }, ["home", "work"])
        }
    }

    @Test func aNewObjectOfTheChildIsOneObjectUnderItsTemporaryIdentifierInTheParent() throws {
        let identifier = try child.run { () throws in
            let task = child.task("one")
            let identifier = task.objectID
            try child.save()
            expectEqual(task.objectID, identifier)
            #expect(child.registeredObject(for: identifier) === task)
            return identifier
        }
        let parentTask = try parent.run { () throws in
            try #require(parent.registeredObject(for: identifier) as? TestTask)
        }
        parent.performAndWait {
            expectEqual(parentTask.objectID, identifier)
            expectEqual(parentTask.text, "one")
        }
    }

    @Test func afterTheParentsSaveTheChildsObjectsGoByPermanentKeys() throws {
        let (task, place) = try child.run { () throws in
            let task = child.task("t")
            let place = TestLocation(context: child)
            task.location = place
            try child.save()
            return (task, place)
        }
        try parent.run { () throws in try parent.save() }
        try child.run { () throws in
            #expect(try child.tasks().first === task)
            #expect(!task.objectID.isTemporaryID)
            #expect(task.location === place)
            #expect(!place.objectID.isTemporaryID)
            task.text = "again"
            task.location = nil
            expectEqual(place.tasks?.count, 0)
            try child.save()
        }
        try parent.run { () throws in
            expectEqual(parent.updatedObjects.count, 2)
            try parent.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in
            try expectEqual(other.tasks().map(\.text), ["again"])
            try expectNil(other.tasks().first?.location)
        }
    }

    @Test func permanentIdentifiersCanBeHadInAChildAndKeepToTheTop() throws {
        let identifier = try child.run { () throws in
            let task = child.task("early")
            try child.obtainPermanentIDs(for: [task])
            #expect(!task.objectID.isTemporaryID)
            try child.save()
            return task.objectID
        }
        try parent.run { () throws in
            expectEqual(parent.registeredObject(for: identifier)?.objectID, identifier)
            try parent.save()
        }
        let other = stack.otherContext()
        try other.run { () throws in
            try expectEqual((other.existingObject(with: identifier) as? TestTask)?.text, "early")
        }
    }

    @Test func threeLevelsHandOverStepByStep() throws {
        let grandchild = child.makeChild()
        let task = try grandchild.saveTask("deep")
        try parent.run { () throws in #expect(try parent.tasks().isEmpty) }
        try child.run { () throws in
            try expectEqual(child.tasks().map(\.text), ["deep"])
            try child.save()
        }
        try parent.run { () throws in
            try expectEqual(parent.tasks().map(\.text), ["deep"])
            try parent.save()
        }
        try grandchild.run { () throws in
            #expect(try grandchild.tasks().first === task)
            #expect(!task.objectID.isTemporaryID)
            task.text = "deeper"
            try grandchild.save()
        }
        try child.run { () throws in try child.save() }
        try parent.run { () throws in try parent.save() }
        let other = stack.otherContext()
        try other.run { () throws in try expectEqual(other.tasks().map(\.text), ["deeper"]) }
    }

    @Test func objectsThatTheParentHasDeletedAreGoneForTheChild() throws {
        let identifier = try parent.run { () throws in
            let task = parent.task("doomed")
            try parent.save()
            parent.delete(task)
            return task.objectID
        }
        child.performAndWait {
            _ = #expect(throws: NSError.self) { try child.existingObject(with: identifier) }
        }
    }

    @Test func aChildsRollbackAndResetLeaveTheParentAlone() throws {
        let task = try parent.run { () throws in
            let task = parent.task("p")
            try parent.save()
            task.text = "q"
            return task
        }
        try child.run { () throws in
            let own = try #require(try child.tasks().first)
            own.text = "r"
            _ = child.task("s")
            child.rollback()
            expectEqual(own.text, "q")
            child.reset()
            #expect(child.registeredObjects.isEmpty)
        }
        try parent.run { () throws in
            expectEqual(task.text, "q")
            try expectEqual(parent.tasks().count, 1)
        }
    }

    @Test func refreshInAChildReadsTheParentsValues() throws {
        let task = try parent.run { () throws in
            let task = parent.task("one", priority: 1)
            try parent.save()
            return task
        }
        let own = try child.run { () throws in
            let own = try #require(try child.tasks().first)
            expectEqual(own.text, "one")
            own.priority = 7
            return own
        }
        try parent.run { () throws in task.text = "two" }
        try child.run { () throws in
            expectEqual(own.text, "one")
            child.refresh(own, mergeChanges: true)
            expectEqual(own.text, "two")
            expectEqual(own.priority, 7)
            child.refresh(own, mergeChanges: false)
            #expect(own.isFault)
            expectEqual(own.priority, 1)
        }
    }

    @Test func toManyMembersComeFromTheParentsUnsavedState() throws {
        let parentHome = try parent.run { () throws in
            let home = TestLocation(context: parent)
            home.name = "home"
            parent.task("a").location = home
            try parent.save()
            parent.task("b").location = home
            return home
        }
        try child.run { () throws in
            let home = try #require(try child.tasks("text == 'b'").first?.location)
            expectEqual(home.tasks?.count, 2)
            child.task("c").location = home
            expectEqual(home.tasks?.count, 3)
            try child.save()
        }
        parent.performAndWait { expectEqual(parentHome.tasks?.count, 3) }
    }

    @Test func manyToManyPairsAreHandedOverOnce() throws {
        try parent.run { () throws in
            let tag = NSManagedObject(
                entity: stack.coordinator.managedObjectModel.entitiesByName["Tag"] ?? .init(),
                insertInto: parent
            )
            tag.setValue("x", forKey: "name")
            _ = parent.task("t")
            try parent.save()
        }
        try child.run { () throws in
            let task = try #require(try child.tasks().first)
            let tag = try #require(try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
            task.mutableSetValue(forKey: "tags").add(tag)
            try child.save()
        }
        try parent.run { () throws in try parent.save() }
        let other = stack.otherContext()
        try other.run { () throws in
            let tag = try #require(try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
            expectEqual((tag.value(forKey: "tagged") as? NSSet)?.count, 1)
        }
    }

    @Test func aFailedValidationStopsTheSaveOfAChild() throws {
        try child.run { () throws in
            let task = child.task("bad", priority: 9)
            #expect(throws: NSError.self) { try child.save() }
            #expect(task.isInserted)
        }
        parent.performAndWait { #expect(!parent.hasChanges) }
    }

    @Test func transientValuesAreHandedToTheParent() throws {
        let things = try Things()
        let parent = things.stack.context
        let child = parent.makeChild()
        try child.performAndWait { () throws in
            let new = try things.new(["text": "new", "note": "n"], in: child)
            try child.save()
            expectEqual(new.value(forKey: "note") as? String, "n")
        }
        try parent.performAndWait { () throws in
            let thing = try things.first(parent)
            expectEqual(thing.value(forKey: "note") as? String, "n")
            expectNil(thing.value(forKey: "marks"))
            try parent.save()
            expectEqual(thing.value(forKey: "note") as? String, "n")
        }
        try child.performAndWait { () throws in
            let thing = try things.first(child)
            thing.setValue("changed", forKey: "note")
            thing.setValue(["a", "b"], forKey: "marks")
            try child.save()
            expectEqual(thing.value(forKey: "note") as? String, "changed")
            #expect(!child.hasChanges)
        }
        try parent.performAndWait { () throws in
            let thing = try things.first(parent)
            expectEqual(thing.value(forKey: "note") as? String, "changed")
            expectEqual(thing.value(forKey: "marks") as? [String], ["a", "b"])
            #expect(thing.hasChanges && !thing.hasPersistentChangedValues)
        }
    }
}

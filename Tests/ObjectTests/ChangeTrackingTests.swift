// The changes that an object and its context report: since the last save, and since the event began.
import ExpectationSupport
import Foundation
import GraphSQL
import ManagedGraph
import Testing

@testable import StackSupport

struct ChangeTracking {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack()
        try stack.saveHome(tasks: ["a", "b"], priority: 1)
    }

    // "changedValuesForCurrentEvent() since the last ObjectsDidChange"
    @Test func theEventsValuesAreThoseItBeganWith() throws {
        try context.run { () throws in
            let task = try #require(try context.tasks().first)
            task.priority = 2
            task.priority = 3
            expectEqual(task.changedValuesForCurrentEvent()["priority"] as? Int16, 1)
            context.processPendingChanges()
            #expect(task.changedValuesForCurrentEvent().isEmpty)
            task.priority = 4
            expectEqual(task.changedValuesForCurrentEvent()["priority"] as? Int16, 3)
            expectEqual(task.changedValues()["priority"] as? Int16, 4)
            expectEqual(task.committedValues(forKeys: ["priority"])["priority"] as? Int16, 1)
        }
    }

    @Test func theEventsRelationshipsAreThoseItBeganWith() throws {
        try context.run { () throws in
            let tasks = try context.tasks()
            let home = try #require(tasks[0].location)
            tasks[0].location = nil
            context.processPendingChanges()
            tasks[1].location = nil
            expectEqual(home.changedValuesForCurrentEvent()["tasks"] as? Set<TestTask>, [tasks[1]])
            #expect(tasks[1].changedValuesForCurrentEvent()["location"] as? TestLocation === home)
            expectEqual(home.committedValues(forKeys: ["tasks"])["tasks"] as? Set<TestTask>, Set(tasks))
        }
    }

    @Test func anAssignmentOfTheSameValueOrDestinationCountsAsAnUpdateAndWritesNothing() throws {
        try context.run { () throws in
            let tasks = try context.tasks()
            let home = try #require(tasks[0].location)
            tasks[0].location = home
            tasks[1].setValue(home, forKey: "location")
            #expect(tasks.allSatisfy { $0.hasChanges && !$0.hasPersistentChangedValues && $0.isUpdated })
            #expect(tasks.allSatisfy { $0.changedValues().isEmpty } && !home.hasPersistentChangedValues)
            try context.save()
            tasks[0].text = tasks[0].text
            #expect(tasks[0].hasChanges && !tasks[1].hasChanges && tasks[0].location === home)
        }
        try expectEqual(
            stack.rows("SELECT count(*) FROM ZTASK WHERE Z_OPT = 1 AND ZLOCATION = 1"),
            [[.integer(2)]]
        )
    }

    @Test func aNewObjectHasChangesForValuesThatDifferFromItsDefaults() throws {
        try context.run { () throws in
            let task = TestTask(context: context)
            task.location = nil
            task.text = nil
            task.priority = 0
            #expect(task.hasChanges && !task.hasPersistentChangedValues)
            #expect(task.changedValues().isEmpty)
            task.text = "new"
            expectEqual(Set(task.changedValues().keys), ["text"])
            #expect(task.hasPersistentChangedValues)
            try context.save()
            #expect(task.changedValues().isEmpty)
        }
    }

    // "hasChanges is a dirty flag …; hasPersistentChangedValues compares persistent values with the snapshot"
    @Test func aValueSetBackLeavesTheObjectDirtyWithoutChangedValues() throws {
        try context.run { () throws in
            let task = try #require(try context.tasks().first)
            task.text = "x"
            #expect(task.hasPersistentChangedValues)
            task.text = "a"
            #expect(task.hasChanges && task.isUpdated && context.hasChanges)
            #expect(!task.hasPersistentChangedValues)
            #expect(task.changedValues().isEmpty)
            try context.save()
            #expect(!task.hasChanges && !context.hasChanges)
        }
    }

    // "committedValues(forKeys:) gives last fetched or saved persistent values with NSNull for nil, nil keys means all"
    @Test func committedValuesAreAllStoredOnesWithNullForNil() throws {
        try context.run { () throws in
            let task = try #require(try context.tasks().first)
            let values = task.committedValues(forKeys: nil)
            expectEqual(Set(values.keys), Set(task.entity.propertiesByName.keys))
            #expect(values["dueDate"] is NSNull)
            expectEqual(values["text"] as? String, "a")
            #expect(context.task("new").committedValues(forKeys: nil).isEmpty)
        }
    }

    @Test func theSetsFollowEachTransition() throws {
        try context.run { () throws in
            let task = try #require(try context.tasks().first)
            let new = context.task("new")
            expectEqual(context.insertedObjects, [new])
            #expect(context.updatedObjects.isEmpty)
            task.text = "x"
            expectEqual(context.updatedObjects, [task])
            #expect(task.isUpdated)
            context.delete(task)
            expectEqual(context.deletedObjects, [task])
            #expect(context.updatedObjects.isEmpty)
            #expect(task.isDeleted && !task.isUpdated)
            context.delete(new)
            #expect(context.insertedObjects.isEmpty)
            expectEqual(context.deletedObjects, [task])
            context.insert(task)
            #expect(context.deletedObjects.isEmpty && context.updatedObjects.contains(task))
            context.rollback()
            #expect(context.updatedObjects.isEmpty && context.insertedObjects.isEmpty && !context.hasChanges)
            #expect(context.registeredObjects.contains(task) && !context.registeredObjects.contains(new))
        }
    }
}

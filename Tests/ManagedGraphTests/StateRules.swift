// Individual rules for the state of objects and contexts: events and fetches, primitive values, fetched properties,
// relationships of deleted objects, added and removed members, and values of faults.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct StateRules {
    private func changes(_ context: NSManagedObjectContext) -> NotificationListener {
        NotificationListener(.NSManagedObjectContextObjectsDidChange, of: context)
    }

    @Test func aFetchReportsNoObjectThatIsHalfMade() throws {
        let stack = try Stack()
        let context = stack.context
        try context.run { () throws in
            let counter = changes(context)
            let task = TestTask(context: context)
            _ = try context.tasks("text == 'other'")
            _ = try context.count(for: NSFetchRequest<TestLocation>(entityName: "Location"))
            expectEqual(counter.number, 0, "the task has no text yet")
            task.text = "whole"
            try expectEqual(context.tasks("text == 'whole'"), [task], "a fetch includes pending changes")
            context.processPendingChanges()
            expectEqual(counter.number, 1)
        }
    }

    @Test func aFetchDoesNotReturnObjectsThatAPendingDeletionReaches() throws {
        let stack = try Stack(model: TasksModel.make(tasksRule: .cascadeDeleteRule))
        try stack.fill(places: 1, tasks: 2)
        let context = stack.otherContext()
        try context.run { () throws in
            let counter = changes(context)
            context.delete(try #require(try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first))
            #expect(try context.tasks().isEmpty)
            expectEqual(counter.number, 0)
            try context.save()
        }
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK").first?.first, .integer(0))
    }

    @Test func primitiveValuesSetByTheClassAreChangesAndAreSaved() throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.managedObjectClassName = NSStringFromClass(StampedTask.self)
        let stack = try Stack(model: model)
        let context = stack.context
        try context.run { () throws in
            let task = NSEntityDescription.insertNewObject(forEntityName: "Task", into: context)
            expectEqual(task.changedValues()["text"] as? String, "born")
            try context.save()
            #expect(task.changedValues().isEmpty)
            expectEqual(task.committedValues(forKeys: ["priority"])["priority"] as? Int, 7)
            task.setPrimitiveValue(1, forKey: "priority")
            task.setValue("changed", forKey: "text")
            expectEqual(Set(task.changedValues().keys), ["priority", "text"])
            try context.save()
        }
        try expectEqual(stack.rows("SELECT ZPRIORITY FROM ZTASK").first?.first, .integer(7))
    }

    @Test func aFaultThatHasLeftItsContextCanBeReadAndStaysAFaultWithoutValues() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 1)
        try stack.context.run { () throws in
            let task = try #require(try stack.context.tasks().first)
            stack.context.reset()
            #expect(task.isFault)
            expectNil(task.managedObjectContext)
            task.willAccessValue(forKey: nil)
            #expect(task.isFault)
            expectNil(task.value(forKey: "text"))
            expectNil(task.text)
            expectEqual(task.priority, 0)
            expectNil(task.location)
            #expect(task.isFault)
        }
    }

    @Test func anObjectOfNoModelCanBeMade() {
        final class OfNoModel: NSManagedObject {}
        let object = OfNoModel()
        expectNil(object.managedObjectContext)
        #expect(object.entity.properties.isEmpty)
    }

    @Test func aPrimitiveValueOfAFaultIsNilUntilTheFaultIsFired() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 1)
        let context = stack.otherContext()
        try context.run { () throws in
            let task = try #require(try context.tasks("TRUEPREDICATE", sort: "priority").first)
            #expect(task.isFault)
            expectNil(task.primitiveValue(forKey: "text"))
            expectNil(task.primitiveValue(forKey: "tags"))
            #expect(task.isFault)
            expectEqual(task.managedPrimitiveValue(for: ManagedProperty("priority")) as Int16, 0)
            #expect(task.isFault)
            task.willAccessValue(forKey: "text")
            expectEqual(task.primitiveValue(forKey: "text") as? String, "t0")
        }
    }

    /// A stack whose locations have a fetched property.
    private func stack(fetching name: String, _ format: String, _ userInfo: [AnyHashable: Any] = [:]) throws -> Stack {
        let model = TasksModel.make()
        let fetched = NSFetchedPropertyDescription()
        fetched.name = name
        fetched.userInfo = userInfo
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = model.entitiesByName["Task"]
        request.predicate = NSPredicate(format: format)
        fetched.fetchRequest = request
        model.entitiesByName["Location"]?.properties += [fetched]
        return try Stack(model: model)
    }

    @Test func fetchedPropertiesAreKeptUntilTheObjectIsRefreshed() throws {
        let stack = try stack(fetching: "urgent", "priority > 5")
        let context = stack.context
        try context.run { () throws in
            let place = TestLocation(context: context)
            let first = context.task("a", priority: 8)
            try context.save()
            func urgent() -> [TestTask] { place.value(forKey: "urgent") as? [TestTask] ?? [] }
            expectEqual(urgent(), [first])
            let second = context.task("b", priority: 8)
            try context.save()
            let fetches = context.statistics.fetches
            expectEqual(urgent(), [first])
            expectEqual(context.statistics.fetches, fetches)
            context.refresh(place, mergeChanges: true)
            expectEqual(Set(urgent()), [first, second])
            context.delete(second)
            try context.save()
            place.name = "changed"
            context.refresh(place, mergeChanges: true)
            expectEqual(urgent(), [first])
        }
    }

    @Test func aFetchedPropertyReadsTheUserInfoOfItsDescription() throws {
        let stack = try stack(fetching: "wanted", "text == $FETCHED_PROPERTY.userInfo.text", ["text": "b"])
        let context = stack.context
        try context.run { () throws in
            let place = TestLocation(context: context)
            _ = context.task("a")
            let task = context.task("b")
            try context.save()
            expectEqual(place.value(forKey: "wanted") as? [TestTask], [task])
        }
    }

    @Test func aDeletedObjectHasNoDestinationWhenTheEventIsOver() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        let context = stack.otherContext()
        try context.run { () throws in
            context.undoManager = UndoManager()
            context.undoManager?.groupsByEvent = false
            let tasks = try context.tasks()
            let home = try #require(tasks[0].location)
            context.undoManager?.beginUndoGrouping()
            context.delete(tasks[0])
            #expect(tasks[0].location === home)
            context.processPendingChanges()
            context.undoManager?.endUndoGrouping()
            expectNil(tasks[0].location)
            expectEqual(home.tasks?.count, 1)
            #expect(tasks[0].isDeleted && !tasks[0].isUpdated)
            context.undo()
            #expect(tasks[0].location === home)
            expectEqual(home.tasks?.count, 2)
            #expect(!context.hasChanges)
            context.undoManager = nil
            context.delete(tasks[0])
            context.processPendingChanges()
            context.rollback()
            #expect(tasks[0].location === home)
            expectEqual(home.tasks?.count, 2)
            #expect(!context.hasChanges)
        }
    }

    @Test(arguments: [false, true]) func aMemberThatWasAddedAndRemovedIsNotAChange(isRead: Bool) throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 1)
        let context = stack.otherContext()
        try context.run { () throws in
            let home = try #require(try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first)
            if isRead { expectEqual(home.tasks?.count, 1) }
            let new = context.task("new")
            home.mutableSetValue(forKey: "tasks").add(new)
            expectEqual(Set(home.changedValues().keys), ["tasks"])
            home.mutableSetValue(forKey: "tasks").remove(new)
            #expect(home.changedValues().isEmpty && !home.hasPersistentChangedValues)
            // Removing a saved member is a change, even after it was added again.
            let old = try #require(try context.tasks("text == 't0'").first)
            home.mutableSetValue(forKey: "tasks").add(old)
            home.mutableSetValue(forKey: "tasks").remove(old)
            expectEqual(Set(home.changedValues().keys), ["tasks"])
            expectNil(old.location)
            context.delete(new)
            try context.save()
        }
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK WHERE ZLOCATION IS NULL").first?.first, .integer(1))
    }

    @Test func refreshingAFaultThatWasNotReadDropsItsOldRow() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 1)
        let context = stack.otherContext()
        try context.run { () throws in
            let task = try #require(try context.tasks("TRUEPREDICATE", sort: "priority").first)
            #expect(task.isFault)
            try stack.context.run { () throws in
                try #require(try stack.context.tasks().first).text = "new"
                try stack.context.save()
            }
            context.refresh(task, mergeChanges: false)
            #expect(task.isFault)
            expectEqual(task.text, "new")
        }
    }

    @Test func refreshingAllObjectsReadsThemByThePage() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 300)
        let context = stack.otherContext()
        try context.run { () throws in
            let tasks = try context.tasks()
            for task in tasks { _ = task.text }
            tasks[0].text = "mine"
            context.refreshAllObjects()
            #expect(!tasks[0].isFault && tasks[1...].allSatisfy { $0.isFault })
            let fetches = context.statistics.fetches
            #expect(tasks.compactMap(\.text).count == 300 && tasks[0].text == "mine")
            #expect(context.statistics.fetches - fetches <= 1)
        }
    }

    @Test func aMergedDeletionIsForgottenByARollbackAndComesBackWithItsRow() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        let context = stack.otherContext()
        try context.run { () throws in
            let tasks = try context.tasks()
            try stack.context.run { () throws in
                for task in try stack.context.tasks() { stack.context.delete(task) }
                try stack.context.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectIDsKey: tasks.map(\.objectID)],
                into: [context]
            )
            expectEqual(context.deletedObjects, Set(tasks))
            #expect(try context.tasks().isEmpty)
            context.rollback()
            #expect(!context.hasChanges && tasks.allSatisfy { $0.managedObjectContext == nil && $0.isFault })
        }
    }
}

// The life cycle callbacks of objects and their timing, and objects without a context.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct ObjectLifeCycle {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack(model: TasksModel.make(tasksRule: .cascadeDeleteRule))
        try stack.saveHome(tasks: ["a", "b"])
    }

    // "awakeFromInsert: once in life, at insertion; not again after redo"
    @Test func anObjectAwakesFromInsertOnceHoweverOftenItIsInserted() throws {
        try context.run { () throws in
            let task = context.task("new")
            try context.obtainPermanentIDs(for: [task])
            context.delete(task)
            context.processPendingChanges()
            context.insert(task)
            try context.save()
            expectEqual(task.calls.filter { $0 == "awakeFromInsert" }, ["awakeFromInsert"])
        }
    }

    @Test func anObjectThatIsGivenTwiceGetsOnePermanentIdentifier() throws {
        try context.run { () throws in
            let task = context.task("new")
            let temporary = task.objectID
            try context.obtainPermanentIDs(for: [task, task])
            expectEqual(task.objectID.uriRepresentation().lastPathComponent, "p3")
            #expect(context.registeredObject(for: temporary) === task)
            try context.save()
        }
        // The object was registered under a key that it did not have, and was found there after its end.
        try context.run { context.refreshAllObjects() }
    }

    @Test func anObjectOfAnotherContextGetsNoPermanentIdentifier() throws {
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            let task = other.task("new")
            let error = #expect(throws: NSError.self) {
                try context.performAndWait { () throws in try context.obtainPermanentIDs(for: [task]) }
            }
            expectEqual(error?.code, NSCoreDataError)
            #expect(task.objectID.isTemporaryID)
            try other.save()
        }
    }

    @Test func anObjectWhoseDeletionWasSavedCanBeInsertedAsANewOne() throws {
        try context.run { () throws in
            let task = try #require(try context.tasks("text == 'a'").first)
            let former = task.objectID
            context.delete(task)
            try context.save()
            context.insert(task)
            #expect(task.isInserted && !task.isDeleted && task.objectID.isTemporaryID)
            try context.save()
            #expect(task.objectID != former)
            // The values were deleted with the row.
            expectNil(task.text)
            try expectEqual(stack.rows("SELECT count(*) FROM ZTASK WHERE ZTEXT IS NULL").first?.first, .integer(1))
            #expect(!task.calls.contains("awakeFromInsert"))
        }
    }

    @Test func anObjectOfAResetContextCanBeInsertedWithDefaults() throws {
        try context.run { () throws in
            let task = try #require(try context.tasks().first)
            context.reset()
            context.insert(task)
            expectNil(task.text)
            #expect(task.isInserted)
            try context.save()
            try expectEqual(context.tasks().count, 3)
        }
    }

    @Test(arguments: [false, true])
    func anObjectWhoseContextIsGoneCanBeInsertedAsANewOne(isSaved: Bool) throws {
        func orphan() throws -> TestTask {
            let former = stack.otherContext()
            return try former.performAndWait { () throws in
                if isSaved {
                    let task = try #require(try former.tasks("text == 'a'").first)
                    expectEqual(task.text, "a")
                    return task
                }
                let task = former.task("new")
                former.processPendingChanges()
                return task
            }
        }
        let task = try orphan()
        expectNil(task.managedObjectContext)
        try context.run { () throws in
            context.insert(task)
            #expect(task.isInserted && task.managedObjectContext === context)
            try context.save()
            #expect(!task.isInserted)
            // Unsaved values have gone with their context.
            expectEqual(task.text, isSaved ? "a" : nil)
        }
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK").first?.first, .integer(3))
    }

    @Test func aFaultWhoseContextIsGoneStaysOne() throws {
        let id = try context.performAndWait { () throws in try #require(try context.tasks().first).objectID }
        func orphan() throws -> TestTask {
            let former = stack.otherContext()
            return try former.performAndWait { () throws in try #require(former.object(with: id) as? TestTask) }
        }
        let task = try orphan()
        expectNil(task.managedObjectContext)
        expectNil(task.text)
        #expect(task.isFault)
        #expect(task.calls.isEmpty)
    }

    // "prepareForDeletion: before propagation, object still usable"
    @Test func cascadedObjectsPrepareForTheirDeletionOnce() throws {
        try context.run { () throws in
            let tasks = try context.tasks()
            for task in tasks where task.text != nil { task.calls = [] }
            context.delete(try #require(tasks[0].location))
            try context.save()
            for task in tasks { expectEqual(task.calls, ["prepareForDeletion", "willSave", "didSave"]) }
        }
    }

    // "Changes made through accessors call willSave again"
    @Test func aDeletionInWillSaveCascades() throws {
        try context.run { () throws in
            let tasks = try context.tasks()
            let home = try #require(tasks[0].location)
            for task in tasks where task.text != nil { task.calls = [] }
            let trigger = context.task("trigger")
            trigger.onWillSave = { [context] in
                $0.onWillSave = nil
                context.delete(home)
            }
            try context.save()
            for task in tasks { expectEqual(task.calls, ["prepareForDeletion", "willSave", "didSave"]) }
            try expectEqual(stack.rows("SELECT count(*) FROM ZTASK").first?.first, .integer(1))
        }
    }

    @Test func anObjectChangedInWillSaveIsAskedAgainOnce() throws {
        try context.run { () throws in
            let task = context.task("new")
            task.onWillSave = { if $0.priority == 0 { $0.priority = 5 } }
            try context.save()
            expectEqual(task.calls, ["awakeFromInsert", "willSave", "willSave", "didSave"])
            try expectEqual(stack.rows("SELECT ZPRIORITY FROM ZTASK WHERE ZTEXT = 'new'").first?.first, .integer(5))
        }
    }

    @Test func rollbackAndRefreshSaySo() throws {
        try context.run { () throws in
            let task = try #require(try context.tasks().first)
            expectEqual(task.text, "a")
            task.calls = []
            task.priority = 4
            context.rollback()
            expectEqual(task.calls, ["awake 16"])
            expectEqual(task.priority, 0)
            task.priority = 4
            context.refresh(task, mergeChanges: true)
            expectEqual(task.calls, ["awake 16", "awake 32"])
        }
    }

    @Test func objectsWithoutAContextAreInsertedLater() throws {
        try context.run { () throws in
            let entities = stack.coordinator.managedObjectModel.entitiesByName
            let task = TestTask(entity: try #require(entities["Task"]), insertInto: nil)
            let place = TestLocation(entity: try #require(entities["Location"]), insertInto: nil)
            task.text = "free"
            task.location = place
            expectNil(task.managedObjectContext)
            #expect(task.calls.isEmpty)
            expectEqual(place.tasks as? Set<TestTask>, [task])
            context.insert(task)
            context.insert(place)
            expectEqual(task.calls, ["awakeFromInsert"])
            try context.save()
            #expect(try context.tasks("text == 'free'").first?.location === place)
        }
    }

    @Test func permanentIdentifiersSurviveTheirURIs() throws {
        try context.run { () throws in
            let task = context.task("new")
            #expect(task.objectID.isTemporaryID)
            try context.save()
            let uri = task.objectID.uriRepresentation()
            expectEqual(stack.coordinator.managedObjectID(forURIRepresentation: uri), task.objectID)
        }
    }
}

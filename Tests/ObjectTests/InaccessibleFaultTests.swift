// Faults whose row is gone: reading, changing and saving them, and calls of the hook.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct InaccessibleFaults {
    /// A fault whose row another context has deleted.
    private func orphan(_ stack: Stack) throws -> TestTask {
        let identifier = try stack.context.run { () throws in
            let task = stack.context.task("a", priority: 5)
            try stack.context.save()
            return task.objectID
        }
        let fault = stack.otherContext()
        keeper.context = fault
        let task = try fault.performAndWait { () throws in
            try #require(fault.object(with: identifier) as? TestTask)
        }
        try stack.context.run { () throws in
            stack.context.delete(stack.context.object(with: identifier))
            try stack.context.save()
        }
        return task
    }
    private final class Keeper { var context: NSManagedObjectContext? }
    private let keeper = Keeper()

    // "a fault whose row is gone is marked deleted, all its values read nil or 0, validation is skipped"
    @Test func aFaultWhoseRowIsGoneReadsAsDeleted() throws {
        let stack = try Stack(model: TasksModel.make(requiredText: true))
        let task = try orphan(stack)
        let context = try #require(keeper.context)
        try context.performAndWait { () throws in
            expectNil(task.text)
            expectEqual(task.priority, 0)
            expectNil(task.location)
            expectEqual((task.value(forKey: "tags") as? NSSet)?.count, 0)
            #expect(task.isDeleted)
            expectEqual(task.isFault, false)
            _ = context.task("other")
            try context.save()
            let error = #expect(throws: NSError.self) { try context.existingObject(with: task.objectID) }
            expectEqual(error?.code, NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test func aValueSetInAnObjectWithoutARowIsNotAChange() throws {
        let stack = try Stack()
        let task = try orphan(stack)
        let context = try #require(keeper.context)
        try context.performAndWait { () throws in
            expectNil(task.text)
            task.text = "b"
            task.location = TestLocation(context: context)
            context.delete(task)
            try context.save()
            #expect(!context.hasChanges && context.updatedObjects.isEmpty)
        }
        try stack.context.run { () throws in
            #expect(try stack.context.tasks().isEmpty)
            try expectEqual(stack.context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).count, 1)
        }
    }

    // Deleted here and elsewhere: nothing is left to delete, and the save reports no error.
    @Test func aRelationshipToARowThatIsGoneIsSavedAsNone() throws {
        let stack = try Stack()
        let (task, place) = try stack.context.run { () throws in
            let task = stack.context.task("a")
            task.location = TestLocation(context: stack.context)
            try stack.context.save()
            return (task.objectID, try #require(task.location).objectID)
        }
        let context = stack.otherContext()
        try context.performAndWait { () throws in
            let mine = try #require(context.object(with: task) as? TestTask)
            let home = try #require(context.object(with: place) as? TestLocation)
            #expect(mine.location === home)
            try stack.context.run { () throws in
                stack.context.delete(stack.context.object(with: place))
                try stack.context.save()
            }
            expectNil(home.name)
            #expect(home.isDeleted)
            expectEqual(home.tasks?.count, 0)
        }
    }

    private final class Strict: NSManagedObjectContext, @unchecked Sendable {
        var asked: [String?] = []
        override func shouldHandleInaccessibleFault(
            _ fault: NSManagedObject,
            for oid: NSManagedObjectID,
            triggeredByProperty property: NSPropertyDescription?
        ) -> Bool {
            asked.append(property?.name)
            return true
        }
    }

    // "The hook shouldHandleInaccessibleFault is not called by throwing fetch APIs"
    @Test func theHookIsAskedWithThePropertyAndNotByThrowingCalls() throws {
        let stack = try Stack()
        let identifier = try orphan(stack).objectID
        let context = Strict(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        try context.performAndWait { () throws in
            _ = #expect(throws: NSError.self) { try context.existingObject(with: identifier) }
            #expect(context.asked.isEmpty)
            let task = try #require(context.object(with: identifier) as? TestTask)
            expectNil(task.text)
            expectEqual(context.asked, ["text"])
            expectEqual(task.priority, 0)
            expectEqual(context.asked.count, 1)
        }
    }

    // "existingObject(with:) may do I/O, never returns a fault, throws if absent"
    @Test func withoutTheSwitchThrowingCallsThrow() throws {
        let stack = try Stack()
        let task = try orphan(stack)
        let context = try #require(keeper.context)
        context.shouldDeleteInaccessibleFaults = false
        try context.performAndWait { () throws in
            for _ in 0..<2 {
                let error = #expect(throws: NSError.self) { try context.existingObject(with: task.objectID) }
                expectEqual(error?.code, NSManagedObjectReferentialIntegrityError)
            }
            #expect(try context.fetch(NSFetchRequest<TestTask>(entityName: "Task")).isEmpty)
            _ = context.task("b")
            try context.save()
        }
    }

    @Test func withoutTheSwitchTheAccessStopsTheProgramWithASentence() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack()
            let identifier = try stack.context.performAndWait { () throws in
                let task = stack.context.task("a")
                try stack.context.save()
                return task.objectID
            }
            let other = stack.otherContext()
            other.shouldDeleteInaccessibleFaults = false
            try other.performAndWait { () throws in
                let task = try #require(other.object(with: identifier) as? TestTask)
                try stack.context.performAndWait { () throws in
                    stack.context.delete(stack.context.object(with: identifier))
                    try stack.context.save()
                }
                _ = task.text
            }
        }
        let errorOutput = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errorOutput.contains("The row of Task/p1 is gone"))
    }
}

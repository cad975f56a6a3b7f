// The callbacks of an object's life: their timing and order.
import ExpectationSupport
import Foundation
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct LifeCycle {
    // "awakeFromInsert: once in life"; "willSave / didSave"; "awakeFromFetch: after a fault fires"
    @Test func callbacksComeAtTheirTimesInTheirOrderOnce() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            try stack.context.obtainPermanentIDs(for: [task])
            try stack.context.save()
            expectEqual(task.calls, ["awakeFromInsert", "willSave", "didSave"])
            task.calls = []
            stack.context.refresh(task, mergeChanges: false)
            #expect(task.isFault && task.faultingState != 0)
            // "willTurnIntoFault / didTurnIntoFault: values readable / already cleared"
            expectEqual(task.calls, ["willTurnIntoFault a", "didTurnIntoFault"])
            task.calls = []
            expectEqual(task.text, "a")
            expectEqual(task.faultingState, 0)
            expectEqual(task.calls, ["awakeFromFetch"])
            task.calls = []
            task.text = "b"
            stack.context.rollback()
            expectEqual(task.calls, ["awake \(NSSnapshotEventType.rollback.rawValue)"])
            task.calls = []
            // An object without changes becomes a fault.
            stack.context.refresh(task, mergeChanges: true)
            expectEqual(task.calls, ["willTurnIntoFault a", "didTurnIntoFault"])
            task.text = "b"
            task.calls = []
            stack.context.refresh(task, mergeChanges: true)
            expectEqual(task.calls, ["awake \(NSSnapshotEventType.refresh.rawValue)"])
            task.calls = []
            stack.context.delete(task)
            try stack.context.save()
            expectEqual(task.calls, ["prepareForDeletion", "willSave", "didSave"])
        }
        let events: [NSSnapshotEventType] = [
            .undoInsertion, .undoDeletion, .undoUpdate, .rollback, .refresh, .mergePolicy,
        ]
        expectEqual(events.map(\.rawValue), [2, 4, 8, 16, 32, 64])
    }

    // "awakeFromFetch … change tracking is off"
    @Test func changesInAwakeFromFetchAreNotTracked() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            _ = stack.context.task("a")
            try stack.context.save()
            stack.context.reset()
            let task = try #require(try stack.context.tasks().first)
            #expect(!task.hasChanges)
            #expect(TestTask.contextShouldIgnoreUnmodeledPropertyChanges)
        }
    }

    @Test func identifiersAreTemporaryThenPermanentAndComeBackFromURIs() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            let temporary = task.objectID
            #expect(temporary.isTemporaryID)
            expectNil(temporary.persistentStore)
            #expect(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Task/t"))
            #expect(stack.context.registeredObject(for: temporary) === task)
            try stack.context.save()
            let permanent = task.objectID
            #expect(!permanent.isTemporaryID && permanent != temporary)
            #expect(permanent.persistentStore === stack.coordinator.persistentStores.first)
            expectEqual(
                stack.coordinator.managedObjectID(forURIRepresentation: permanent.uriRepresentation()),
                permanent
            )
            let other = stack.otherContext()
            try other.performAndWait { () throws in
                #expect(other.object(with: permanent).isFault)
                try expectEqual((try other.existingObject(with: permanent) as? TestTask)?.text, "a")
            }
        }
    }

    @Test func objectsWithoutAContextTakeValuesAndJoinLater() throws {
        let stack = try Stack()
        let model = stack.coordinator.managedObjectModel
        try stack.context.run { () throws in
            let task = TestTask(entity: try #require(model.entitiesByName["Task"]), insertInto: nil)
            let place = TestLocation(entity: try #require(model.entitiesByName["Location"]), insertInto: nil)
            task.text = "free"
            task.location = place
            expectNil(task.managedObjectContext)
            expectEqual(place.tasks?.count, 1)
            #expect(!task.isInserted)
            stack.context.insert(task)
            #expect(task.isInserted)
            expectEqual(task.text, "free")
            #expect(task.location === place)
            stack.context.insert(place)
            try stack.context.save()
            expectEqual(task[TestTask.textKey] as? String, "free")
        }
        let other = stack.otherContext()
        try other.performAndWait { () throws in #expect(try other.tasks().first?.location != nil) }
    }

    @Test func unchangedObjectsThatAreNotRetainedLeaveMemoryAndChangedOnesStay() throws {
        let stack = try Stack()
        weak var clean: NSManagedObject?
        weak var changed: NSManagedObject?
        try stack.context.run { () throws in
            for text in ["a", "b"] { _ = stack.context.task(text) }
            try stack.context.save()
        }
        try stack.context.run { () throws in
            let tasks = try stack.context.tasks()
            clean = tasks[0]
            tasks[1].text = "c"
            changed = tasks[1]
        }
        expectNil(clean)
        #expect(changed != nil)
        try stack.context.run { () throws in try stack.context.save() }
        expectNil(changed)
    }

    @Test func relationshipsReportWhetherTheyAreFaultsAndTheirMembers() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let (task, place) = stack.context.taskAtPlace("a")
            try stack.context.save()
            stack.context.refresh(place, mergeChanges: false)
            #expect(place.hasFault(forRelationshipNamed: "tasks"))
            expectEqual(place.objectIDs(forRelationshipNamed: "tasks"), [task.objectID])
            #expect(place.hasFault(forRelationshipNamed: "tasks"))
            expectEqual(place.tasks?.count, 1)
            #expect(!place.hasFault(forRelationshipNamed: "tasks"))
        }
    }
}

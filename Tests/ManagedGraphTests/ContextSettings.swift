// The settings of contexts: their default values and effects.
import ExpectationSupport
import Foundation
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct ContextSettings {
    @Test func defaultsAreApples() {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        expectEqual((context.mergePolicy as? NSMergePolicy)?.mergeType, .errorMergePolicyType)
        expectNil(context.undoManager)
        #expect(!context.retainsRegisteredObjects)
        #expect(context.propagatesDeletesAtEndOfEvent && context.shouldDeleteInaccessibleFaults)
        #expect(context.stalenessInterval < 0 && !context.automaticallyMergesChangesFromParent)
        expectNil(context.transactionAuthor)
        expectNil(context.parent)
        context.transactionAuthor = "importer"
        expectEqual(context.transactionAuthor, "importer")
        let legacy: [(Any, NSMergePolicyType)] = [
            (NSErrorMergePolicy, .errorMergePolicyType), (NSRollbackMergePolicy, .rollbackMergePolicyType),
            (NSOverwriteMergePolicy, .overwriteMergePolicyType),
            (NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrumpMergePolicyType),
            (NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrumpMergePolicyType),
        ]
        for (policy, type) in legacy { expectEqual((policy as? NSMergePolicy)?.mergeType, type) }
        #expect(NSManagedObjectContext.ConcurrencyType.mainQueue != .privateQueue)
    }

    @Test func deletionsPropagateAtTheSaveIfTheContextIsSetSo() throws {
        let stack = try Stack(model: TasksModel.make(tasksRule: .cascadeDeleteRule))
        let context = stack.context
        try context.run { () throws in
            let (task, place) = context.taskAtPlace("a")
            try context.save()
            context.propagatesDeletesAtEndOfEvent = false
            context.delete(place)
            context.processPendingChanges()
            #expect(!task.isDeleted)
            try context.save()
            expectNil(task.managedObjectContext)
        }
        let other = stack.otherContext()
        try other.performAndWait { () throws in #expect(try other.tasks().isEmpty) }
    }

    @Test func anAssignedObjectGoesToItsStore() throws {
        let stack = try Stack()
        let second = try stack.addStore("Second.sqlite")
        try stack.context.run { () throws in
            let first = stack.context.task("first")
            let secondTask = stack.context.task("second")
            stack.context.assign(secondTask, to: second)
            try stack.context.save()
            #expect(first.objectID.persistentStore !== second && secondTask.objectID.persistentStore === second)
            let place = TestLocation(context: stack.context)
            secondTask.location = place
            // "Insert chooses the first writable store that holds the entity"
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectExternalRelationshipError)
            stack.context.assign(place, to: second)
            try stack.context.save()
            try expectEqual(stack.context.tasks().map(\.text), ["first", "second"])
        }
    }

    @Test func anObjectAssignedToAStoreOfAnotherCoordinatorIsNotLost() throws {
        let (stack, other) = (try Stack(), try Stack())
        let own = try #require(stack.coordinator.persistentStores.first)
        let foreign = try #require(other.coordinator.persistentStores.first)
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            stack.context.assign(task, to: foreign)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSPersistentStoreSaveError)
            stack.context.assign(task, to: own)
            try stack.context.save()
            #expect(task.objectID.persistentStore === own)
        }
        try expectEqual(stack.rows("SELECT ZTEXT FROM ZTASK").count, 1)
    }

    @Test func anAssignedObjectIsHeldUntilTheNextSave() throws {
        let stack = try Stack()
        let second = try stack.addStore("Second.sqlite")
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Task"])
        weak var assigned: NSManagedObject?
        // Otherwise a new object could get its place in memory, and with it the store.
        try stack.context.run {
            let task = TestTask(entity: entity, insertInto: nil)
            stack.context.assign(task, to: second)
            assigned = task
        }
        #expect(assigned != nil)
        try stack.context.saveTask("a")
        #expect(assigned == nil)
    }

    @Test func conflictsCanBeMadeByHand() throws {
        let stack = try Stack()
        stack.context.performAndWait {
            let task = stack.context.task("a")
            let merge = NSMergeConflict(
                source: task,
                newVersion: 2,
                oldVersion: 1,
                cachedSnapshot: ["text": "x"],
                persistedSnapshot: ["text": "y"]
            )
            #expect(merge.sourceObject === task)
            expectEqual(merge.newVersionNumber, 2)
            #expect(merge.persistedSnapshot != nil)
            let constraint = NSConstraintConflict(
                constraint: ["text"],
                database: nil,
                databaseSnapshot: nil,
                conflicting: [task],
                conflictingSnapshots: [["text": "a"]]
            )
            expectEqual(constraint.conflictingSnapshots.count, 1)
            expectEqual(constraint.constraintValues["text"] as? String, "a")
        }
    }

    @Test func containersKeepTheirStoresInOneFolder() {
        let folder = NSPersistentContainer.defaultDirectoryURL()
        #expect(FileManager.default.fileExists(atPath: folder.path))
        let container = NSPersistentContainer(name: "Kept", managedObjectModel: TasksModel.make())
        expectEqual(container.persistentStoreDescriptions.first?.url, folder.appending(path: "Kept.sqlite"))
    }
}

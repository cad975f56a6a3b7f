// Subclasses of contexts and coordinators that override their methods, as test doubles of apps do.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

/// Has a computed property that observers of keys follow on Apple's platforms.
private final class Named: NSManagedObject {
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        let keyPaths = super.keyPathsForValuesAffectingValue(forKey: key)
        return key == "fullName" ? keyPaths.union(["first", "last"]) : keyPaths
    }
}

struct OverriddenMethods {
    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())

    @Test func aContextsMethodsAreOverridden() throws {
        try coordinator.addPersistentStore(type: .inMemory, at: URL(filePath: "/dev/null"))
        let recording = RecordingContext(concurrencyType: .privateQueueConcurrencyType)
        recording.persistentStoreCoordinator = coordinator
        let context: NSManagedObjectContext = recording
        try context.performAndWait { () throws in
            let task = context.task("a")
            context.processPendingChanges()
            try context.obtainPermanentIDs(for: [task])
            try context.save()
            let identifier = task.objectID
            #expect(context.registeredObject(for: identifier) === task)
            #expect(context.object(with: identifier) === task)
            #expect(try context.existingObject(with: identifier) === task)
            let executed = try context.execute(NSFetchRequest<NSManagedObject>(entityName: "Task"))
            expectEqual((executed as? NSAsynchronousFetchResult<NSManagedObject>)?.finalResult, [task])
            context.refresh(task, mergeChanges: false)
            context.refreshAllObjects()
            task.text = "b"
            context.undo()
            context.redo()
            context.rollback()
            expectEqual(task.text, "a")
            context.mergeChanges(
                fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, object: nil, userInfo: [:])
            )
            context.reset()
        }
        expectEqual(
            recording.calls,
            [
                "process", "obtain", "registered", "object", "existing", "execute", "refresh", "refreshAll", "undo",
                "redo", "rollback", "merge", "reset",
            ]
        )
    }

    @Test func theFrameworkEndsEventsWithoutTheOverride() throws {
        try coordinator.addPersistentStore(type: .inMemory, at: URL(filePath: "/dev/null"))
        let context = RecordingContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { () throws in
            _ = context.task("a")
            try context.save()
            _ = context.task("b")
            context.rollback()
        }
        expectEqual(context.calls, ["rollback"])
    }

    @Test func aCoordinatorsMethodsAreOverridden() throws {
        let recording = RecordingCoordinator(managedObjectModel: TasksModel.make())
        let coordinator: NSPersistentStoreCoordinator = recording
        var store = try coordinator.addPersistentStore(type: .inMemory, at: URL(filePath: "/dev/null"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { () throws in
            let task = context.task("a")
            try context.save()
            expectEqual(
                coordinator.managedObjectID(forURIRepresentation: task.objectID.uriRepresentation()),
                task.objectID
            )
        }
        store = try coordinator.migratePersistentStore(store, to: URL(filePath: "/dev/null"), type: .inMemory)
        try coordinator.remove(store)
        try coordinator.destroyPersistentStore(at: URL(filePath: "/dev/null"), type: .inMemory)
        expectEqual(recording.calls, ["add", "identifier", "migrate", "remove", "destroy"])
    }

    @Test func aClassOfObjectsNamesThePropertiesThatAComputedOneReads() {
        expectEqual(Named.keyPathsForValuesAffectingValue(forKey: "fullName"), ["first", "last"])
        expectEqual(Named.keyPathsForValuesAffectingValue(forKey: "first"), [])
    }

    @Test func theErrorOfAnOverrideReachesTheCompletionHandlerOfADescription() {
        let coordinator = RecordingCoordinator(managedObjectModel: TasksModel.make())
        coordinator.failure = CocoaError(.userCancelled)
        var code: CocoaError.Code?
        coordinator.addPersistentStore(with: NSPersistentStoreDescription()) { code = ($1 as? CocoaError)?.code }
        expectEqual(code, .userCancelled)
    }
}

// Subclasses of contexts and coordinators that override their methods, as test doubles of apps do.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

/// Records the calls of its methods.
private final class RecordingContext: NSManagedObjectContext, @unchecked Sendable {
    var calls: [String] = []

    override func processPendingChanges() {
        calls.append("process")
        super.processPendingChanges()
    }
    override func rollback() {
        calls.append("rollback")
        super.rollback()
    }
    override func reset() {
        calls.append("reset")
        super.reset()
    }
    override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        calls.append("refresh")
        super.refresh(object, mergeChanges: flag)
    }
    override func refreshAllObjects() {
        calls.append("refreshAll")
        super.refreshAllObjects()
    }
    override func undo() {
        calls.append("undo")
        super.undo()
    }
    override func redo() {
        calls.append("redo")
        super.redo()
    }
    override func mergeChanges(fromContextDidSave notification: Notification) {
        calls.append("merge")
        super.mergeChanges(fromContextDidSave: notification)
    }
    override func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        calls.append("registered")
        return super.registeredObject(for: objectID)
    }
    override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        calls.append("object")
        return super.object(with: objectID)
    }
    override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        calls.append("existing")
        return try super.existingObject(with: objectID)
    }
    override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        calls.append("obtain")
        try super.obtainPermanentIDs(for: objects)
    }
    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        calls.append("execute")
        return try super.execute(request)
    }
}

/// Records the calls of its methods.
private final class RecordingCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    var calls: [String] = []
    var failure: (any Error)?

    override func addPersistentStore(
        ofType storeType: String,
        configurationName configuration: String?,
        at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        calls.append("add")
        if let failure { throw failure }
        return try super.addPersistentStore(
            ofType: storeType,
            configurationName: configuration,
            at: storeURL,
            options: options
        )
    }
    override func remove(_ store: NSPersistentStore) throws {
        calls.append("remove")
        try super.remove(store)
    }
    override func destroyPersistentStore(
        at url: URL,
        ofType storeType: String,
        options: [AnyHashable: Any]? = nil
    ) throws {
        calls.append("destroy")
        try super.destroyPersistentStore(at: url, ofType: storeType, options: options)
    }
    override func migratePersistentStore(
        _ store: NSPersistentStore,
        to url: URL,
        options: [AnyHashable: Any]? = nil,
        withType storeType: String
    ) throws -> NSPersistentStore {
        calls.append("migrate")
        return try super.migratePersistentStore(store, to: url, options: options, withType: storeType)
    }
    override func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        calls.append("identifier")
        return super.managedObjectID(forURIRepresentation: url)
    }
}

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

// A context of OverriddenMethodTests.
import Foundation
import ManagedGraph

/// Records the calls of its methods.
final class RecordingContext: NSManagedObjectContext, @unchecked Sendable {
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

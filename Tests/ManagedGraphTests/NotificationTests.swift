// The notifications of contexts and coordinators, their timing and their keys.
import ExpectationSupport
import Foundation
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct Notifications {
    private final class Heard: @unchecked Sendable {
        var notes: [Notification] = []
        private var tokens: [any NSObjectProtocol] = []

        init(_ object: AnyObject?, _ names: [Notification.Name]) {
            for name in names {
                tokens.append(
                    NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [weak self] in
                        self?.notes.append($0)
                    }
                )
            }
        }

        deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    }

    @Test func namesAndKeysAreApplesTexts() {
        expectEqual(
            Notification.Name.NSManagedObjectContextWillSave,
            NSManagedObjectContext.willSaveObjectsNotification
        )
        expectEqual(
            NSManagedObjectContext.didMergeChangesObjectIDsNotification,
            Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs
        )
        typealias Key = NSManagedObjectContext.NotificationKey
        let pairs: [(Key, String)] = [
            (.insertedObjects, NSInsertedObjectsKey), (.updatedObjects, NSUpdatedObjectsKey),
            (.deletedObjects, NSDeletedObjectsKey), (.refreshedObjects, NSRefreshedObjectsKey),
            (.invalidatedObjects, NSInvalidatedObjectsKey), (.invalidatedAllObjects, NSInvalidatedAllObjectsKey),
            (.insertedObjectIDs, NSInsertedObjectIDsKey), (.updatedObjectIDs, NSUpdatedObjectIDsKey),
            (.deletedObjectIDs, NSDeletedObjectIDsKey), (.refreshedObjectIDs, NSRefreshedObjectIDsKey),
            (.invalidatedObjectIDs, NSInvalidatedObjectIDsKey),
        ]
        for (key, name) in pairs { expectEqual(key.rawValue, name) }
        let names = [
            "inserted", "updated", "deleted", "refreshed", "invalidated", "invalidatedAll", "inserted_objectIDs",
            "updated_objectIDs", "deleted_objectIDs", "refreshed_objectIDs", "invalidated_objectIDs",
        ]
        expectEqual(Set(pairs.map(\.1)), Set(names))
    }

    @Test func aSavePostsWillSaveThenDidSaveThenIdentifiers() throws {
        let stack = try Stack()
        let heard = Heard(
            stack.context,
            [
                NSManagedObjectContext.willSaveObjectsNotification, NSManagedObjectContext.didSaveObjectsNotification,
                NSManagedObjectContext.didSaveObjectIDsNotification,
            ]
        )
        try stack.context.run { () throws in
            let old = [stack.context.task("a"), stack.context.task("b")]
            try stack.context.save()
            heard.notes = []
            old[0].text = "c"
            stack.context.delete(old[1])
            let new = stack.context.task("d")
            try stack.context.save()
            expectEqual(
                heard.notes.map(\.name),
                [
                    .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
                    .NSManagedObjectContextDidSaveObjectIDs,
                ]
            )
            #expect(heard.notes[0].userInfo == nil)
            let info = heard.notes[1].userInfo
            expectEqual(info?[NSInsertedObjectsKey] as? Set<NSManagedObject>, [new])
            expectEqual(info?[NSUpdatedObjectsKey] as? Set<NSManagedObject>, [old[0]])
            expectEqual(info?[NSDeletedObjectsKey] as? Set<NSManagedObject>, [old[1]])
            #expect(info?["managedObjectContext"] as? NSManagedObjectContext === stack.context)
            let identifiers = heard.notes[2].userInfo
            expectEqual(identifiers?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>, [new.objectID])
            expectEqual(identifiers?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID>, [old[1].objectID])
        }
    }

    @Test func aResetPostsTheIdentifiersOfAllObjects() throws {
        let stack = try Stack()
        let heard = Heard(stack.context, [NSManagedObjectContext.didChangeObjectsNotification])
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            try stack.context.save()
            heard.notes = []
            stack.context.reset()
            let identifiers = heard.notes.first?.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID]
            expectEqual(identifiers, [task.objectID])
        }
    }

    @Test func aCoordinatorNotifiesOfItsStores() throws {
        let stack = try Stack()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        let heard = Heard(
            coordinator,
            [.NSPersistentStoreCoordinatorStoresWillChange, .NSPersistentStoreCoordinatorStoresDidChange]
        )
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url)
        #expect(coordinator.persistentStore(for: stack.url) === store)
        let added = heard.notes.last?.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore]
        expectEqual(heard.notes.map(\.name).last, .NSPersistentStoreCoordinatorStoresDidChange)
        expectEqual(added, [store])
        let leaving = Heard(store, [.NSPersistentStoreCoordinatorWillRemoveStore])
        try coordinator.remove(store)
        expectEqual(leaving.notes.count, 1)
        let removed = heard.notes.last?.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]
        expectEqual(removed, [store])
        expectNil(coordinator.persistentStore(for: stack.url))
        // Apple's framework posts the other one for iCloud accounts only.
        #expect(heard.notes.allSatisfy { $0.name == .NSPersistentStoreCoordinatorStoresDidChange })
        expectEqual(NSUUIDChangedPersistentStoresKey, "changed")
    }
}

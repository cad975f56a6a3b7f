// The notifications of contexts and coordinators, their timing and their keys.
import Foundation
import ManagedGraph
import Synchronization
import Testing

@Suite struct Notifications {
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
        #expect(Notification.Name.NSManagedObjectContextWillSave == NSManagedObjectContext.willSaveObjectsNotification)
        #expect(
            NSManagedObjectContext.didMergeChangesObjectIDsNotification
                == Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs
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
        for (key, text) in pairs { #expect(key.rawValue == text) }
        let texts = [
            "inserted", "updated", "deleted", "refreshed", "invalidated", "invalidatedAll", "inserted_objectIDs",
            "updated_objectIDs", "deleted_objectIDs", "refreshed_objectIDs", "invalidated_objectIDs",
        ]
        #expect(Set(pairs.map(\.1)) == Set(texts))
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
            #expect(
                heard.notes.map(\.name) == [
                    .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
                    .NSManagedObjectContextDidSaveObjectIDs,
                ]
            )
            #expect(heard.notes[0].userInfo?[NSInsertedObjectsKey] == nil)
            let info = heard.notes[1].userInfo
            #expect(info?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [new])
            #expect(info?[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [old[0]])
            #expect(info?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [old[1]])
            #expect(info?["managedObjectContext"] as? NSManagedObjectContext === stack.context)
            let identifiers = heard.notes[2].userInfo
            #expect(identifiers?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> == [new.objectID])
            #expect(identifiers?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> == [old[1].objectID])
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
            #expect(identifiers == [task.objectID])
        }
    }

    @Test func aCoordinatorTellsOfItsStores() throws {
        let stack = try Stack()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        let heard = Heard(
            coordinator,
            [.NSPersistentStoreCoordinatorStoresWillChange, .NSPersistentStoreCoordinatorStoresDidChange]
        )
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url)
        #expect(coordinator.persistentStore(for: stack.url) === store)
        let added = heard.notes.last?.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore]
        #expect(heard.notes.map(\.name).last == .NSPersistentStoreCoordinatorStoresDidChange && added == [store])
        let leaving = Heard(store, [.NSPersistentStoreCoordinatorWillRemoveStore])
        try coordinator.remove(store)
        #expect(leaving.notes.count == 1)
        let removed = heard.notes.last?.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]
        #expect(removed == [store] && coordinator.persistentStore(for: stack.url) == nil)
        // Apple's framework posts the other one for iCloud accounts only.
        #expect(heard.notes.allSatisfy { $0.name == .NSPersistentStoreCoordinatorStoresDidChange })
        #expect(NSUUIDChangedPersistentStoresKey == "changed")
    }
}

@Suite struct LifeCycle {
    // "awakeFromInsert: once in life"; "willSave / didSave"; "awakeFromFetch: after a fault fires"
    @Test func callbacksComeAtTheirTimesInTheirOrderOnce() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            try stack.context.obtainPermanentIDs(for: [task])
            try stack.context.save()
            #expect(task.calls == ["awakeFromInsert", "willSave", "didSave"])
            task.calls = []
            stack.context.refresh(task, mergeChanges: false)
            #expect(task.isFault && task.faultingState != 0)
            // "willTurnIntoFault / didTurnIntoFault: values readable / already cleared"
            #expect(task.calls == ["willTurnIntoFault a", "didTurnIntoFault"])
            task.calls = []
            #expect(task.text == "a" && task.faultingState == 0)
            #expect(task.calls == ["awakeFromFetch"])
            task.calls = []
            task.text = "b"
            stack.context.rollback()
            #expect(task.calls == ["awake \(NSSnapshotEventType.rollback.rawValue)"])
            task.calls = []
            // An object without changes becomes a fault.
            stack.context.refresh(task, mergeChanges: true)
            #expect(task.calls == ["willTurnIntoFault a", "didTurnIntoFault"])
            task.text = "b"
            task.calls = []
            stack.context.refresh(task, mergeChanges: true)
            #expect(task.calls == ["awake \(NSSnapshotEventType.refresh.rawValue)"])
            task.calls = []
            stack.context.delete(task)
            try stack.context.save()
            #expect(task.calls == ["prepareForDeletion", "willSave", "didSave"])
        }
        let events: [NSSnapshotEventType] = [
            .undoInsertion, .undoDeletion, .undoUpdate, .rollback, .refresh, .mergePolicy,
        ]
        #expect(events.map(\.rawValue) == [2, 4, 8, 16, 32, 64])
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
            #expect(temporary.isTemporaryID && temporary.persistentStore == nil)
            #expect(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Task/t"))
            #expect(stack.context.registeredObject(for: temporary) === task)
            try stack.context.save()
            let permanent = task.objectID
            #expect(!permanent.isTemporaryID && permanent != temporary)
            #expect(permanent.persistentStore === stack.coordinator.persistentStores.first)
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: permanent.uriRepresentation()) == permanent)
            let other = stack.otherContext()
            try other.performAndWait { () throws in
                #expect(other.object(with: permanent).isFault)
                #expect((try other.existingObject(with: permanent) as? TestTask)?.text == "a")
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
            #expect(task.managedObjectContext == nil && place.tasks?.count == 1 && !task.isInserted)
            stack.context.insert(task)
            #expect(task.isInserted && task.text == "free" && task.location === place)
            stack.context.insert(place)
            try stack.context.save()
            #expect(task[TestTask.textKey] as? String == "free")
        }
        let other = stack.otherContext()
        try other.performAndWait { () throws in #expect(try other.tasks().first?.location != nil) }
    }

    @Test func unchangedObjectsLeaveMemoryWhenNobodyHoldsThemAndChangedOnesStay() throws {
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
        #expect(clean == nil && changed != nil)
        try stack.context.run { () throws in try stack.context.save() }
        #expect(changed == nil)
    }

    @Test func relationshipsSayWhetherTheyAreFaultsAndWhoIsInThem() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let place = TestLocation(context: stack.context)
            let task = stack.context.task("a")
            task.location = place
            try stack.context.save()
            stack.context.refresh(place, mergeChanges: false)
            #expect(place.hasFault(forRelationshipNamed: "tasks"))
            #expect(place.objectIDs(forRelationshipNamed: "tasks") == [task.objectID])
            #expect(place.hasFault(forRelationshipNamed: "tasks"))
            #expect(place.tasks?.count == 1)
            #expect(!place.hasFault(forRelationshipNamed: "tasks"))
        }
    }
}

extension TestTask {
    static var textKey: String { "text" }
}

@Suite struct ContextSettings {
    @Test func defaultsAreApples() {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType)
        #expect(context.undoManager == nil && !context.retainsRegisteredObjects)
        #expect(context.propagatesDeletesAtEndOfEvent && context.shouldDeleteInaccessibleFaults)
        #expect(context.stalenessInterval < 0 && !context.automaticallyMergesChangesFromParent)
        #expect(context.transactionAuthor == nil && context.parent == nil)
        context.transactionAuthor = "importer"
        #expect(context.transactionAuthor == "importer")
        let legacy: [(Any, NSMergePolicyType)] = [
            (NSErrorMergePolicy, .errorMergePolicyType), (NSRollbackMergePolicy, .rollbackMergePolicyType),
            (NSOverwriteMergePolicy, .overwriteMergePolicyType),
            (NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrumpMergePolicyType),
            (NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrumpMergePolicyType),
        ]
        for (policy, type) in legacy { #expect((policy as? NSMergePolicy)?.mergeType == type) }
        #expect(NSManagedObjectContext.ConcurrencyType.mainQueue != .privateQueue)
    }

    @Test func deletesSpreadAtTheSaveWhereTheContextSaysSo() throws {
        let stack = try Stack(model: TasksModel.make(tasksRule: .cascadeDeleteRule))
        let context = stack.context
        try context.run { () throws in
            let place = TestLocation(context: context)
            let task = context.task("a")
            task.location = place
            try context.save()
            context.propagatesDeletesAtEndOfEvent = false
            context.delete(place)
            context.processPendingChanges()
            #expect(!task.isDeleted)
            try context.save()
            #expect(task.managedObjectContext == nil)
        }
        let other = stack.otherContext()
        try other.performAndWait { () throws in #expect(try other.tasks().isEmpty) }
    }

    @Test func anAssignedObjectGoesToItsStore() throws {
        let stack = try Stack()
        let url = stack.folder.appending(path: "Second.sqlite")
        let second = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url
        )
        try stack.context.run { () throws in
            let first = stack.context.task("first")
            let other = stack.context.task("second")
            stack.context.assign(other, to: second)
            try stack.context.save()
            #expect(first.objectID.persistentStore !== second && other.objectID.persistentStore === second)
            let place = TestLocation(context: stack.context)
            other.location = place
            // "Insert chooses the first writable store that holds the entity"
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            #expect(error?.code == NSManagedObjectExternalRelationshipError)
            stack.context.assign(place, to: second)
            try stack.context.save()
            #expect(try stack.context.tasks().map(\.text) == ["first", "second"])
        }
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
            #expect(merge.sourceObject === task && merge.newVersionNumber == 2 && merge.persistedSnapshot != nil)
            let constraint = NSConstraintConflict(
                constraint: ["text"],
                database: nil,
                databaseSnapshot: nil,
                conflicting: [task],
                conflictingSnapshots: [["text": "a"]]
            )
            #expect(constraint.conflictingSnapshots.count == 1 && constraint.constraintValues["text"] as? String == "a")
        }
    }

    @Test func containersKeepTheirStoresInOneFolder() {
        let folder = NSPersistentContainer.defaultDirectoryURL()
        let container = NSPersistentContainer(name: "Kept", managedObjectModel: TasksModel.make())
        #expect(container.persistentStoreDescriptions.first?.url == folder.appending(path: "Kept.sqlite"))
    }
}

@Suite struct ValidationByHand {
    @Test func anObjectJudgesValuesAndItself() throws {
        let stack = try Stack(model: TasksModel.make(requiredText: true, tasksRule: .denyDeleteRule))
        try stack.context.run { () throws in
            let task = TestTask(context: stack.context)
            var value: Any? = nil
            let missing = #expect(throws: NSError.self) { try task.validateValue(&value, forKey: "text") }
            #expect(missing?.code == NSValidationMissingMandatoryPropertyError)
            value = "text"
            try task.validateValue(&value, forKey: "text")
            #expect(throws: NSError.self) { try task.validateForUpdate() }
            task.text = "a"
            try task.validateForUpdate()
            let place = TestLocation(context: stack.context)
            task.location = place
            let denied = #expect(throws: NSError.self) { try place.validateForDelete() }
            #expect(denied?.code == NSValidationRelationshipDeniedDeleteError)
            task.location = nil
            try place.validateForDelete()
        }
    }
}

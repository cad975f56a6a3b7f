// Operations on whole stores: move, replace, destroy, describe.
import ExpectationSupport
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct CoordinatorStores {
    private func filled(_ model: NSManagedObjectModel = TasksModel.make()) throws -> Stack {
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            for text in ["a", "b"] { _ = stack.context.task(text) }
            try stack.context.save()
        }
        return stack
    }

    private func texts(_ url: URL) throws -> [String?] {
        let stack = try Stack(url: url)
        return try stack.context.performAndWait { () throws in try stack.context.tasks().map(\.text) }
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func aMovedStoreTakesTheOldOnesPlace(type: String) throws {
        let stack = try filled()
        let old = try #require(stack.coordinator.persistentStores.first)
        let task = try stack.context.performAndWait { () throws in try #require(try stack.context.tasks().first) }
        let url = stack.folder.appending(path: "moved/Moved.sqlite")
        let new = try stack.coordinator.migratePersistentStore(old, to: url, options: nil, withType: type)
        expectEqual(stack.coordinator.persistentStores, [new])
        expectEqual(new.type, type)
        try stack.context.run { () throws in
            #expect(stack.context.registeredObject(for: task.objectID) === task)
            task.text = "z"
            _ = stack.context.task("c")
            try stack.context.save()
            try expectEqual(stack.context.tasks().map(\.text), ["b", "c", "z"])
        }
        // The old file is unchanged.
        try expectEqual(texts(stack.url), ["a", "b"])
        if type == NSSQLiteStoreType {
            try expectEqual(texts(url), ["b", "c", "z"])
            let otherStack = try Stack(url: url)
            let again = try #require(otherStack.coordinator.persistentStores.first)
            let error = #expect(throws: NSError.self) {
                try otherStack.coordinator.migratePersistentStore(again, to: stack.url, options: nil, type: .sqlite)
            }
            #expect(error != nil)
            try expectEqual(texts(stack.url), ["a", "b"])
        }
    }

    @Test func savesDuringMovesAreInTheNewStore() throws {
        let stack = try Stack()
        let (coordinator, context) = (stack.coordinator, stack.otherContext())
        let isDone = Atomic<Bool>(false)
        let saved = Mutex<[String]>([])
        let saving = DispatchGroup()
        saving.enter()
        Thread.detachNewThread {
            var number = 0
            while !isDone.load(ordering: .acquiring) {
                do {
                    try context.performAndWait { () throws in
                        let task = context.task("\(number)")
                        if number % 2 == 1 { try context.obtainPermanentIDs(for: [task]) }
                        try context.save()
                        let update = NSBatchUpdateRequest(entityName: "Task")
                        update.propertiesToUpdate = ["priority": 1]
                        _ = try context.execute(update)
                        // A save of metadata alone.
                        if let store = coordinator.persistentStores.first {
                            let metadata = coordinator.metadata(for: store).merging(["number": number]) { $1 }
                            coordinator.setMetadata(metadata, for: store)
                        }
                        try context.save()
                    }
                    saved.withLock { $0.append("\(number)") }
                } catch {
                    Issue.record(error)
                }
                number += 1
            }
            saving.leave()
        }
        for number in 0..<8 {
            usleep(20_000)
            let old = try #require(stack.coordinator.persistentStores.first)
            let url = stack.folder.appending(path: "Moved\(number).sqlite")
            _ = try stack.coordinator.migratePersistentStore(old, to: url, type: .sqlite)
        }
        isDone.store(true, ordering: .releasing)
        saving.wait()
        let place = try #require(stack.coordinator.persistentStores.first?.url)
        try expectEqual(Set(texts(place)), Set(saved.withLock { $0 }))
    }

    @Test func anObserverOfAMoveSavesBeforeTheCopy() throws {
        let stack = try filled()
        let old = try #require(stack.coordinator.persistentStores.first)
        let context = stack.otherContext()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore,
            object: old,
            queue: nil
        ) { _ in
            do { try context.saveTask("late") } catch { Issue.record(error) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let url = stack.folder.appending(path: "Moved.sqlite")
        _ = try stack.coordinator.migratePersistentStore(old, to: url, type: .sqlite)
        try expectEqual(texts(url).compactMap(\.self).sorted(), ["a", "b", "late"])
    }

    @Test func unsavedMetadataOfAMovedStoreAreSavedInTheNewOne() throws {
        let stack = try filled()
        let old = try #require(stack.coordinator.persistentStores.first)
        var metadata = stack.coordinator.metadata(for: old)
        metadata["note"] = "x"
        stack.coordinator.setMetadata(metadata, for: old)
        let url = stack.folder.appending(path: "Moved.sqlite")
        let new = try stack.coordinator.migratePersistentStore(old, to: url, type: .sqlite)
        expectEqual(stack.coordinator.metadata(for: new)["note"] as? String, "x")
        try stack.context.saveTask("c")
        let saved = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        expectEqual(saved["note"] as? String, "x")
        expectEqual(saved[NSStoreUUIDKey] as? String, old.identifier)
    }

    @Test func anObjectThatIsAssignedToAMovedStoreIsSavedInTheNewOne() throws {
        let stack = try filled()
        let old = try #require(stack.coordinator.persistentStores.first)
        let url = stack.folder.appending(path: "Moved.sqlite")
        try stack.context.run { () throws in
            stack.context.assign(stack.context.task("assigned"), to: old)
            _ = try stack.coordinator.migratePersistentStore(old, to: url, type: .sqlite)
            try stack.context.save()
        }
        try expectEqual(texts(url).compactMap(\.self).sorted(), ["a", "assigned", "b"])
    }

    @Test func objectsOfAnotherModelMatchNoRow() throws {
        let entity = NSEntityDescription("Note", [NSAttributeDescription("text")])
        let (stack, other) = (try Stack(model: NSManagedObjectModel([entity])), try filled())
        let tasks = try other.context.performAndWait { () throws in try other.context.tasks() }
        try stack.context.run { () throws in
            _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: stack.context)
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            for task in tasks {
                for constant in [task, task.objectID] as [Any] {
                    request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [constant])
                    try expectEqual(stack.context.count(for: request), 0)
                }
            }
        }
    }

    @Test func objectsOfAnotherCoordinatorMatchRowsOfTheirStoreOnly() throws {
        let stack = try filled()
        let (sameStore, otherStore) = (try Stack(url: stack.url), try filled())
        for (other, count) in [(sameStore, 1), (otherStore, 0)] {
            let tasks = try other.context.performAndWait { () throws in try other.context.tasks() }
            expectEqual(tasks.count, 2)
            try stack.context.run { () throws in
                let request = NSFetchRequest<TestTask>(entityName: "Task")
                for task in tasks {
                    request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [task])
                    try expectEqual(stack.context.count(for: request), count)
                }
            }
        }
    }

    @Test func aStoreInMemoryGoesToAFile() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType,
            configurationName: nil,
            at: nil
        )
        let context = coordinator.makeContext()
        try context.saveTask("m")
        let folder = FileManager.default.temporaryDirectory.appending(path: "mg-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "Saved.sqlite")
        _ = try coordinator.migratePersistentStore(store, to: url, options: nil, type: .sqlite)
        try expectEqual(texts(url), ["m"])
    }

    @Test func aStoreIsReplacedByACopyWhileItsSourceIsInUse() throws {
        let source = try filled()
        let target = try Stack()
        try target.context.saveTask("old")
        try target.coordinator.replacePersistentStore(
            at: target.url,
            withPersistentStoreFrom: source.url,
            ofType: NSSQLiteStoreType
        )
        #expect(target.coordinator.persistentStores.isEmpty)
        try expectEqual(texts(target.url), ["a", "b"])
        let fresh = target.folder.appending(path: "Fresh.sqlite")
        try target.coordinator.replacePersistentStore(at: fresh, withPersistentStoreFrom: source.url, type: .sqlite)
        try expectEqual(texts(fresh), ["a", "b"])
        let missing = target.folder.appending(path: "Missing.sqlite")
        #expect(throws: NSError.self) {
            try target.coordinator.replacePersistentStore(at: fresh, withPersistentStoreFrom: missing, type: .sqlite)
        }
        try expectEqual(texts(fresh), ["a", "b"])
    }

    /// A store class that only opens stores.
    private final class PlainStore: NSIncrementalStore {}

    @Test func aStoreOfAClassThatCannotReplaceIsNamedWithARemedy() throws {
        NSPersistentStoreCoordinator.registerStoreClass(PlainStore.self, forStoreType: "Plain")
        let source = try filled()
        let target = source.folder.appending(path: "Target.plain")
        try Data().write(to: target)
        let error = #expect(throws: NSError.self) {
            try source.coordinator.replacePersistentStore(
                at: target,
                withPersistentStoreFrom: source.url,
                ofType: "Plain"
            )
        }
        expectEqual(error?.localizedDescription.contains("PlainStore cannot be replaced by a copy"), true)
        expectEqual(error?.code, NSCoreDataError)
    }

    @Test func metadataOfAClosedStoreAreReplacedButForTheFrameworks() throws {
        let stack = try filled()
        let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stack.url)
        try NSPersistentStoreCoordinator.setMetadata(
            ["mine": 7, NSStoreModelVersionHashesKey: "rubbish"],
            forPersistentStoreOfType: NSSQLiteStoreType,
            at: stack.url
        )
        try NSPersistentStoreCoordinator.setMetadata(["yours": "x"], type: .sqlite, at: stack.url)
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stack.url)
        expectNil(after["mine"])
        expectEqual(after["yours"] as? String, "x")
        expectEqual(after[NSStoreUUIDKey] as? String, before[NSStoreUUIDKey] as? String)
        expectEqual(
            after[NSStoreModelVersionHashesKey] as? [String: Data],
            before[NSStoreModelVersionHashesKey]
                as? [String: Data]
        )
        try expectEqual(texts(stack.url), ["a", "b"])
        let missing = stack.folder.appending(path: "missing.sqlite")
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.setMetadata([:], type: .sqlite, at: missing)
        }
    }

    @Test("Metadata that are set while another connection writes keep the version that it writes")
    func metadataBesideAnotherWriter() throws {
        let stack = try filled()
        let url = stack.url
        let other = try Connection(path: url.path)
        defer { other.close() }
        try other.begin(.immediate)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do {
                try NSPersistentStoreCoordinator.setMetadata(["mine": 7], type: .sqlite, at: url)
            } catch {
                Issue.record(error)
            }
            isDone.signal()
        }
        // The thread waits for the lock of the file.
        Thread.sleep(forTimeInterval: 0.3)
        var metadata = try StoreFile.readMetadata(other)
        metadata.values[NSStoreModelVersionIdentifiersKey] = ["new"]
        try StoreFile.writeMetadata(metadata, other)
        try other.commit()
        isDone.wait()
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        expectEqual(after["mine"] as? Int, 7)
        expectEqual(after[NSStoreModelVersionIdentifiersKey] as? [String], ["new"])
    }

    @Test func aStoreContinuesAtAnotherLocationOrStaysAtItsOwn() throws {
        let stack = try filled()
        let store = try #require(stack.coordinator.persistentStores.first)
        let copy = stack.folder.appending(path: "Copy.sqlite")
        try stack.coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: stack.url, type: .sqlite)
        #expect(!stack.coordinator.setURL(stack.folder.appending(path: "none.sqlite"), for: store))
        expectEqual(stack.coordinator.url(for: store), stack.url)
        #expect(stack.coordinator.setURL(copy, for: store))
        try stack.context.saveTask("c")
        try expectEqual(texts(copy), ["a", "b", "c"])
        try expectEqual(texts(stack.url), ["a", "b"])
    }

    @Test func identifiersComeFromTexts() throws {
        let stack = try filled()
        let identifier = try stack.context.performAndWait { () throws in
            try #require(try stack.context.tasks().first).objectID
        }
        let address = identifier.uriRepresentation().absoluteString
        expectEqual(stack.coordinator.managedObjectID(for: address), identifier)
        expectNil(stack.coordinator.managedObjectID(for: "no such thing"))
    }

    @Test func typesOfStoresAreRegistered() throws {
        let types = NSPersistentStoreCoordinator.registeredStoreTypes
        let sqlite = try #require(types[NSSQLiteStoreType])
        NSPersistentStoreCoordinator.registerStoreClass(sqlite, forStoreType: "Mine")
        let stack = try Stack()
        let url = stack.folder.appending(path: "Mine.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        let store = try coordinator.addPersistentStore(ofType: "Mine", configurationName: nil, at: url)
        expectEqual(store.type, "Mine")
        NSPersistentStoreCoordinator.registerStoreClass(nil, type: NSPersistentStore.StoreType(rawValue: "Mine"))
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: "Mine", configurationName: nil, at: url)
        }
        expectEqual(error?.code, NSPersistentStoreInvalidTypeError)
        NSPersistentStoreCoordinator.registerStoreClass(NSPersistentStore.self, forStoreType: "Bare")
        let bare = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: "Bare", configurationName: nil, at: url)
        }
        expectEqual(bare?.localizedDescription.contains("neither an NSAtomicStore nor"), true)
    }

    @Test func nothingIsPutOffAndNoHistoryIsKept() throws {
        let stack = try filled()
        try stack.coordinator.finishDeferredLightweightMigration()
        try stack.coordinator.finishDeferredLightweightMigrationTask()
        expectNil(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
        let empty = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        #expect(throws: NSError.self) { try empty.finishDeferredLightweightMigration() }
    }
}

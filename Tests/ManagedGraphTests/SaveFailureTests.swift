// Failing saves: the error, the kept changes, and the success of a later save.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct SaveFailures {
    private func saveError(_ context: NSManagedObjectContext) -> NSError? {
        context.performAndWait { #expect(throws: NSError.self) { try context.save() } }
    }

    private func expectSavable(_ stack: Stack, count: Int) throws {
        try stack.context.run { () throws in
            #expect(stack.context.hasChanges)
            try stack.context.save()
            #expect(!stack.context.hasChanges)
        }
        let other = stack.otherContext()
        try other.performAndWait { () throws in try expectEqual(other.tasks().count, count) }
    }

    @Test func aStoreLockedByAnotherProcessIs134090AndCanBeSavedLater() throws {
        let stack = try Stack()
        try stack.context.saveTask("a")
        let waiting = try stack.contextOfAnotherCoordinator(options: [NSPersistentStoreTimeoutOption: 0.05])
        waiting.performAndWait { _ = waiting.task("b") }
        let lock = Process()
        lock.executableURL = URL(filePath: "/usr/bin/env")
        lock.arguments = [
            "python3", "-c",
            "import sqlite3,sys;c=sqlite3.connect(sys.argv[1],isolation_level=None);c.execute('BEGIN IMMEDIATE');"
                + "print('locked',flush=True);sys.stdin.read()",
            stack.url.path,
        ]
        let input = Pipe()
        let output = Pipe()
        lock.standardInput = input
        lock.standardOutput = output
        try lock.run()
        _ = output.fileHandleForReading.availableData
        let error = saveError(waiting)
        expectEqual(error?.code, NSPersistentStoreTimeoutError)
        try input.fileHandleForWriting.close()
        lock.waitUntilExit()
        try waiting.performAndWait { () throws in
            #expect(waiting.hasChanges)
            try waiting.save()
            try expectEqual(waiting.tasks().count, 2)
        }
    }

    @Test func aFullDiskIsReportedAndNothingIsLost() throws {
        let stack = try Stack()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        let url = stack.folder.appending(path: "Small.sqlite")
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url,
            options: [NSSQLitePragmasOption: ["max_page_count": "60"]]
        )
        let context = coordinator.makeContext()
        let large = try context.performAndWait { () throws in
            _ = context.task("small")
            try context.save()
            return context.task(String(repeating: "x", count: 1_000_000))
        }
        let error = saveError(context)
        expectEqual(error?.code, CocoaError.Code.fileWriteOutOfSpace.rawValue)
        try context.performAndWait { () throws in
            #expect(large.isInserted && large.objectID.isTemporaryID)
            large.text = "smaller"
            try context.save()
            try expectEqual(context.tasks().map(\.text), ["small", "smaller"])
        }
    }

    @Test(arguments: [false, true])
    func aMissingFileIsReportedAndMayComeBack(replaced: Bool) throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            _ = stack.context.task("a")
            try stack.context.save()
            _ = stack.context.task("b")
        }
        let away = stack.folder.appending(path: "away.sqlite")
        try FileManager.default.moveItem(at: stack.url, to: away)
        if replaced { try Data("something else".utf8).write(to: stack.url) }
        let error = saveError(stack.context)
        expectEqual(error?.code, NSPersistentStoreSaveError)
        expectEqual(error?.localizedDescription.contains("removed, moved or replaced"), true)
        if replaced {
            try expectEqual(Data(contentsOf: stack.url), Data("something else".utf8))
            try FileManager.default.removeItem(at: stack.url)
        }
        try FileManager.default.moveItem(at: away, to: stack.url)
        try expectSavable(stack, count: 2)
    }

    @Test func aReadOnlyStoreDoesNotStopASaveThatChangesNothingInIt() throws {
        let (catalogue, stack) = (try Stack(), try Stack())
        try catalogue.context.saveTask("a")
        try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: catalogue.url,
            options: [NSReadOnlyPersistentStoreOption: true]
        )
        let task = try stack.context.performAndWait { () throws in
            let task = try #require(try stack.context.tasks().first)
            task.text = "a"
            #expect(task.isUpdated)
            _ = stack.context.task("b")
            try stack.context.save()
            #expect(!stack.context.hasChanges)
            task.text = "c"
            return task
        }
        expectEqual(saveError(stack.context)?.code, CocoaError.Code.fileWriteNoPermission.rawValue)
        stack.context.performAndWait { #expect(task.isUpdated) }
    }

    @Test func aReadOnlyStoreRefusesTheSave() throws {
        let stack = try Stack()
        try stack.context.saveTask("a")
        let context = try stack.contextOfAnotherCoordinator(options: [NSReadOnlyPersistentStoreOption: true])
        try context.performAndWait { () throws in try context.tasks().first?.text = "b" }
        // "NSFileWriteNoPermissionError"
        expectEqual(saveError(context)?.code, CocoaError.Code.fileWriteNoPermission.rawValue)
        let stores = saveError(context)?.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore]
        expectEqual(stores, context.persistentStoreCoordinator?.persistentStores)
        context.performAndWait {
            #expect(context.hasChanges)
            context.rollback()
            _ = context.task("new")
        }
        expectEqual(saveError(context)?.code, CocoaError.Code.fileWriteNoPermission.rawValue)
        try context.performAndWait { () throws in
            context.rollback()
            context.delete(try #require(try context.tasks().first))
        }
        expectEqual(saveError(context)?.code, CocoaError.Code.fileWriteNoPermission.rawValue)
        context.performAndWait {
            let all = NSFetchRequest<any NSFetchRequestResult>(entityName: "Task")
            let request = NSBatchDeleteRequest(fetchRequest: all)
            let error = #expect(throws: NSError.self) { try context.execute(request) }
            expectEqual(error?.code, CocoaError.Code.fileWriteNoPermission.rawValue)
        }
    }

    @Test func aContextWithoutAStoreSaysSo() {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        context.performAndWait { _ = context.task("a") }
        expectEqual(saveError(context)?.localizedDescription.contains("No store contains the entity Task"), true)
        context.performAndWait { #expect(context.hasChanges) }
    }

    @Test func objectsOfOneStoreAreSavedIfTheOtherStoreCannotCommit() throws {
        let stack = try Stack()
        let model = TasksModel.make()
        let tasks = try #require(model.entitiesByName["Task"])
        model.setEntities([tasks, try #require(model.entitiesByName["Location"])], forConfigurationName: "One")
        model.setEntities([try #require(model.entitiesByName["Tag"])], forConfigurationName: "Two")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for name in ["One", "Two"] {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType,
                configurationName: name,
                at: stack.folder.appending(path: "\(name).sqlite"),
                options: name == "Two" ? [NSPersistentStoreTimeoutOption: 0.05] : nil
            )
        }
        let context = coordinator.makeContext()
        let (task, tag) = context.performAndWait {
            let task = context.task("a")
            let tag = NSManagedObject(entity: model.entitiesByName["Tag"] ?? tasks, insertInto: context)
            tag.setValue("x", forKey: "name")
            return (task, tag)
        }
        // The second store fails at its commit, after the first has committed.
        let store = try #require(coordinator.persistentStores.last)
        store.failNextCommit()
        let error = saveError(context)
        expectEqual(error?.code, NSPersistentStoreIncompleteSaveError)
        expectEqual(error?.localizedDescription.contains("Two.sqlite"), true)
        try context.performAndWait { () throws in
            #expect(!task.isInserted && !task.objectID.isTemporaryID)
            #expect(tag.isInserted && tag.objectID.isTemporaryID)
            expectEqual(context.insertedObjects, [tag])
            try context.save()
            #expect(!context.hasChanges && !tag.objectID.isTemporaryID)
        }
        let other = coordinator.makeContext()
        try other.performAndWait { () throws in
            try expectEqual(other.tasks().count, 1)
            try expectEqual(other.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")), 1)
        }
    }

    @Test func savingWithoutChangesPostsAsAnyOtherSaveAndWritesNothing() throws {
        let stack = try Stack()
        final class Names: @unchecked Sendable { var list: [Notification.Name] = [] }
        let names = Names()
        let observedNames: Set = [
            Notification.Name.NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
            .NSManagedObjectContextObjectsDidChange,
        ]
        let token = NotificationCenter.default.addObserver(forName: nil, object: stack.context, queue: nil) {
            if observedNames.contains($0.name) { names.list.append($0.name) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try stack.context.run { () throws in try stack.context.save() }
        expectEqual(names.list, [.NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave])
    }

    // "Apple gives up with an exception after 1000 rounds"
    @Test func willSaveThatNeverSettlesIsAnErrorAfterAThousandRounds() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("restless")
            task.onWillSave = { $0.priority += 1 }
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.localizedDescription.contains("1,000"), true)
            task.onWillSave = { if $0.priority != 5 { $0.priority = 5 } }
            try stack.context.save()
            expectEqual(task.priority, 5)
        }
    }

    @Test("An observer of changes may change objects in turn and save them", arguments: [false, true])
    func savesOfObservers(isInserting: Bool) throws {
        let stack = try Stack()
        let context = stack.context
        let recorder = Recorder(context)
        try context.run { () throws in
            let (first, second) = (context.task("a"), context.task("b"))
            try context.save()
            let count = recorder.events.count
            context.observingChanges {
                guard second.text == "b" else { return }
                second.text = "observed"
                if isInserting { _ = context.task("new") }
                do { try context.save() } catch { Issue.record(error) }
                #expect(!context.hasChanges)
            } during: {
                first.text = "A"
                context.processPendingChanges()
            }
            expectEqual(recorder.events.count, count + 2)
            let updated: Set<Set<NSManagedObject>> = Set(
                recorder.events.suffix(2).compactMap { $0[NSUpdatedObjectsKey] }
            )
            expectEqual(updated, [[first], [second]])
            #expect(!context.hasChanges)
            first.text = "AA"
            try context.save()
        }
        let other = stack.otherContext()
        let texts = try other.run { try other.tasks().map(\.text) }
        expectEqual(texts, isInserting ? ["AA", "new", "observed"] : ["AA", "observed"])
    }

    @Test("An observer that changes objects and saves them at each notification comes to an end")
    func endlessObservers() throws {
        let stack = try Stack()
        let context = stack.context
        try context.run { () throws in
            let (first, second) = (context.task("a"), context.task("b"))
            try context.save()
            var count = 0
            context.observingChanges {
                count += 1
                second.weight += 1
                try? context.save()
            } during: {
                first.text = "A"
                context.processPendingChanges()
            }
            expectEqual(count, 100)
            expectEqual(second.weight, 100)
            try context.save()
        }
        let other = stack.otherContext()
        let weight = try other.run { try other.tasks("text == 'b'").first?.weight }
        expectEqual(weight, 100)
    }

    @Test func metadataOfAFailedCommitAreWrittenByTheNext() throws {
        let stack = try Stack()
        let store = try #require(stack.coordinator.persistentStores.first)
        try stack.context.performAndWait { () throws in
            _ = stack.context.task("a")
            stack.coordinator.setMetadata(["mine": "kept"], for: store)
            store.failNextCommit()
            #expect(throws: (any Error).self) { try stack.context.save() }
            try stack.context.save()
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stack.url)
        expectEqual(metadata["mine"] as? String, "kept")
    }
}

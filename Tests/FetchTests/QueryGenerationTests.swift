// Contexts pinned to a query generation of their stores.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import TestSupport
import Testing

@testable import StackSupport

struct QueryGenerations {
    private let stack: Stack
    private let pinned: NSManagedObjectContext

    init() throws {
        stack = try Stack()
        pinned = stack.otherContext()
        try save("one")
    }

    private func save(_ text: String) throws {
        try stack.context.run { () throws in
            _ = stack.context.task(text)
            try stack.context.save()
        }
    }

    private func texts(_ context: NSManagedObjectContext) throws -> [String?] {
        try context.performAndWait { () throws in try context.tasks().map(\.text) }
    }

    @Test func aPinnedContextReadsOneMomentWhileOthersWrite() throws {
        expectNil(pinned.queryGenerationToken)
        try pinned.performAndWait { () throws in try pinned.setQueryGenerationFrom(.current) }
        #expect(pinned.queryGenerationToken != nil)
        try save("two")
        try stack.context.run { () throws in
            try stack.context.tasks("text == 'one'").first?.text = "changed"
            try stack.context.save()
        }
        try expectEqual(texts(pinned), ["one"])
        try pinned.performAndWait { () throws in
            try expectEqual(pinned.count(for: NSFetchRequest<TestTask>(entityName: "Task")), 1)
            let task = try #require(try pinned.tasks().first)
            pinned.refresh(task, mergeChanges: true)
            expectEqual(task.text, "one")
            try pinned.setQueryGenerationFrom(nil)
        }
        #expect(Set(try texts(pinned).compactMap { $0 }).contains("two"))
    }

    @Test func contextsOfOneTokenReadTheSame() throws {
        try pinned.performAndWait { () throws in try pinned.setQueryGenerationFrom(.current) }
        try save("two")
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            try other.setQueryGenerationFrom(pinned.queryGenerationToken)
        }
        try expectEqual(texts(other), ["one"])
        let child = pinned.makeChild()
        #expect(child.queryGenerationToken === pinned.queryGenerationToken)
        try expectEqual(texts(child), ["one"])
        #expect(throws: NSError.self) { try child.setQueryGenerationFrom(.current) }
    }

    @Test func aContextThatHasReadInTheSameBlockReadsTheGeneration() throws {
        try pinned.performAndWait { () throws in try pinned.setQueryGenerationFrom(.current) }
        try save("two")
        let other = stack.otherContext()
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        try other.performAndWait { () throws in
            try expectEqual(other.count(for: request), 2)
            try other.setQueryGenerationFrom(pinned.queryGenerationToken)
            try expectEqual(other.count(for: request), 1)
            try expectEqual(other.tasks().map(\.text), ["one"])
            try other.setQueryGenerationFrom(nil)
            try expectEqual(other.count(for: request), 2)
        }
    }

    @Test func dictionariesInMemoryAreThoseOfTheGeneration() throws {
        try pinned.performAndWait { () throws in try pinned.setQueryGenerationFrom(.current) }
        try save("two")
        let request = NSFetchRequest<NSDictionary>(entityName: "Task")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["text"]
        // Tables cannot evaluate a block.
        request.predicate = NSPredicate { _, _ in true }
        for context in [pinned, pinned.makeChild()] {
            let texts = try context.performAndWait { () throws in
                try context.fetch(request).map { $0["text"] as? String }
            }
            expectEqual(texts, ["one"])
        }
    }

    @Test func savesMergesAndResetsMoveAPinnedContextOn() throws {
        final class Box: @unchecked Sendable { var token: Any? }
        let box = Box()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave,
            object: pinned,
            queue: nil
        ) { box.token = $0.userInfo?[NSManagedObjectContextQueryGenerationKey] }
        defer { NotificationCenter.default.removeObserver(token) }
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            let first = pinned.queryGenerationToken
            try save("two")
            _ = pinned.task("own")
            try pinned.save()
            #expect(pinned.queryGenerationToken !== first)
        }
        #expect(box.token as? NSQueryGenerationToken === pinned.queryGenerationToken)
        expectEqual(
            NSManagedObjectContext.NotificationKey.queryGeneration.rawValue,
            NSManagedObjectContextQueryGenerationKey
        )
        try expectEqual(texts(pinned), ["one", "own", "two"])
        try save("zed")
        try expectEqual(texts(pinned).count, 3)
        pinned.performAndWait { pinned.reset() }
        try expectEqual(texts(pinned).count, 4)
    }

    @Test func aLongPinKeepsTheLogAndLettingGoFreesIt() throws {
        func logSize() throws -> Int {
            let values = try FileManager.default.attributesOfItem(atPath: stack.url.path + "-wal")
            return (values[.size] as? Int) ?? 0
        }
        try pinned.performAndWait { () throws in try pinned.setQueryGenerationFrom(.current) }
        for _ in 0..<30 { try save(String(repeating: "x", count: 200_000)) }
        let large = try logSize()
        #expect(large > 4_000_000)
        try pinned.performAndWait { () throws in try pinned.setQueryGenerationFrom(nil) }
        for _ in 0..<30 { try save(String(repeating: "x", count: 200_000)) }
        // The log's space is reused.
        #expect(try logSize() < large + 2_000_000)
    }

    @Test func theLogIsBoundedHoweverLongAContextIsPinned() throws {
        try save("a")
        try pinned.performAndWait { () throws in try pinned.setQueryGenerationFrom(.current) }
        var largest = 0
        for number in 0..<70 {
            try save("\(number)" + String(repeating: "x", count: 1_000_000))
            let values = try FileManager.default.attributesOfItem(atPath: stack.url.path + "-wal")
            largest = max(largest, values[.size] as? Int ?? 0)
        }
        // 70 MB were written: without copies, all of them would still be in the log.
        #expect(largest < 50_000_000)
        try expectEqual(Set(try texts(pinned)), ["one", "a"])
        try pinned.performAndWait { () throws in
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.predicate = NSPredicate(format: "text BEGINSWITH[c] 'ON'")
            try expectEqual(pinned.count(for: request), 1)
            pinned.reset()
        }
        try expectEqual(texts(pinned).count, 72)
    }

    #if os(Linux)
        @Test func theCopyOfAPinnedContextIsAFileWithoutAName() throws {
            try save("a")
            try pinned.performAndWait { () throws in try pinned.setQueryGenerationFrom(.current) }
            for number in 0..<24 { try save("\(number)" + String(repeating: "x", count: 1_000_000)) }
            let open = try OpenFiles.paths()
            // It was made in a folder that only this user may read.
            #expect(open.contains { $0.contains("/generation-") && $0.hasSuffix("/copy (deleted)") })
        }
    #endif

    @Test func anIdleContextReleasesALogThatOthersFill() async throws {
        try pinned.performAndWait { () throws in try pinned.setQueryGenerationFrom(.current) }
        // Like another process, with its own coordinator.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        try coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        let other = coordinator.makeContext()
        func write() throws {
            try other.performAndWait { () throws in
                _ = other.task(String(repeating: "x", count: 1_000_000))
                try other.save()
                other.reset()
            }
        }
        func logSize() throws -> Int {
            let values = try FileManager.default.attributesOfItem(atPath: stack.url.path + "-wal")
            return values[.size] as? Int ?? 0
        }
        for _ in 0..<20 { try write() }
        for _ in 0..<100 {
            // Each save tries to truncate the log, and fails as long as a reader uses it.
            for _ in 0..<5 { try write() }
            if try logSize() < 10_000_000 { break }
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(try logSize() < 10_000_000)
        try expectEqual(texts(pinned), ["one"])
    }

    @Test func aFileWithoutALogStaysUnpinnedAndItsWritersAreNotHeldUp() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        let url = stack.url.deletingLastPathComponent().appending(path: "NoLog.sqlite")
        let options: [AnyHashable: Any] = [
            NSSQLitePragmasOption: ["journal_mode": "DELETE"], NSPersistentStoreTimeoutOption: 0.2,
        ]
        try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
        let contexts = (0..<2).map { _ in NSManagedObjectContext(.privateQueue) }
        for context in contexts { context.persistentStoreCoordinator = coordinator }
        for number in 0..<3 {
            try contexts[0].performAndWait { () throws in
                _ = contexts[0].task("\(number)")
                try contexts[0].save()
            }
            try contexts[1].performAndWait { () throws in try contexts[1].setQueryGenerationFrom(.current) }
        }
        try expectEqual(texts(contexts[1]), ["0", "1", "2"])
    }

    @Test func storesInMemoryStayUnpinned() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = coordinator.makeContext()
        let other = coordinator.makeContext()
        try context.performAndWait { () throws in try context.setQueryGenerationFrom(.current) }
        try other.saveTask("new")
        try expectEqual(texts(context), ["new"])
    }

    @Test func aRemovedStoreIsNotHeldOpenByAPinnedContext() throws {
        let count = try stack.context.performAndWait { () throws in
            _ = stack.context.task("another")
            try stack.context.save()
            try stack.context.setQueryGenerationFrom(.current)
            return try stack.context.tasks().count
        }
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        #if os(Linux)
            let open = try OpenFiles.paths()
            expectEqual(open.filter { $0.hasPrefix(stack.url.path) }, [])
        #endif
        // The context stays pinned and reads the attached stores: none, and then the store again.
        try stack.context.performAndWait { () throws in #expect(try stack.context.tasks().isEmpty) }
        try stack.coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        try stack.context.performAndWait { () throws in try expectEqual(stack.context.tasks().count, count) }
    }
}

import ExpectationSupport
import Foundation
import GraphEngine
import GraphSQL
import GraphSupport
import Synchronization
import TestSupport
import Testing

@testable import GraphSQLite
@testable import ManagedGraph
@testable import StackSupport

@Suite("Readers next to a writer")
struct ReaderTests {
    /// Runs `body` on its own thread; returns whether it ended while the caller was blocked.
    private func ends(_ body: @escaping @Sendable () throws -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do { try body() } catch { Issue.record(error) }
            done.signal()
        }
        return done.wait(timeout: .now() + 20) == .success
    }

    private func sqliteStore(_ stack: Stack) throws -> SQLiteStore {
        try #require(stack.coordinator.persistentStores.first as? SQLiteStore)
    }

    @Test func nothingThatReadsWaitsForATransaction() throws {
        let stack = try Stack()
        try stack.fill(places: 3, tasks: 4)
        let store = try sqliteStore(stack)
        // Hold the write transaction, as a save does from its beginning to its commit.
        let writing = try store.beginSave(SaveOrigin(), for: nil)
        defer { writing.rollback() }
        let coordinator = UnsafeTransfer(stack.coordinator)
        let isDone = ends {
            let context = coordinator.value.makeContext()
            try context.performAndWait { () throws in
                let request = NSFetchRequest<TestLocation>(entityName: "Location")
                let places = try context.fetch(request)
                expectEqual(places.count, 3)
                try expectEqual(context.count(for: NSFetchRequest<TestTask>(entityName: "Task")), 12)
                expectEqual(places[0].tasks?.count, 4)
                request.relationshipKeyPathsForPrefetching = ["tasks"]
                try expectEqual(context.fetch(request).count, 3)
                let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Task")
                identifiers.resultType = .managedObjectIDResultType
                let fresh = coordinator.value.makeContext()
                let first = try #require(try context.fetch(identifiers).first)
                try fresh.performAndWait { () throws in #expect(!(try fresh.existingObject(with: first).isFault)) }
            }
            let fetched = DispatchSemaphore(value: 0)
            let count = Atomic<Int>(-1)
            _ = try context.performAndWait { () throws in
                try context.execute(
                    NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<TestTask>(entityName: "Task")) { result in
                        count.store(result.finalResult?.count ?? -1, ordering: .relaxed)
                        fetched.signal()
                    }
                )
            }
            fetched.wait()
            expectEqual(count.load(ordering: .relaxed), 12)
        }
        #expect(isDone, "a reader waits for the transaction")
    }

    @Test func aBlockSeesOneMomentOfTheStoreAndTheNextBlockALaterOne() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        let reading = stack.otherContext()
        let coordinator = UnsafeTransfer(stack.coordinator)
        try reading.performAndWait { () throws in
            try expectEqual(reading.tasks().count, 2)
            let isSaved = ends {
                let writing = coordinator.value.makeContext()
                try writing.performAndWait { () throws in
                    for task in try writing.tasks() { task.text = "later" }
                    _ = writing.task("new")
                    try writing.save()
                }
            }
            #expect(isSaved, "a save waits for a reader")
            try expectEqual(reading.tasks().map(\.text), ["t0", "t0"])
            try expectEqual(reading.count(for: NSFetchRequest<TestTask>(entityName: "Task")), 2)
        }
        try reading.performAndWait { () throws in
            try expectEqual(reading.count(for: NSFetchRequest<TestTask>(entityName: "Task")), 3)
            reading.refreshAllObjects()
            try expectEqual(reading.tasks().map(\.text), ["later", "later", "new"])
        }
    }

    @Test func aBlockSeesItsOwnSavesAndThoseThatItWaitsFor() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 1)
        let other = stack.otherContext()
        let count = NSFetchRequest<TestTask>(entityName: "Task")
        try stack.context.performAndWait { () throws in
            try expectEqual(stack.context.count(for: count), 1)
            _ = stack.context.task("own")
            try stack.context.save()
            try expectEqual(stack.context.count(for: count), 2)
            try other.saveTask("other's")
            try expectEqual(stack.context.count(for: count), 3)
        }
    }

    @Test func aMergeInsideOfABlockReadsTheChangesThatItReports() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 1)
        let reading = stack.otherContext()
        let coordinator = UnsafeTransfer(stack.coordinator)
        let posted = Mutex<UnsafeTransfer<Notification>?>(nil)
        try reading.performAndWait { () throws in
            let task = try #require(try reading.tasks().first)
            expectEqual(task.text, "t0")
            #expect(
                ends {
                    let writing = coordinator.value.makeContext()
                    let token = NotificationCenter.default.addObserver(
                        forName: NSManagedObjectContext.didSaveObjectIDsNotification,
                        object: writing,
                        queue: nil
                    ) { note in
                        let note = UnsafeTransfer(note)
                        posted.withLock { $0 = note }
                    }
                    defer { NotificationCenter.default.removeObserver(token) }
                    try writing.performAndWait { () throws in
                        try writing.tasks().first?.text = "merged"
                        try writing.save()
                    }
                }
            )
            let note = try #require(posted.withLock { $0 }).value
            reading.mergeChanges(fromContextDidSave: note)
            expectEqual(task.text, "merged")
        }
    }

    @Test func concurrentContextsHaveAConnectionEachAndThePoolKeepsItsLimit() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 1)
        let store = try #require(try sqliteStore(stack).database)
        let pool = try #require(store.pool)
        #expect((2...8).contains(pool.limit))
        let leased = try (0..<10).map { _ in try store.leaseReader() }
        expectEqual(Set(leased.map { ObjectIdentifier($0) }).count, 10)
        for reader in leased { store.giveBack(reader) }
        expectEqual(leased.filter { !$0.connection.isClosed }.count, pool.limit)
    }

    @Test(arguments: [(1, 2), (3, 3), (50, 8)])
    func theOptionSaysHowManyConnectionsAreKept(_ maximum: Int, _ limit: Int) throws {
        let stack = try Stack()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
        let options = [NSPersistentStoreConnectionPoolMaxSizeKey: maximum]
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: stack.url,
            options: options
        )
        expectEqual(store.database?.pool?.limit, limit)
    }

    @Test(arguments: ["DELETE", "TRUNCATE", "MEMORY"])
    func aStoreWithoutALogHasOneConnectionAndWorks(_ mode: String) throws {
        let stack = try Stack()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
        let url = stack.folder.appending(path: "Other.sqlite")
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url,
            options: [NSSQLitePragmasOption: ["journal_mode": mode]]
        )
        expectNil(store.database?.pool)
        let first = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        for context in [first, other] { context.persistentStoreCoordinator = coordinator }
        try first.performAndWait { () throws in
            #expect(try first.tasks().isEmpty)
            _ = first.task("a")
            try first.save()
            try other.performAndWait { () throws in
                try other.tasks().first?.text = "b"
                try other.save()
            }
            first.refreshAllObjects()
            try expectEqual(first.tasks().map(\.text), ["b"])
        }
    }

    @Test("A store without a log is opened while another connection reads it")
    func openingWithoutALogBesideAReader() throws {
        let stack = try Stack()
        let url = stack.folder.appending(path: "Other.sqlite")
        let options: [AnyHashable: Any] = [
            NSSQLitePragmasOption: ["journal_mode": "DELETE"], NSPersistentStoreTimeoutOption: 0.2,
        ]
        func open() throws -> NSPersistentStoreCoordinator {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
            try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
            return coordinator
        }
        let first = try open()
        let reader = try Connection(path: url.path, mode: .readOnly)
        let statement = try reader.prepare("SELECT Z_ENT FROM Z_PRIMARYKEY")
        #expect(try statement.step())
        let second = try open()
        statement.reset()
        try expectEqual(reader.rows("PRAGMA journal_mode"), [[.text("delete")]])
        reader.close()
        for coordinator in [first, second] {
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }

    @Test(
        "A reader that has run many statements gets a large page cache, unless its size was set",
        arguments: [nil, 500]
    )
    func pageCache(size: Int?) throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.coordinator.managedObjectModel)
        let pragmas = size.map { ["cache_size": "\($0)"] } ?? [:]
        let options = [NSSQLitePragmasOption: pragmas]
        try coordinator.addPersistentStore(type: .sqlite, at: stack.url, options: options)
        let store = try #require(coordinator.persistentStores.first as? SQLiteStore)
        let context = coordinator.makeContext()
        func sizeAfterFetches(_ count: Int) throws -> [[SQLValue]] {
            for _ in 0..<count { try context.performAndWait { try expectEqual(context.tasks().count, 2) } }
            let engine = try #require(store.database)
            let reader = try engine.leaseReader()
            defer { engine.giveBack(reader) }
            return try reader.connection.rows("PRAGMA cache_size")
        }
        try expectEqual(sizeAfterFetches(1), [[.integer(Int64(size ?? -2_000))]])
        try expectEqual(sizeAfterFetches(70), [[.integer(Int64(size ?? -16_000))]])
    }

    @Test func aFileThatIsRemovedWhileItIsOpenIsReadOn() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        try FileManager.default.removeItem(at: stack.folder)
        let context = stack.otherContext()
        try context.performAndWait { () throws in try expectEqual(context.tasks().count, 2) }
    }

    @Test func inspectingTheFileKeepsTheLocksOfItsOpenConnections() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        _ = StoreFile.inspect(stack.url.path)
        _ = ContentState(path: stack.url.path)
        // Another process that closes the file last deletes the log.
        let output = try Process.output(of: [
            "python3", "-c",
            "import sqlite3,sys;c=sqlite3.connect(sys.argv[1]);c.execute('SELECT * FROM ZTASK');c.close()",
            stack.url.path,
        ])
        expectEqual(output.status, 0, "\(output.text)")
        #expect(FileManager.default.fileExists(atPath: stack.url.path + "-wal"))
        try stack.context.saveTask("after")
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK"), [[.integer(3)]])
    }

    @Test func aStoreThatIsRemovedUnderABlockThrows() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 2)
        let context = stack.otherContext()
        try context.performAndWait { () throws in
            try expectEqual(context.tasks().count, 2)
            try stack.coordinator.remove(try sqliteStore(stack))
            #expect(try context.tasks().isEmpty)
        }
    }
}

// Queues: the threads and order of blocks, and the queues that a block may enter.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

/// Records events from blocks on several threads.
private final class Log: Sendable {
    let lines = Mutex<[String]>([])
    let inside = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
}

/// An object that several queues hold and only one uses.
private struct UncheckedBox<T>: @unchecked Sendable {
    let value: T
    init(_ value: T) { self.value = value }
}

struct Queues {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack() }

    // "performAndWait … is re-entrant"
    @Test func performAndWaitIsReentrantAndReturnsAndRethrows() {
        struct Refusal: Error {}
        let sum = context.performAndWait { 1 + context.performAndWait { 2 + context.performAndWait { 3 } } }
        expectEqual(sum, 6)
        #expect(throws: Refusal.self) {
            try context.performAndWait { try context.performAndWait { throw Refusal() } }
        }
    }

    @Test func aChildEntersItsParentAndComesBack() {
        let child = context.makeChild()
        let path = child.performAndWait {
            context.performAndWait { child.performAndWait { context.performAndWait { "there and back" } } }
        }
        expectEqual(path, "there and back")
    }

    @Test func theInnermostBlockSaysWhichContextARequestIsExecutedIn() throws {
        let child = context.makeChild()
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        try child.performAndWait { () throws in
            _ = child.task("in the child")
            try context.performAndWait { () throws in
                #expect(try request.execute().isEmpty)
                try child.performAndWait { () throws in try expectEqual(request.execute().count, 1) }
                #expect(try request.execute().isEmpty)
            }
            try expectEqual(request.execute().count, 1)
        }
        #expect(throws: NSError.self) { try request.execute() }
    }

    @Test func aBlockForABusyQueueRunsOnTheThreadThatWaitsForIt() {
        let other = stack.otherContext()
        let entered = DispatchSemaphore(value: 0)
        context.perform {
            entered.signal()
            Thread.sleep(forTimeInterval: 0.05)
        }
        entered.wait()
        other.performAndWait {
            let caller = Thread.current
            context.performAndWait { #expect(Thread.current === caller) }
        }
    }

    @Test func aChildOfTheMainContextEntersItFromAnyThreadAndComesBack() async {
        let main = NSManagedObjectContext(.mainQueue)
        main.persistentStoreCoordinator = stack.coordinator
        let child = main.makeChild()
        let path = await Task.detached {
            child.performAndWait { main.performAndWait { child.performAndWait { "there and back" } } }
        }.value
        expectEqual(path, "there and back")
    }

    @Test func aBlockOfTheMainQueueReachesMainContextsThroughPrivateOnes() async {
        let main = NSManagedObjectContext(.mainQueue)
        main.persistentStoreCoordinator = stack.coordinator
        let other = NSManagedObjectContext(.mainQueue)
        other.persistentStoreCoordinator = stack.coordinator
        // Here, threads other than the first one serve the main queue, and Dispatch does not recognize it in a private
        // queue.
        let path = await MainActor.run { [context] in
            context.performAndWait {
                main.performAndWait { context.performAndWait { other.performAndWait { "here" } } }
            }
        }
        expectEqual(path, "here")
    }

    @Test(arguments: [NSManagedObjectContextConcurrencyType.mainQueueConcurrencyType, .privateQueueConcurrencyType])
    func aParentsBlockMayWaitForAChildThatMergesItsSave(type: NSManagedObjectContextConcurrencyType) async throws {
        let parent = NSManagedObjectContext(concurrencyType: type)
        parent.persistentStoreCoordinator = stack.coordinator
        let child = parent.makeChild()
        child.automaticallyMergesChangesFromParent = true
        let task = try await parent.perform { () throws in
            let task = parent.task("0")
            try parent.save()
            return UncheckedBox(task)
        }
        let own = try await child.perform { () throws in
            let own = try #require(try child.tasks().first)
            expectEqual(own.text, "0")
            return UncheckedBox(own)
        }
        for round in 1...200 {
            try await parent.perform { () throws in
                task.value.text = "\(round)"
                // The child merges on its own queue, from which it enters the parent's.
                try parent.save()
                if round % 3 == 0 { Thread.sleep(forTimeInterval: 0.001) }
                child.performAndWait {
                    expectEqual(own.value.text, "\(round)")
                    #expect(NSManagedObjectContext.isInside(child) && NSManagedObjectContext.isInside(parent))
                }
            }
        }
    }

    @Test(arguments: [NSManagedObjectContextConcurrencyType.mainQueueConcurrencyType, .privateQueueConcurrencyType])
    func aParentsBlockMayWaitForAChildThatFetchesAndSaves(type: NSManagedObjectContextConcurrencyType) async throws {
        let parent = NSManagedObjectContext(concurrencyType: type)
        parent.persistentStoreCoordinator = stack.coordinator
        let log = Log()
        for round in 1...100 {
            let child = parent.makeChild()
            func enqueue(_ block: @escaping () -> Void) { child.perform(block) }
            await parent.perform {
                enqueue {
                    _ = child.task("\(round)")
                    do {
                        try child.save()
                        let count = try child.count(for: NSFetchRequest<TestTask>(entityName: "Task"))
                        if count != round { log.lines.withLock { $0.append("\(round): \(count)") } }
                    } catch {
                        log.lines.withLock { $0.append("\(error)") }
                    }
                }
                if round % 3 == 0 { Thread.sleep(forTimeInterval: 0.001) }
                child.performAndWait { if child.hasChanges { log.lines.withLock { $0.append("\(round) unsaved") } } }
            }
        }
        expectEqual(log.lines.withLock { $0 }, [])
        let count = await parent.perform { parent.insertedObjects.count }
        expectEqual(count, 100)
    }

    // An immediate block runs without waiting if the caller is on the context's queue.
    @MainActor @Test func anImmediateBlockOvertakesWaitingBlocksAndAnEnqueuedOneDoesNot() async {
        let main = NSManagedObjectContext(.mainQueue)
        main.persistentStoreCoordinator = stack.coordinator
        let log = Log()
        func enqueue(_ block: @escaping () -> Void) { main.perform(block) }
        enqueue { log.lines.withLock { $0.append("waited") } }
        await main.perform { log.lines.withLock { $0.append("immediate") } }
        await main.perform(schedule: .enqueued) { log.lines.withLock { $0.append("enqueued") } }
        expectEqual(log.lines.withLock { $0 }, ["immediate", "waited", "enqueued"])
    }

    // "perform wraps the block with a call to processPendingChanges; performAndWait does not"
    @Test func performProcessesChangesAndPerformAndWaitDoesNot() async {
        let recorder = Recorder(context)
        context.performAndWait {
            context.performAndWait { _ = context.task("a") }
            #expect(recorder.events.isEmpty)
        }
        await context.perform(schedule: .enqueued) {}
        expectEqual(recorder.events.count, 1)
        await context.perform { [context] in _ = context.task("b") }
        expectEqual(recorder.events.count, 2)
    }

    /// The non-waiting form of `perform`.
    private func enqueue(_ block: @escaping () -> Void) { context.perform(block) }

    @Test func anEnqueuedBlockRunsAfterWaitingBlocks() async {
        let log = Log()
        enqueue { log.lines.withLock { $0.append("first") } }
        await context.perform(schedule: .enqueued) { log.lines.withLock { $0.append("second") } }
        expectEqual(log.lines.withLock { $0 }, ["first", "second"])
    }

    @Test func anObjectThatOnlyABlockRetainsMayWaitForTheQueueWhenItIsReleased() async {
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            enqueue { gate.wait() }
            let waiting = WaitingObject(context) { continuation.resume() }
            enqueue { _ = waiting }
            gate.signal()
        }
    }

    @Test func anObjectOfABlockIsGoneWhenTheCallerContinues() async {
        weak var last: WaitingObject?
        for _ in 0..<200 {
            let waiting = WaitingObject(context) {}
            last = waiting
            await context.perform(schedule: .enqueued) { _ = waiting }
        }
        expectNil(last)
        for _ in 0..<200 {
            let waiting = WaitingObject(context) {}
            last = waiting
            await stack.coordinator.perform { _ = waiting }
        }
        expectNil(last)
    }

    @Test func blocksOfOneContextNeverOverlap() async {
        let log = Log()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [context] in
                    for _ in 0..<50 {
                        await context.perform {
                            if log.inside.add(1, ordering: .relaxed).newValue != 1 {
                                log.overlaps.add(1, ordering: .relaxed)
                            }
                            log.inside.subtract(1, ordering: .relaxed)
                        }
                    }
                }
            }
        }
        expectEqual(log.overlaps.load(ordering: .relaxed), 0)
    }

    @Test func mainQueueContextsWorkIfThreadsOtherThanTheFirstServeTheMainQueue() async throws {
        let main = NSManagedObjectContext(.mainQueue)
        main.persistentStoreCoordinator = stack.coordinator
        // With an asynchronous main, any thread may serve the main queue.
        let count = try await main.perform { [main] in
            _ = main.task("a")
            // Deadlocks if the queue is not recognized.
            return try main.performAndWait { () throws in
                try main.save()
                return try main.count(for: NSFetchRequest<TestTask>(entityName: "Task"))
            }
        }
        expectEqual(count, 1)
        try await MainActor.run { () throws in
            let tasks = try main.performAndWait { () throws in try main.tasks() }
            expectEqual(tasks.count, 1)
        }
    }

    @Test func aCoordinatorsBlocksReturnAndRethrowAndAreAloneWithTheStores() async throws {
        struct Refusal: Error {}
        let coordinator = stack.coordinator
        let number = coordinator.performAndWait {
            1 + coordinator.performAndWait { coordinator.persistentStores.count }
        }
        expectEqual(number, 2)
        #expect(throws: Refusal.self) { try coordinator.performAndWait { throw Refusal() } }
        #expect(await coordinator.perform { coordinator.persistentStores.count } == 1)
        await #expect(throws: Refusal.self) { try await coordinator.perform { throw Refusal() } }
    }

    @Test func aBackgroundTaskRethrows() async {
        struct Refusal: Error {}
        let container = NSPersistentContainer(name: "Tasks", managedObjectModel: TasksModel.make())
        await #expect(throws: Refusal.self) {
            try await container.performBackgroundTask { (_) throws(Refusal) in throw Refusal() }
        }
    }

    @Test func concurrencyTypesHaveApplesNumbers() {
        expectEqual(NSManagedObjectContext.ConcurrencyType(rawValue: 1), .privateQueue)
        expectEqual(NSManagedObjectContext.ConcurrencyType.mainQueue.rawValue, 2)
        expectEqual(NSManagedObjectContext(.mainQueue).concurrencyType, .mainQueueConcurrencyType)
        expectNil(NSManagedObjectContextConcurrencyType(rawValue: 0))
    }

    @Test func aContainersBackgroundTasksHaveContextsOfTheirOwn() async throws {
        let container = NSPersistentContainer(name: "Tasks", managedObjectModel: TasksModel.make())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(filePath: "/dev/null"))]
        container.loadPersistentStores { _, error in expectNil(error) }
        let number = try await container.performBackgroundTask { context in
            #expect(context !== container.viewContext)
            expectEqual(context.concurrencyType, .privateQueueConcurrencyType)
            _ = context.task("a")
            try context.save()
            return try context.tasks().count
        }
        expectEqual(number, 1)
        await withCheckedContinuation { continuation in
            container.performBackgroundTask { context in
                expectEqual((try? context.tasks().count), 1)
                continuation.resume()
            }
        }
        // Apple documents another default; programs that rely on merges set it themselves.
        #expect(!container.newBackgroundContext().automaticallyMergesChangesFromParent)
    }
}

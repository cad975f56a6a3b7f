import ExpectationSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ManagedGraph

@Suite("Differences as a sequence", .timeLimit(.minutes(5)))
struct DifferenceSequenceTests {
    /// The controller's results by ID; call it on its context's queue.
    static func content(_ controller: NSFetchedResultsController<ResultTask>) -> FetchedResultsContent {
        var content = FetchedResultsContent()
        content.sections = (controller.sections ?? []).map { section in
            let objects = (section.objects ?? []).compactMap { $0 as? NSManagedObject }
            return FetchedResultsContent.Section(name: section.name, objectIDs: objects.map(\.objectID))
        }
        return content
    }

    /// Passes a controller into the block of its context.
    struct Handle: @unchecked Sendable {
        let stack: ResultsStack
        let controller: NSFetchedResultsController<ResultTask>

        var content: FetchedResultsContent {
            stack.context.performAndWait { DifferenceSequenceTests.content(controller) }
        }
    }

    private final class Counter: Sendable {
        let value = Mutex(0)
    }

    private func make() throws -> Handle {
        let stack = try ResultsStack()
        return try stack.context.performAndWait {
            for (text, priority) in [("a", 1), ("c", 1), ("e", 2)] { stack.task(text, priority: priority) }
            try stack.context.save()
            let controller = stack.controller(sort: ["priority", "text"], sections: "priority")
            try controller.performFetch()
            return Handle(stack: stack, controller: controller)
        }
    }

    @Test("The first difference contains the results, the next ones follow the context, without any delegate")
    func following() async throws {
        let handle = try make()
        var iterator = handle.controller.differences.makeAsyncIterator()
        var content = FetchedResultsContent()
        content.apply(try #require(await iterator.next(isolation: nil)))
        expectEqual(content, handle.content)
        expectEqual(content.objectIDs.count, 3)
        handle.stack.context.performAndWait {
            handle.controller.object(at: IndexPath(row: 0, section: 1)).setValue(0, forKey: "priority")
            handle.controller.object(at: IndexPath(row: 0, section: 0)).setValue("new", forKey: "note")
            handle.stack.context.delete(handle.controller.object(at: IndexPath(row: 1, section: 0)))
            handle.stack.context.processPendingChanges()
        }
        let second = try #require(await iterator.next(isolation: nil))
        expectEqual(second.deletedSections.map(\.name), ["2"])
        expectEqual(second.insertedSections.map(\.index), [0])
        expectEqual(second.moves.count, 1)
        expectEqual(second.updates.count, 1)
        expectEqual(second.deletions.count, 1)
        content.apply(second)
        expectEqual(content, handle.content)
    }

    @Test("New objects have temporary IDs, which the save's difference replaces")
    func identifiers() async throws {
        let handle = try make()
        var iterator = handle.controller.differences.makeAsyncIterator()
        var content = FetchedResultsContent()
        content.apply(try #require(await iterator.next(isolation: nil)))
        handle.stack.context.performAndWait {
            handle.stack.task("b", priority: 1)
            handle.stack.context.processPendingChanges()
        }
        content.apply(try #require(await iterator.next(isolation: nil)))
        expectEqual(content.objectIDs.filter(\.isTemporaryID).count, 1)
        try handle.stack.context.performAndWait { () throws in try handle.stack.context.save() }
        let renaming = try #require(await iterator.next(isolation: nil))
        expectEqual(renaming.deletions.map(\.indexPath), [[0, 1]])
        expectEqual(renaming.insertions.map(\.indexPath), [[0, 1]])
        content.apply(renaming)
        expectEqual(content, handle.content)
        #expect(content.objectIDs.filter(\.isTemporaryID).isEmpty)
    }

    @Test("Fetching again produces a difference, even after a reset")
    func fetchingAgain() async throws {
        let handle = try make()
        var iterator = handle.controller.differences.makeAsyncIterator()
        var content = FetchedResultsContent()
        content.apply(try #require(await iterator.next(isolation: nil)))
        try handle.stack.context.performAndWait {
            handle.controller.fetchRequest.predicate = NSPredicate(format: "text != 'a'")
            handle.stack.context.reset()
            handle.stack.task("x")
            handle.stack.context.processPendingChanges()
            try handle.controller.performFetch()
        }
        let difference = try #require(await iterator.next(isolation: nil))
        expectEqual(difference.deletions.count, 1)
        expectEqual(difference.insertions.count, 1)
        content.apply(difference)
        expectEqual(content, handle.content)
    }

    @Test("A consumer may start before the first fetch")
    func early() async throws {
        let stack = try ResultsStack()
        let controller = stack.context.performAndWait {
            stack.task("a")
            return stack.controller()
        }
        let handle = Handle(stack: stack, controller: controller)
        let sequence = controller.differences
        let task = Task { await sequence.first { _ in true } }
        while stack.context.performAndWait({ !handle.controller.tracker.hasConsumers }) { await Task.yield() }
        try stack.context.performAndWait { () throws in try handle.controller.performFetch() }
        let first = try #require(await task.value)
        expectEqual(first.insertedSections.map(\.name), [""])
        expectEqual(first.insertions.count, 1)
    }

    @Test("Each of several consumers receives everything, on its own task")
    func severalConsumers() async throws {
        let handle = try make()
        let sequence = handle.controller.differences
        let listening = Counter()
        await withTaskGroup(of: FetchedResultsContent.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var content = FetchedResultsContent()
                    for await difference in sequence {
                        if content.sections.isEmpty { listening.value.withLock { $0 += 1 } }
                        content.apply(difference)
                        if content.objectIDs.count == 53 { break }
                    }
                    return content
                }
            }
            while listening.value.withLock({ $0 }) < 4 { await Task.yield() }
            for number in 0..<50 {
                handle.stack.context.performAndWait {
                    handle.stack.task("n\(number)", priority: number % 5)
                    handle.stack.context.processPendingChanges()
                }
            }
            let expected = handle.content
            for await content in group { expectEqual(content, expected) }
        }
    }

    @Test("Differences for a slow consumer are merged into few equivalent ones")
    func backPressure() async throws {
        let handle = try make()
        let mailbox = DifferenceMailbox()
        let broadcast = handle.stack.context.performAndWait { handle.controller.tracker.broadcast }
        await broadcast.attach(mailbox)
        var random = SeededNumbers(seed: 7)
        for number in 0..<500 {
            try handle.stack.context.performAndWait {
                let objects = handle.controller.fetchedObjects ?? []
                switch number % 3 {
                case 0: handle.stack.task("n\(number)", priority: number % 5)
                case 1: objects.randomElement(using: &random)?.setValue(number % 7, forKey: "priority")
                default:
                    if objects.count > 20 { objects.randomElement(using: &random).map(handle.stack.context.delete) }
                }
                if number % 11 == 0 { try handle.stack.context.save() }
                handle.stack.context.processPendingChanges()
            }
        }
        #expect(mailbox.count <= DifferenceMailbox.capacity)
        var content = FetchedResultsContent()
        var taken = 0
        while mailbox.count > 0 {
            content.apply(try #require(await mailbox.receive()))
            taken += 1
        }
        #expect(taken > 1 && taken <= DifferenceMailbox.capacity)
        expectEqual(content, handle.content)
    }

    @Test("The sequence does not retain its controller, and ends with it")
    func ending() async throws {
        let stack = try ResultsStack()
        var controller: NSFetchedResultsController<ResultTask>? = stack.context.performAndWait { stack.controller() }
        try stack.context.performAndWait { () throws in try controller?.performFetch() }
        let sequence = try #require(controller?.differences)
        var iterator = sequence.makeAsyncIterator()
        #expect(await iterator.next(isolation: nil) != nil)
        weak let watched = controller
        controller = nil
        expectNil(watched)
        #expect(await iterator.next(isolation: nil) == nil)
        var late = sequence.makeAsyncIterator()
        #expect(await late.next(isolation: nil) == nil)
    }

    @Test("A cancelled task stops waiting")
    func cancellation() async throws {
        let handle = try make()
        let sequence = handle.controller.differences
        let task = Task {
            var count = 0
            for await _ in sequence { count += 1 }
            return count
        }
        while handle.stack.context.performAndWait({ !handle.controller.tracker.hasConsumers }) { await Task.yield() }
        task.cancel()
        #expect(await task.value <= 1)
    }

    @Test("When the last consumer has left, the results no longer change")
    func leaving() async throws {
        let handle = try make()
        do {
            var iterator = handle.controller.differences.makeAsyncIterator()
            #expect(await iterator.next(isolation: nil) != nil)
        }
        handle.stack.context.performAndWait {
            handle.stack.task("b", priority: 1)
            handle.stack.context.processPendingChanges()
            expectEqual(handle.controller.fetchedObjects?.count, 3)
        }
    }
}

// The counters that cost tests read.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct Statistics {
    let stack: Stack

    init() throws { stack = try Stack() }

    private func save(_ count: Int) throws {
        try stack.context.saveTasks(count)
    }

    @Test func aSaveIsOneTransactionAndCountsItsRows() throws {
        let before = stack.coordinator.statistics
        try save(10)
        let done = stack.coordinator.statistics - before
        expectEqual(done.transactions, 1)
        expectEqual(done.rowsWritten, 10)
        #expect(done.statements >= 12)
    }

    @Test func aSaveOfOneChangedObjectAmongManyWritesOneRow() throws {
        try save(200)
        try stack.context.performAndWait { () throws in
            let tasks = try stack.context.tasks()
            tasks[17].text = "changed"
            let before = stack.coordinator.statistics
            try stack.context.save()
            let done = stack.coordinator.statistics - before
            expectEqual(done.rowsWritten, 1)
            expectEqual(done.rowsRead, 0)
            expectEqual(done.transactions, 1)
            stack.context.delete(tasks[3])
            try stack.context.save()
            expectEqual((stack.coordinator.statistics - before).rowsWritten, 2)
        }
    }

    @Test func aConflictedSaveWritesNothing() throws {
        try save(1)
        let other = stack.otherContext()
        let task = try stack.context.performAndWait { () throws in
            let task = try stack.context.tasks()[0]
            expectEqual(task.text, "0")
            return task
        }
        try other.performAndWait { () throws in
            try other.tasks()[0].text = "first"
            try other.save()
        }
        let before = stack.coordinator.statistics
        #expect(throws: NSError.self) {
            try stack.context.performAndWait { () throws in
                task.text = "second"
                try stack.context.save()
            }
        }
        let done = stack.coordinator.statistics - before
        expectEqual(done.rowsWritten, 0)
        expectEqual(done.transactions, 0)
    }

    private func numbers(_ counts: NSManagedObjectContext.Statistics) -> [Int] {
        [counts.fetches, counts.rowsRead, counts.faultsFired, counts.faultBatches]
    }

    @Test func aContextCountsFetchesRowsAndFaults() throws {
        try save(10)
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            let tasks = try other.tasks()
            let fetched = other.statistics
            expectEqual(numbers(fetched), [1, 10, 0, 0])
            for task in tasks { #expect(task.text != nil) }
            let fired = other.statistics - fetched
            expectEqual(numbers(fired), [0, 0, 10, 0])
        }
    }

    @Test func faultsOfABatchedFetchAreFilledAPageAtATime() throws {
        try save(100)
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.fetchBatchSize = 25
            for task in try other.fetch(request) { #expect(task.text != nil) }
            expectEqual(other.statistics.faultBatches, 4)
            expectEqual(other.statistics.rowsRead, 100)
            expectEqual(other.statistics.fetches, 5)
        }
    }

    // Also for the thread sanitizer: other threads read while the context works.
    @Test func countsAreReadFromAnyThread() async throws {
        try save(100)
        let other = stack.otherContext()
        let (coordinator, before) = (stack.coordinator, stack.coordinator.statistics)
        async let readTask: Void = other.perform { () throws in
            for _ in 0..<50 {
                other.reset()
                for task in try other.tasks() { _ = task.text }
            }
        }
        var last = other.statistics
        while last.rowsRead < 5000 {
            let next = other.statistics
            #expect(next.rowsRead >= last.rowsRead && next.faultsFired >= last.faultsFired)
            last = next
            _ = coordinator.statistics
            await Task.yield()
        }
        try await readTask
        expectEqual(other.statistics.faultsFired, 5000)
        expectEqual((coordinator.statistics - before).rowsRead, 5000)
    }
}

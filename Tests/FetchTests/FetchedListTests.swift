// Fetches as collections that make objects when they are accessed.
import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Fetched lists") struct FetchedListTests {
    private let stack: Stack

    init() throws {
        stack = try Stack()
        let context = stack.otherContext()
        try context.run { () throws in
            for number in 0..<3000 {
                let task = context.task(Self.text(number), priority: 1)
                if number.isMultiple(of: 100) {
                    let place = TestLocation(context: context)
                    place.name = "place \(number)"
                    task.location = place
                }
            }
            try context.save()
        }
    }

    private static func text(_ number: Int) -> String { String(format: "t%05d", number) }

    private func request(batchSize: Int = 20) -> NSFetchRequest<TestTask> {
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
        request.fetchBatchSize = batchSize
        return request
    }

    /// Runs `body` with a new context, on its queue.
    private func withContext<R>(_ body: (NSManagedObjectContext) throws -> R) throws -> R {
        let context = stack.otherContext()
        return try context.run { () throws in try body(context) }
    }

    @Test("A list has the objects of the fetch, in its order", arguments: [0, 1, 7, 20, 500, 4000])
    func order(batchSize: Int) throws {
        try withContext { context in
            let list = try context.fetchLazily(request(batchSize: batchSize))
            expectEqual(list.map(\.text), (0..<3000).map(Self.text))
            expectEqual(list.count, 3000)
            expectEqual(list.last?.text, Self.text(2999))
            expectEqual(list[1234].text, Self.text(1234))
            expectEqual(list[2990...].map(\.text), (2990..<3000).map(Self.text))
            expectEqual(list.reversed().prefix(3).map(\.text), [2999, 2998, 2997].map(Self.text))
        }
    }

    @Test("The first page reads a portion of the keys and its own rows")
    func firstPage() throws {
        try withContext { context in
            let list = try context.fetchLazily(request())
            expectEqual(context.statistics.rowsRead, 0)
            expectEqual(list[0..<20].map(\.text), (0..<20).map(Self.text))
            expectEqual(context.statistics.rowsRead, 256 + 20)
            expectEqual(list.prefix(5).count, 5)
            #expect(!list.isEmpty)
            expectEqual(list.first?.text, Self.text(0))
            expectEqual(context.statistics.rowsRead, 256 + 20)
            expectEqual(context.registeredObjectCount, 20)
            expectEqual(list.count, 3000)
            expectEqual(context.statistics.rowsRead, 3000 + 20)
        }
    }

    @Test("An iteration keeps the objects of three pages, and reads each row once")
    func iteration() throws {
        try withContext { context in
            let list = try context.fetchLazily(request())
            var most = 0
            for task in list {
                _ = task.text
                most = max(most, context.registeredObjectCount)
            }
            expectEqual(most, 60)
            expectEqual(context.statistics.rowsRead, 6000)
        }
    }

    @Test("An object is the same at each access, and the one of a fetch")
    func identity() throws {
        try withContext { context in
            let list = try context.fetchLazily(request())
            let task = list[41]
            #expect(list[41] === task)
            for position in stride(from: 0, to: 3000, by: 100) { _ = list[position] }
            #expect(list[41] === task)
            #expect(try context.fetch(request())[41] === task)
            task.text = "changed"
            expectEqual(list[41].text, "changed")
        }
    }

    @Test("Saves of others do not change a list, and a list does not keep them from saving")
    func snapshot() throws {
        try withContext { context in
            let list = try context.fetchLazily(request())
            _ = list[0].text
            let other = stack.otherContext()
            try other.run { () throws in
                let tasks = try other.fetch(request())
                other.delete(tasks[2999])
                _ = other.task("a", priority: 1)
                try other.save()
            }
            expectEqual(list.count, 3000)
            expectEqual(list[0].text, Self.text(0))
            context.shouldDeleteInaccessibleFaults = true
            expectNil(list[2999].text)
            try expectEqual(context.fetchLazily(request()).first?.text, "a")
        }
    }

    @Test("Unsaved changes, parents and limits are those of a fetch")
    func changes() throws {
        try withContext { context in
            let list = try context.fetch(request())
            list[0].text = "z"
            context.delete(list[1])
            let limited = request()
            limited.fetchLimit = 10
            limited.fetchOffset = 5
            try expectEqual(context.fetchLazily(request()).map(\.text), context.fetch(request()).map(\.text))
            try expectEqual(context.fetchLazily(limited).map(\.text), context.fetch(limited).map(\.text))
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait { () throws in
                try expectEqual(child.fetchLazily(limited).map(\.text), child.fetch(limited).map(\.text))
            }
            context.rollback()
            try expectEqual(context.fetchLazily(limited).map(\.text), (5..<15).map(Self.text))
        }
    }

    @Test("Conditions that tables cannot evaluate, and a changed request")
    func memory() throws {
        try withContext { context in
            let blocks = request()
            blocks.predicate = NSPredicate { object, _ in (object as? TestTask)?.text?.hasSuffix("7") == true }
            let list = try context.fetchLazily(blocks)
            blocks.predicate = nil
            expectEqual(list.count, 300)
            expectEqual(list[1].text, Self.text(17))
        }
    }

    @Test("Relationships are prefetched page by page")
    func prefetching() throws {
        try withContext { context in
            let request = request(batchSize: 500)
            request.relationshipKeyPathsForPrefetching = ["location"]
            let list = try context.fetchLazily(request)
            expectEqual(list[100].location?.name, "place 100")
            expectEqual(context.statistics.rowsRead, 512 + 500 + 5)
        }
    }

    @Test("Entities that share a table, and a store in memory", arguments: [true, false])
    func tree(isInMemory: Bool) throws {
        let stack = try Stack(model: PlansModel.make(), type: isInMemory ? .inMemory : .sqlite)
        try stack.context.run { () throws in
            for number in 0..<300 {
                let plan = number.isMultiple(of: 3) ? LongPlan(context: stack.context) : Plan(context: stack.context)
                plan.title = Self.text(number)
            }
            try stack.context.save()
        }
        let context = stack.otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<Plan>(entityName: "Plan")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let list = try context.fetchLazily(request)
            expectEqual(list.map(\.title), (0..<300).map(Self.text))
            expectEqual(list.map { $0 is LongPlan }, (0..<300).map { $0.isMultiple(of: 3) })
        }
    }

    @Test("A key that no row can have is an error, in lists and in sequences")
    func impossibleKey() async throws {
        try stack.execute("UPDATE ZTASK SET Z_PK = -7 WHERE ZTEXT = '\(Self.text(40))'")
        let context = stack.otherContext()
        try await context.perform {
            let list = try context.fetchLazily(request())
            #expect(throws: NSError.self) { try context.throwingFailedReads { list.count } }
        }
        await #expect(throws: NSError.self) {
            for try await _ in context.results(of: request(), { $0.text }) {}
        }
    }

    @Test("A wrong request is an error")
    func errors() throws {
        try withContext { context in
            let request = request()
            request.predicate = NSPredicate(format: "colour == 1")
            let error = #expect(throws: NSError.self) { try context.fetchLazily(request) }
            expectEqual(error?.code, NSCoreDataError)
        }
    }
}

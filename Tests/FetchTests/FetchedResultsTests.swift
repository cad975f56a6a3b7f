// Fetches as asynchronous sequences.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct FetchedResultsSequences {
    private let stack: Stack

    init() throws {
        stack = try Stack()
        try fill(0..<5000)
    }

    private func fill(_ numbers: Range<Int>) throws {
        let context = stack.otherContext()
        try context.run { () throws in
            for number in numbers { _ = context.task(String(format: "t%05d", number), priority: Int16(number % 7)) }
            try context.save()
        }
    }

    private func request(sorted: Bool = true) -> NSFetchRequest<TestTask> {
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        if sorted { request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)] }
        return request
    }

    private func texts(_ request: NSFetchRequest<TestTask>, _ context: NSManagedObjectContext) async throws -> [String]
    {
        var result: [String] = []
        for try await text in context.results(of: request, batchSize: 64, { $0.text ?? "" }) { result.append(text) }
        return result
    }

    private func all(_ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait { () throws in try context.fetch(request()).map { $0.text ?? "" } }
    }

    @Test func objectsOfOnePortionAreInMemoryAtATime() async throws {
        let context = stack.otherContext()
        let counts = context.results(of: request(), batchSize: 100) { [unowned context] _ in
            context.registeredObjects.count
        }
        var largest = 0
        var count = 0
        for try await registered in counts {
            largest = max(largest, registered)
            count += 1
        }
        expectEqual(count, 5000)
        #expect(largest <= 200)
        expectEqual(context.statistics.rowsRead, 5000)
    }

    @Test func oneMomentIsSeenWhileOthersSave() async throws {
        let context = stack.otherContext()
        var iterator = context.results(of: request(), batchSize: 10, { $0.text ?? "" }).makeAsyncIterator()
        #expect(try await iterator.next() == "t00000")
        try fill(5000..<5010)
        var count = 1
        while try await iterator.next() != nil { count += 1 }
        expectEqual(count, 5000)
        // Each iteration starts over.
        #expect(try await texts(request(), context).count == 5010)
    }

    @Test func unsavedChangesStandInTheirPlaces() async throws {
        let context = stack.otherContext()
        try await context.perform { () throws in
            let tasks = try context.tasks("text < 't00004'")
            context.delete(tasks[1])
            tasks[2].text = "t04999z"
            _ = context.task("t00000a")
            _ = context.task("z")
        }
        let results = try await texts(request(), context)
        expectEqual(results.count, 5001)
        expectEqual(results.prefix(4), ["t00000", "t00000a", "t00003", "t00004"])
        expectEqual(results.suffix(3), ["t04999", "t04999z", "z"])
        let cut = request()
        cut.fetchOffset = 1
        cut.fetchLimit = 2
        #expect(try await texts(cut, context) == ["t00000a", "t00003"])
        let whole = try all(context)
        expectEqual(results, whole)
        let unsorted = try await texts(request(sorted: false), context)
        expectEqual(unsorted.sorted(), whole)
    }

    @Test func changesThatAreSavedDuringTheIterationAreSeenOnce() async throws {
        let context = stack.otherContext()
        try await context.perform { () throws in
            for task in try context.tasks("text >= 't04900'") { context.delete(task) }
            for task in try context.tasks("text >= 't04800' AND text < 't04900'") {
                task.text = "a" + (task.text ?? "")
            }
        }
        var iterator = context.results(of: request(), batchSize: 100, { $0.text ?? "" }).makeAsyncIterator()
        var results: [String] = []
        while results.count < 250, let text = try await iterator.next() { results.append(text) }
        // The context retains none of the changed objects after the save.
        try await context.perform { () throws in try context.save() }
        while let text = try await iterator.next() { results.append(text) }
        let whole = try all(context)
        expectEqual(whole.count, 4900)
        expectEqual(results, whole)
    }

    @Test func predicatesThatSQLCannotEvaluateAreEvaluatedDuringTheIteration() async throws {
        let context = stack.otherContext()
        let mixed = request()
        mixed.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "priority == 3"),
            NSPredicate { object, _ in (object as? TestTask)?.text?.hasSuffix("0") ?? false },
        ])
        mixed.fetchOffset = 1
        mixed.fetchLimit = 2
        #expect(try await texts(mixed, context) == ["t00080", "t00150"])
        #expect(context.statistics.rowsRead < 200)
    }

    @Test func identifiersAndChildrensObjectsComeToo() async throws {
        let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Task")
        identifiers.resultType = .managedObjectIDResultType
        identifiers.fetchLimit = 130
        var results: Set<NSManagedObjectID> = []
        for try await identifier in stack.context.results(of: identifiers, batchSize: 50) { results.insert(identifier) }
        expectEqual(results.count, 130)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let parent = stack.context
        child.parent = parent
        await parent.perform { _ = parent.task("unsaved") }
        #expect(try await texts(request(), child).last == "unsaved")
    }

    @Test func errorsAndCancellationEndTheIteration() async throws {
        let context = stack.otherContext()
        let broken = NSFetchRequest<TestTask>(entityName: "Tusk")
        let error = await #expect(throws: NSError.self) { try await texts(broken, context) }
        expectEqual(error?.localizedDescription.contains("Did you mean Task?"), true)
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            for try await _ in context.results(of: request(), { _ -> Int in throw Stop() }) {}
        }
        let results = context.results(of: request(), batchSize: 1) { $0.text }
        let reading = Task {
            for try await _ in results { await Task.yield() }
        }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }
}

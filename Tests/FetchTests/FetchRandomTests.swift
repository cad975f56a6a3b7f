// Random fetches with random unsaved changes, compared with sorting and filtering all objects.
// FETCH_SEED repeats a run, FETCH_CASES sets its length.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import TestSupport
import Testing

@testable import StackSupport

struct RandomFetches {
    private static let formats = [
        "TRUEPREDICATE", "priority > 1", "text BEGINSWITH 'a'", "text ==[cd] 'Á'", "weight BETWEEN {1, 3}",
        "location.name == 'x'", "location == nil", "priority IN {0, 2}", "NOT (text CONTAINS 'b')",
        "text MATCHES '.*c'", "priority == 1 OR weight > 2", "text == nil",
        "priority == 1", "text == 'Á'", "2 == priority AND weight > 1", "text == 'a' AND priority == 0",
    ]
    private static let keys = ["text", "priority", "weight", "location.name"]
    private static let texts: [String?] = ["a", "Á", "ab", "b", "bc", "c", "B", nil]

    @Test func resultsAreThoseOfFilteringAndSortingAllObjects() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["FETCH_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
        let count = environment["FETCH_CASES"].flatMap { Int($0) } ?? 400
        print("FETCH_SEED=\(seed) FETCH_CASES=\(count)")
        var random = SeededNumbers(seed: seed)
        for round in 0..<max(1, count / 100) {
            let stack = try Stack()
            try fill(stack, &random)
            let child = stack.context.makeChild()
            // With and without the index of unsaved values.
            for context in [stack.context, child] where round % 2 == 0 { context.judgedOneByOne = 0 }
            for number in 0..<100 {
                let context = number % 4 == 3 ? child : stack.context
                if context === child {
                    // Drop the child's stale objects: the parent evaluates predicates with its current values.
                    child.performAndWait { child.reset() }
                    for _ in 0..<3 { try change(child, &random) }
                }
                try change(context, &random)
                let request = Self.request(&random)
                let expected = try answer(request, context)
                let (found, total, ids) = try ask(request, context)
                // The count and the identifiers match the fetch.
                expectEqual(total, found.count, "FETCH_SEED=\(seed) \(request)")
                expectEqual(ids, found, "FETCH_SEED=\(seed) \(request)")
                var streamed: [NSManagedObjectID] = []
                for try await identifier in context.results(of: request, batchSize: 7, { $0.objectID }) {
                    streamed.append(identifier)
                }
                // The order of a child's new objects is the order in which it created them.
                guard found == expected, Set(streamed) == Set(found), streamed.count == found.count else {
                    Issue.record("FETCH_SEED=\(seed) \(request): \(found) \(streamed) instead of \(expected)")
                    return
                }
            }
        }
    }

    private func fill(_ stack: Stack, _ random: inout SeededNumbers) throws {
        try stack.context.run { () throws in
            for name in ["x", "y"] {
                let location = TestLocation(context: stack.context)
                location.name = name
            }
            for _ in 0..<25 { set(TestTask(context: stack.context), &random) }
            try stack.context.save()
        }
    }

    private func set(_ task: TestTask, _ random: inout SeededNumbers) {
        task.text = Self.texts.randomElement(using: &random) ?? nil
        task.priority = Int16.random(in: 0...3, using: &random)
        task.weight = Double(Int.random(in: 0...8, using: &random)) / 2
    }

    /// Makes a few changes, a save or a rollback.
    private func change(_ context: NSManagedObjectContext, _ random: inout SeededNumbers) throws {
        try context.performAndWait { () throws in
            let tasks = try context.fetch(NSFetchRequest<TestTask>(entityName: "Task"))
            let locations = try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location"))
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                // Skip new objects that a rollback has removed.
                let tasks = tasks.filter { $0.managedObjectContext != nil && !$0.isDeleted }
                switch Int.random(in: 0..<10, using: &random) {
                case 0, 1: set(TestTask(context: context), &random)
                case 2 where tasks.count > 15: tasks.randomElement(using: &random).map(context.delete)
                case 3: tasks.randomElement(using: &random)?.location = locations.randomElement(using: &random)
                case 4:
                    // The child may hold objects that its parent has rolled back.
                    do { try context.save() } catch { context.rollback() }
                case 5: context.rollback()
                default:
                    if let task = tasks.randomElement(using: &random) { set(task, &random) }
                }
            }
        }
    }

    private static func request(_ random: inout SeededNumbers) -> NSFetchRequest<TestTask> {
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        var parts = [NSPredicate(format: formats.randomElement(using: &random) ?? "TRUEPREDICATE")]
        if Int.random(in: 0..<4, using: &random) == 0 {
            parts.append(NSPredicate { object, _ in (object as? TestTask)?.priority != 2 })
        }
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        request.sortDescriptors = (0..<Int.random(in: 1...2, using: &random)).compactMap { _ in
            keys.randomElement(using: &random).map { NSSortDescriptor(key: $0, ascending: Bool.random(using: &random)) }
        }
        if Bool.random(using: &random) { request.fetchLimit = Int.random(in: 1...9, using: &random) }
        if Bool.random(using: &random) { request.fetchOffset = Int.random(in: 0...9, using: &random) }
        if Int.random(in: 0..<4, using: &random) == 0 { request.fetchBatchSize = 4 }
        if Int.random(in: 0..<4, using: &random) == 0 { request.propertiesToFetch = ["text", "location"] }
        return request
    }

    private func ask(
        _ request: NSFetchRequest<TestTask>,
        _ context: NSManagedObjectContext
    ) throws -> ([NSManagedObjectID], Int, [NSManagedObjectID]) {
        try context.performAndWait { () throws in
            let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Task")
            identifiers.resultType = .managedObjectIDResultType
            identifiers.predicate = request.predicate
            identifiers.sortDescriptors = request.sortDescriptors
            identifiers.fetchLimit = request.fetchLimit
            identifiers.fetchOffset = request.fetchOffset
            return (
                try context.fetch(request).map(\.objectID), try context.count(for: request),
                try context.fetch(identifiers)
            )
        }
    }

    /// The expected result: filters, sorts and limits all objects.
    private func answer(
        _ request: NSFetchRequest<TestTask>,
        _ context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        try context.performAndWait { () throws in
            // Without sort descriptors, objects are ordered by key, with new objects last.
            let all = try context.fetch(NSFetchRequest<TestTask>(entityName: "Task"))
            let admitted = all.filter { request.predicate?.evaluate(with: $0) ?? true }
            let sorted = admitted.enumerated().sorted { left, right in
                for sort in request.sortDescriptors ?? [] {
                    switch sort.compare(left.element, to: right.element) {
                    case .orderedAscending: return true
                    case .orderedDescending: return false
                    case .orderedSame: continue
                    }
                }
                return left.offset < right.offset
            }
            let rest = sorted.map(\.element.objectID).dropFirst(request.fetchOffset)
            return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
        }
    }
}

// Eight contexts using one store concurrently. `STRESS_SECONDS=60` in the environment runs them for a minute, for the
// thread sanitizer.
import ExpectationSupport
import Foundation
import GraphEngine
import Synchronization
import TestSupport
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite(.serialized) struct Stress {
    private static let seconds = ProcessInfo.processInfo.environment["STRESS_SECONDS"].flatMap(Double.init) ?? 2

    /// The acknowledged saves, by the writer's number.
    private final class Ledger: Sendable {
        let counts = Mutex<[Int: Int]>([:])
        let saves = Atomic<Int>(0)
        let reads = Atomic<Int>(0)
    }

    @Test func eightContextsWriteAndReadOneStoreWithoutLosingAnything() async throws {
        let stack = try Stack()
        let ledger = Ledger()
        try stack.context.run { () throws in
            for number in 0..<8 { _ = stack.context.task("counter \(number)") }
            let shared = TestLocation(context: stack.context)
            shared.name = "shared"
            try stack.context.save()
        }
        let parent = stack.otherContext()
        parent.automaticallyMergesChangesFromParent = true
        // Each writer changes the members of the same object.
        parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let end = ContinuousClock.now + .seconds(Self.seconds)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let context: NSManagedObjectContext
                if number >= 6 {
                    context = NSManagedObjectContext(.privateQueue)
                    context.parent = parent
                } else {
                    context = stack.otherContext()
                }
                context.automaticallyMergesChangesFromParent = number % 2 == 0
                context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                group.addTask {
                    var random = SeededNumbers(run: UInt64(number))
                    // Run at least once: other tests may use all of the processor time.
                    repeat {
                        await Self.work(number, context, parent: number >= 6 ? parent : nil, ledger, &random)
                    } while ContinuousClock.now < end
                }
            }
        }
        for context in [parent] { await context.perform(schedule: .enqueued) {} }
        let counts = ledger.counts.withLock { $0 }
        let other = stack.otherContext()
        try other.run { () throws in
            for number in 0..<8 {
                let counter = try other.tasks("text == %@", "counter \(number)").first
                expectEqual(Int(counter?.priority ?? -1), counts[number, default: 0] % 10_000)
                let rows = try other.tasks("text BEGINSWITH %@", "row \(number) ").count
                expectEqual(rows, counts[number, default: 0])
            }
            let shared = try #require(try other.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first)
            expectEqual(shared.tasks?.count, counts.values.reduce(0, +))
        }
        expectEqual(counts.count, 8)
        print("saves: \(counts.values.reduce(0, +)), reads: \(ledger.reads.load(ordering: .relaxed))")
    }

    /// Objects that are handed to another thread, which releases them.
    private final class Handover: @unchecked Sendable {
        let objects: [TestTask]
        init(_ objects: [TestTask]) { self.objects = objects }
    }

    /// Two threads register objects of one page of the identity map, which counts them, and remove them as their ends do.
    @Test func twoThreadsChangeOnePageOfTheIdentityMap() throws {
        let stack = try Stack()
        let objects = UnsafeTransfer((0..<60).map { stack.context.task("\($0)") })
        try stack.context.run { () throws in try stack.context.save() }
        let registry = stack.context.registry
        let count = registry.count
        DispatchQueue.concurrentPerform(iterations: 2) { half in
            let own = objects.value[(half * 30)..<(half * 30 + 30)]
            for _ in 0..<3_000 {
                for object in own { registry.removeDeallocated(object) }
                for object in own { registry.register(object) }
            }
        }
        expectEqual(registry.count, count)
        expectEqual(Set(registry.allObjects()).isSuperset(of: objects.value), true)
    }

    /// The identity map is changed by the context, and by each thread that releases the last reference to an object.
    ///
    /// The thread sanitizer does not detect it, as it ignores accesses at the end of an object.
    @Test func objectsAreReleasedByAnotherThreadWhileTheirContextFetches() async throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            for number in 0..<500 { _ = stack.context.task("\(number)") }
            try stack.context.save()
        }
        let context = stack.otherContext()
        let handovers = Mutex<[Handover]>([])
        let isDone = Atomic<Bool>(false)
        let releasing = DispatchGroup()
        releasing.enter()
        Thread.detachNewThread {
            while !isDone.load(ordering: .acquiring) {
                let handover = handovers.withLock { $0.popLast() }
                // At any moment of the next fetch, also while it registers its objects.
                usleep(handover == nil ? 50 : .random(in: 0...2_000))
            }
            releasing.leave()
        }
        for _ in 0..<300 {
            let handover = try await context.perform { Handover(try context.tasks()) }
            expectEqual(handover.objects.count, 500)
            handovers.withLock { $0.append(handover) }
        }
        isDone.store(true, ordering: .releasing)
        await withCheckedContinuation { continuation in releasing.notify(queue: .global()) { continuation.resume() } }
        handovers.withLock { $0 = [] }
        await context.perform(schedule: .enqueued) {}
        expectEqual(context.registeredObjectCount, 0)
    }

    /// Each reader sees a constant sum in every turn while another context saves exchanges.
    @Test func eightContextsReadOneMomentEachWhileAnotherWrites() async throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            for number in 0..<20 { _ = stack.context.task("\(number)", priority: 100) }
            try stack.context.save()
        }
        let end = ContinuousClock.now + .seconds(Self.seconds)
        let ledger = Ledger()
        await withTaskGroup(of: Void.self) { group in
            let writer = stack.otherContext()
            group.addTask { repeat { await Self.exchange(writer, ledger) } while ContinuousClock.now < end }
            for _ in 0..<8 {
                let reader = stack.otherContext()
                group.addTask { repeat { await Self.sum(reader, ledger) } while ContinuousClock.now < end }
            }
        }
        #expect(ledger.saves.load(ordering: .relaxed) > 0 && ledger.reads.load(ordering: .relaxed) > 0)
    }

    /// Moves one point from one task to another, so that the sum is constant.
    private static func exchange(_ context: NSManagedObjectContext, _ ledger: Ledger) async {
        await context.perform {
            do {
                let tasks = try context.tasks().shuffled()
                tasks[0].priority -= 1
                tasks[1].priority += 1
                try context.save()
                ledger.saves.add(1, ordering: .relaxed)
            } catch {
                Issue.record(error)
            }
        }
    }

    private static func sum(_ context: NSManagedObjectContext, _ ledger: Ledger) async {
        await context.perform {
            do {
                context.reset()
                let sums = try (0..<3).map { _ in try sumOfPriorities(context) }
                let fetched = try context.tasks()
                expectEqual(sums, [2_000, 2_000, 2_000])
                expectEqual(fetched.reduce(0) { $0 + Int($1.priority) }, 2_000)
                ledger.reads.add(1, ordering: .relaxed)
            } catch {
                Issue.record(error)
            }
        }
    }

    private static func sumOfPriorities(_ context: NSManagedObjectContext) throws -> Int {
        let sum = NSExpressionDescription()
        sum.name = "sum"
        sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "priority")])
        sum.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Task")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [sum]
        return try context.fetch(request).first?["sum"] as? Int ?? 0
    }

    private static func work(
        _ number: Int,
        _ context: NSManagedObjectContext,
        parent: NSManagedObjectContext?,
        _ ledger: Ledger,
        _ random: inout SeededNumbers
    ) async {
        let reading = Bool.random(using: &random)
        await context.perform {
            do {
                if reading {
                    let tasks = try context.tasks("text BEGINSWITH 'counter'")
                    for task in tasks { _ = task.location?.name }
                    ledger.reads.add(1, ordering: .relaxed)
                }
                guard let counter = try context.tasks("text == %@", "counter \(number)").first else { return }
                context.refresh(counter, mergeChanges: true)
                let next = ledger.counts.withLock { $0[number, default: 0] } + 1
                counter.priority = Int16(next % 10_000)
                let row = context.task("row \(number) \(next)")
                row.location = try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first
                try context.save()
                if let parent { try parent.performAndWait { () throws in try parent.save() } }
                ledger.counts.withLock { $0[number] = next }
            } catch {
                Issue.record("writer \(number): \((error as NSError).localizedDescription)")
                context.rollback()
            }
            if let problem = context.invariantViolations(inverses: .none).first {
                Issue.record("writer \(number): \(problem)")
            }
        }
    }
}

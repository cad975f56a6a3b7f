// Asynchronous fetches: results, progress, cancellation.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct AsynchronousFetches {
    /// Makes the ordering by the continuation visible to the thread sanitizer, which does not always detect it.
    private let order = NSLock()

    private func fill(_ stack: Stack, _ count: Int) throws {
        try stack.context.performAndWait { () throws in
            for number in 0..<count { _ = stack.context.task("\(number)", priority: Int16(number % 7)) }
            try stack.context.save()
        }
    }

    private struct Outcome: @unchecked Sendable {
        let result: NSAsynchronousFetchResult<TestTask>
        let isOnQueue: Bool
    }

    private func execute(
        _ context: NSManagedObjectContext,
        _ fetch: NSFetchRequest<TestTask>,
        estimate: Int = 0,
        then: ((NSAsynchronousFetchResult<TestTask>) -> Void)? = nil
    ) async -> Outcome {
        let fetch = UnsafeBox((fetch, then))
        let outcome: Outcome = await withCheckedContinuation { continuation in
            context.performAndWait {
                let request = NSAsynchronousFetchRequest(fetchRequest: fetch.value.0) { result in
                    let outcome = Outcome(result: result, isOnQueue: NSManagedObjectContext.isInside(context))
                    order.withLock { continuation.resume(returning: outcome) }
                }
                request.estimatedResultCount = estimate
                do {
                    let result = try context.execute(request)
                    if let typed = result as? NSAsynchronousFetchResult<TestTask> { fetch.value.1?(typed) }
                } catch {
                    Issue.record(error)
                }
            }
        }
        return order.withLock { outcome }
    }

    private struct UnsafeBox<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    @Test func resultsComeOnTheContextsQueueInTheRequestsOrder() async throws {
        let stack = try Stack()
        try fill(stack, 2500)
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        request.predicate = NSPredicate(format: "priority < 6")
        request.sortDescriptors = [NSSortDescriptor(key: "priority", ascending: false)]
        let context = stack.otherContext()
        let outcome = await execute(context, request, estimate: 2000)
        #expect(outcome.isOnQueue)
        expectNil(outcome.result.operationError)
        let count = context.performAndWait {
            let tasks = outcome.result.finalResult ?? []
            expectEqual(tasks.first?.priority, 5)
            expectEqual(tasks.last?.priority, 0)
            #expect(tasks.allSatisfy { $0.managedObjectContext === context })
            return tasks.count
        }
        expectEqual(count, 2500 - 2500 / 7)
        expectEqual(outcome.result.progress?.fractionCompleted, 1)
        expectEqual(outcome.result.progress?.completedUnitCount, Int64(count))
    }

    @Test func unsavedChangesAreCounted() async throws {
        let stack = try Stack()
        try fill(stack, 3)
        stack.context.performAndWait { _ = stack.context.task("new") }
        let outcome = await execute(stack.context, NSFetchRequest<TestTask>(entityName: "Task"))
        expectEqual(outcome.result.finalResult?.count, 4)
    }

    @Test func aCancelledFetchEndsWithAnErrorAndNoResults() async throws {
        let stack = try Stack()
        try fill(stack, 5000)
        let outcome = await execute(stack.otherContext(), NSFetchRequest<TestTask>(entityName: "Task")) { $0.cancel() }
        expectNil(outcome.result.finalResult)
        let error = try #require(outcome.result.operationError as NSError?)
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, CocoaError.Code.userCancelled.rawValue)
    }

    @Test func changesMadeWhileRowsAreReadAreInTheResults() async throws {
        let stack = try Stack()
        try fill(stack, 3)
        let context = stack.context
        let outcome = await execute(context, NSFetchRequest<TestTask>(entityName: "Task")) { _ in
            // Still on the context's queue, before the rows become objects.
            do {
                context.delete(try context.tasks("text == '1'")[0])
                try context.save()
                _ = context.task("new")
            } catch {
                Issue.record(error)
            }
        }
        let texts = context.performAndWait { Set((outcome.result.finalResult ?? []).compactMap(\.text)) }
        expectEqual(texts, ["0", "2", "new"])
    }

    @Test func aPredicateThatTablesCannotAnswerIsAnsweredInMemory() async throws {
        let stack = try Stack()
        try fill(stack, 10)
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        request.predicate = NSPredicate { object, _ in (object as? TestTask)?.text == "7" }
        let context = stack.otherContext()
        let outcome = await execute(context, request)
        expectNil(outcome.result.operationError)
        expectEqual(context.performAndWait { outcome.result.finalResult?.map(\.text) }, ["7"])
    }

    @Test func theMainContextHasItsResultsOnTheMainQueue() async throws {
        let stack = try Stack()
        try fill(stack, 10)
        let main = NSManagedObjectContext(.mainQueue)
        main.persistentStoreCoordinator = stack.coordinator
        let outcome = await execute(main, NSFetchRequest<TestTask>(entityName: "Task"))
        #expect(outcome.isOnQueue)
        #expect(outcome.result.managedObjectContext === main)
        expectEqual(outcome.result.finalResult?.count, 10)
    }

    @Test func theProgressCountsRowsTowardsTheEstimate() async throws {
        let stack = try Stack()
        try fill(stack, 10)
        let outcome = await execute(stack.otherContext(), NSFetchRequest<TestTask>(entityName: "Task"), estimate: 20) {
            // The block runs later: this is the context's queue.
            expectEqual($0.progress?.totalUnitCount, 20)
            expectNil($0.finalResult)
            expectNil($0.operationError)
            expectEqual($0.fetchRequest.estimatedResultCount, 20)
        }
        expectEqual(outcome.result.progress?.completedUnitCount, 10)
        expectEqual(outcome.result.progress?.isFinished, true)
    }

    @Test func aFetchUnderACancelledProgressReadsNothing() async throws {
        let stack = try Stack()
        try fill(stack, 10)
        let context = stack.otherContext()
        let outcome: Outcome = await withCheckedContinuation { continuation in
            context.performAndWait {
                let whole = Progress(totalUnitCount: 1)
                whole.cancel()
                whole.becomeCurrent(withPendingUnitCount: 1)
                let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<TestTask>(entityName: "Task")) {
                    let outcome = Outcome(result: $0, isOnQueue: true)
                    order.withLock { continuation.resume(returning: outcome) }
                }
                do { try context.execute(request) } catch { Issue.record(error) }
                whole.resignCurrent()
            }
        }
        order.withLock {}
        expectNil(outcome.result.finalResult)
        expectEqual((outcome.result.operationError as NSError?)?.code, CocoaError.Code.userCancelled.rawValue)
        expectEqual(context.statistics.rowsRead, 0)
    }

    @Test func identifiersAreFetchedInTheBackgroundToo() async throws {
        let stack = try Stack()
        try fill(stack, 10)
        let context = stack.otherContext()
        let count = await withCheckedContinuation { continuation in
            context.performAndWait {
                let fetch = NSFetchRequest<NSManagedObjectID>(entityName: "Task")
                fetch.resultType = .managedObjectIDResultType
                let request = NSAsynchronousFetchRequest(fetchRequest: fetch) {
                    continuation.resume(returning: $0.finalResult?.count)
                }
                do { try context.execute(request) } catch { Issue.record(error) }
            }
        }
        expectEqual(count, 10)
    }

    @Test func aCopyOfARequestFetchesTheSame() throws {
        let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<TestTask>(entityName: "Task"))
        request.estimatedResultCount = 7
        let copy = try #require(request.copy() as? NSAsynchronousFetchRequest<TestTask>)
        #expect(copy !== request && copy.fetchRequest === request.fetchRequest)
        expectEqual(copy.estimatedResultCount, 7)
    }

    @Test func theProgressIsPartOfTheCurrentOne() async throws {
        let stack = try Stack()
        try fill(stack, 10)
        let whole = Progress(totalUnitCount: 1)
        let context = stack.otherContext()
        await withCheckedContinuation { continuation in
            context.performAndWait {
                whole.becomeCurrent(withPendingUnitCount: 1)
                let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<TestTask>(entityName: "Task")) {
                    _ in
                    continuation.resume()
                }
                do { try context.execute(request) } catch { Issue.record(error) }
                whole.resignCurrent()
            }
        }
        expectEqual(whole.fractionCompleted, 1)
    }

    @Test func executeTakesAPlainFetchAndRefusesOtherRequests() throws {
        let stack = try Stack()
        try fill(stack, 3)
        try stack.context.performAndWait { () throws in
            let result = try stack.context.execute(NSFetchRequest<TestTask>(entityName: "Task"))
            expectEqual((result as? NSAsynchronousFetchResult<TestTask>)?.finalResult?.count, 3)
            let array = try stack.coordinator.execute(
                NSFetchRequest<TestTask>(entityName: "Task"),
                with: stack.context
            )
            expectEqual((array as? [TestTask])?.count, 3)
            let error = #expect(throws: NSError.self) { try stack.context.execute(NSPersistentStoreRequest()) }
            expectEqual(error?.code, NSPersistentStoreUnsupportedRequestTypeError)
        }
    }

    @Test func aFailingFetchReportsItsErrorImmediately() throws {
        let stack = try Stack()
        stack.context.performAndWait {
            let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<TestTask>(entityName: "Tusk"))
            _ = #expect(throws: NSError.self) { try stack.context.execute(request) }
        }
    }
}

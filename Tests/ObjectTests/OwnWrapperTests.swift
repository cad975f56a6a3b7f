// Methods that programs declare under the names of the framework's: calls of them are not ambiguous, and theirs are called.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

extension NSManagedObjectContext {
    /// As programs have declared it since before Apple's framework had one that returns a result.
    fileprivate func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        calls += 1
        var result: Result<T, any Error>?
        performAndWait { () -> Void in result = Result { try block() } }
        // A rethrowing function throws in its block's calls only.
        func unwrap(_ result: Result<T, any Error>?, _ body: () throws -> T) rethrows -> T {
            if case .success(let value)? = result { value } else { try body() }
        }
        return try unwrap(result, block)
    }

    fileprivate func perform<T>(_ block: @escaping () throws -> T) async throws -> T {
        calls += 1
        return try await perform(schedule: .enqueued) { try block() }
    }

    fileprivate var calls: Int {
        get { userInfo["calls"] as? Int ?? 0 }
        set { userInfo["calls"] = newValue }
    }
}

@Suite struct OwnWrappers {
    @Test func callsOfAProgramsOwnMethodsAreNotAmbiguous() async throws {
        let context = try Stack().context
        var count = 0
        context.performAndWait {
            count = 1
            count += 1
        }
        let sum = context.performAndWait { count + 1 }
        let tasks = try context.performAndWait { try context.tasks() }
        #expect(sum == 3 && tasks.isEmpty)
        let taskCount = try await context.perform { try context.tasks().count }
        expectEqual(taskCount, 0)
        #expect(context.calls == 3)
    }
}

// Main-queue contexts in programs of every kind: each test runs a separate process.
import ExpectationSupport
import Foundation
import Testing

@testable import StackSupport

@Suite(.enabled(if: Program.isBuilt)) struct MainQueueContexts {
    @Test(arguments: ["runLoop", "dispatchMain"])
    func workIfTheMainThreadServesTheMainQueue(mode: String) async throws {
        let run = try await Program.run(mode)
        expectEqual(run.output, "nested: 1, rows: 3\n")
        #expect(run.errors.isEmpty)
        expectEqual(run.status, 0)
    }

    @Test func workIfAnotherQueueReplacesTheMainQueueOfABlockedMainThread() async throws {
        let run = try await Program.run("replaced")
        expectEqual(run.output, "nested: 1, rows: 3\nfrom main: 3\n")
        #expect(run.errors.isEmpty)
        expectEqual(run.status, 0)
    }

    @Test func sayOnceInTheLogThatNothingServesTheMainQueue() async throws {
        let run = try await Program.run("blocked")
        #expect(run.output.isEmpty)
        expectEqual(run.errors.components(separatedBy: "has waited 1 seconds for the main queue").count, 2)
        #expect(run.errors.contains("NSManagedObjectContext.serveMainQueue(on:)"))
    }

    @Test func needNoServedMainQueueOnTheMainThreadItself() async throws {
        let run = try await Program.run("command")
        expectEqual(run.output, "rows: 1\n")
        #expect(run.errors.isEmpty)
    }
}

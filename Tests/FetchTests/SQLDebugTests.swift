// The statement log, level by level, and the switches that enable it.
import ExpectationSupport
import Foundation
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct SQLDebugging {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private static let longText = String(repeating: "long ", count: 40)

    /// The lines that a level logs for saving an object and a fetch.
    private func lines(_ level: Int) throws -> [String] {
        let lines = Lines()
        let stack = try SQLDebug.observing(level: level, { line in lines.all.withLock { $0.append(line) } }) {
            () throws in try Stack()
        }
        try stack.context.performAndWait { () throws in
            _ = stack.context.task(Self.longText, priority: 5)
            try stack.context.save()
            _ = try stack.context.tasks("priority == 5")
        }
        return lines.all.withLock { $0 }
    }

    @Test func levelOneShowsStatementsWithTimesAndNumbersOfRows() throws {
        let lines = try lines(1)
        #expect(lines.allSatisfy { $0.hasPrefix("Tasks.sqlite: ") })
        #expect(lines.contains { $0.contains("sql: INSERT INTO ZTASK") })
        #expect(lines.contains { $0.contains("sql: SELECT") && $0.contains("ZPRIORITY") })
        #expect(lines.contains { $0.contains("execution time: ") && $0.hasSuffix(" ms for 1 row") })
        #expect(!lines.contains { $0.contains("bind:") || $0.contains("row:") || $0.contains("plan:") })
    }

    @Test func levelTwoAddsBindings() throws {
        let lines = try lines(2)
        #expect(lines.contains { $0.contains("bind:") && $0.hasSuffix("= 5") })
        #expect(lines.contains { $0.contains("(200 characters)") })
        #expect(!lines.contains { $0.contains(Self.longText) || $0.contains("row:") || $0.contains("plan:") })
    }

    @Test func levelThreeAddsTheRowsReadAndLongValues() throws {
        let lines = try lines(3)
        #expect(lines.contains { $0.contains("bind:") && $0.contains("'\(Self.longText)'") })
        #expect(lines.contains { $0.contains("row: (1, 1, ") && $0.contains("'\(Self.longText)'") })
        #expect(!lines.contains { $0.contains("plan:") })
    }

    @Test func levelThreeShowsAHundredRowsAndHowManyMoreThereAre() throws {
        let lines = Lines()
        let stack = try SQLDebug.observing(level: 3, { line in lines.all.withLock { $0.append(line) } }) {
            () throws in try Stack()
        }
        try stack.context.performAndWait { () throws in
            for number in 0..<120 { _ = stack.context.task("\(number)") }
            try stack.context.save()
            lines.all.withLock { $0 = [] }
            _ = try stack.context.tasks()
        }
        let rows = lines.all.withLock { $0 }.filter { $0.contains(": row: ") }
        expectEqual(rows.count, 101)
        expectEqual(rows.last?.hasSuffix("row: and 20 more"), true)
    }

    @Test func levelFourAddsThePlan() throws {
        let lines = try lines(4)
        #expect(lines.contains { $0.contains("plan: SCAN") || $0.contains("plan: SEARCH") })
    }

    @Test func levelZeroShowsNothing() throws {
        #expect(try lines(0).isEmpty)
    }

    @Test func switchesComeAsArgumentsOrInTheEnvironmentAndTheArgumentWins() {
        let name = "com.apple.CoreData.SQLDebug"
        func level(_ arguments: [String], _ environment: [String: String]) -> Int {
            LaunchOptions.level("SQLDebug", arguments: arguments) { environment[$0] }
        }
        expectEqual(level(["app", "-\(name)", "3"], [:]), 3)
        expectEqual(level(["app", "-\(name)"], [:]), 0)
        expectEqual(level(["app"], [name: "2"]), 2)
        expectEqual(level(["app"], ["com_apple_CoreData_SQLDebug": "1"]), 1)
        expectEqual(level(["app", "-\(name)", "YES"], [name: "4"]), 1)
        expectEqual(level(["app", "-\(name)", "0"], [name: "4"]), 0)
        expectEqual(level(["app"], [:]), 0)
    }

    @Test(.enabled(if: Program.isBuilt)) func theEnvironmentTurnsTheLogOnInAProgram() async throws {
        let run = try await Program.run("command", environment: ["com_apple_CoreData_SQLDebug": "1"])
        expectEqual(run.output, "rows: 1\n")
        #expect(run.errors.contains("info com.apple.coredata.sql"))
        #expect(run.errors.contains("sql: INSERT INTO ZITEM"))
    }

    @Test(.enabled(if: Program.isBuilt)) func anArgumentTurnsTheConcurrencyCheckOnInAProgram() async throws {
        let run = try await Program.run("stray", arguments: ["-com.apple.CoreData.ConcurrencyDebug", "1"])
        #expect(run.status != 0)
        #expect(run.errors.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__: Reading a new Item.number"))
        let logged = try await Program.run("stray", arguments: ["-com.apple.CoreData.ConcurrencyDebug", "2"])
        expectEqual(logged.status, 0)
        expectEqual(logged.output, "number: none\n")
        #expect(logged.errors.contains("Concurrency violation: Reading a new Item.number"))
        let plain = try await Program.run("stray")
        expectEqual(plain.status, 0)
        #expect(plain.errors.isEmpty)
    }
}

// The log of statements and the counters.
import Foundation
import ManagedGraph
import Synchronization
import Testing

@Suite(.serialized) struct Diagnosing {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    /// The lines that a level logs for one insert and one fetch.
    private func lines(_ level: Int) throws -> [String] {
        let lines = Lines()
        let stack = try Self.atLevel(level) { () throws in try Stack() }
        let name = stack.url.lastPathComponent
        SQLDebug.sink = { line in if line.hasPrefix(name) { lines.all.withLock { $0.append(line) } } }
        defer { SQLDebug.sink = nil }
        try stack.context.performAndWait { () throws in
            _ = stack.context.task(String(repeating: "long ", count: 40), priority: 5)
            try stack.context.save()
            _ = try stack.context.tasks("priority == 5")
        }
        return lines.all.withLock { $0 }
    }

    private static func atLevel<R>(_ level: Int, _ body: () throws -> R) throws -> R {
        SQLDebug.level = level
        defer { SQLDebug.level = 0 }
        return try body()
    }

    @Test func levelOneLogsStatementsWithTimesAndRows() throws {
        let lines = try lines(1)
        #expect(lines.contains { $0.contains("sql: INSERT INTO ZTASK") })
        #expect(lines.contains { $0.contains("sql: SELECT") && $0.contains("ZPRIORITY") })
        #expect(lines.contains { $0.contains("execution time:") && $0.hasSuffix("for 1 row") })
        #expect(!lines.contains { $0.contains("bind:") })
    }

    @Test func levelTwoAddsBindingsAndLevelThreeShowsThemWhole() throws {
        let short = try lines(2)
        #expect(short.contains { $0.contains("bind:") && $0.hasSuffix("= 5") })
        #expect(short.contains { $0.contains("(200 characters)") })
        let whole = try lines(3)
        #expect(whole.contains { $0.contains(String(repeating: "long ", count: 40)) })
    }

    @Test func levelFourAddsThePlan() throws {
        let lines = try lines(4)
        #expect(lines.contains { $0.contains("plan: SCAN") || $0.contains("plan: SEARCH") })
    }

    @Test func levelZeroLogsNothing() throws {
        #expect(try lines(0).isEmpty)
    }

    @Test func switchesComeAsArgumentsOrInTheEnvironment() {
        let name = "com.apple.CoreData.SQLDebug"
        func level(_ arguments: [String], _ environment: [String: String]) -> Int {
            LaunchOptions.level("SQLDebug", arguments: arguments, environment: environment)
        }
        #expect(level(["app", "-\(name)", "3"], [:]) == 3)
        #expect(level(["app", "-\(name)"], [:]) == 0)
        #expect(level(["app"], [name: "2"]) == 2)
        #expect(level(["app"], ["com_apple_CoreData_SQLDebug": "1"]) == 1)
        #expect(level(["app", "-\(name)", "YES"], [name: "4"]) == 1)
        #expect(level(["app"], [:]) == 0)
    }

    @Test func countersSayWhatWasDone() throws {
        let stack = try Stack()
        let before = stack.coordinator.statistics
        try stack.context.performAndWait { () throws in
            for number in 0..<10 { _ = stack.context.task("\(number)") }
            try stack.context.save()
        }
        let saved = stack.coordinator.statistics
        #expect(saved.transactions == before.transactions + 1)
        #expect(saved.statements >= before.statements + 12)
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            for task in try other.tasks() { #expect(task.text != nil) }
            #expect(other.statistics.rowsRead == 10)
            #expect(other.statistics.faultsFired == 10)
            #expect(other.statistics.fetches == 1)
        }
        #expect(stack.coordinator.statistics.rowsRead >= saved.rowsRead + 10)
    }
}

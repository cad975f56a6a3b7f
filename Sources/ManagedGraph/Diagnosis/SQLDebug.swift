// The log of statements: `-com.apple.CoreData.SQLDebug 1` to `4`, or the same name in the environment. A store checks
// the level when it is opened; at level 0 it observes no statements. Lines go to the swift-log label
// "com.apple.coredata.sql", level info; Documentation/Diagnosis.md shows them.
import Foundation
import GraphSQL
import GraphSQLite
import Logging

/// Writes statements to the log.
package enum SQLDebug {
    /// Receives a line instead of the log.
    package typealias Sink = @Sendable (String) -> Void

    /// 0: nothing; 1: statements with times and row counts; 2: bindings too; 3: the rows read, and long values in full;
    /// 4: the query plan.
    private static var level: Int { scopedLevel ?? levelAtLaunch }
    private static let levelAtLaunch = LaunchOptions.level("SQLDebug")
    @TaskLocal private static var scopedLevel: Int?
    @TaskLocal private static var scopedSink: Sink?
    private static let log = Logger(label: "com.apple.coredata.sql")
    /// The maximum number of rows logged per run.
    private static let shownRows = 100

    /// Observes the stores that `body` opens on this thread; for tests.
    ///
    /// - Parameters:
    ///   - level: The level.
    ///   - sink: Receives the lines of those stores.
    ///   - body: Opens the stores.
    /// - Returns: The result of `body`.
    /// - Throws: The error that `body` throws.
    package static func observing<R>(level: Int, _ sink: @escaping Sink, _ body: () throws -> R) rethrows -> R {
        try $scopedLevel.withValue(level) { try $scopedSink.withValue(sink, operation: body) }
    }

    /// Observes the connections of a store that is being opened; nil at level 0.
    static func observer(of store: String) -> (@Sendable (Connection) -> Void)? {
        let level = Self.level
        guard level > 0 else { return nil }
        let sink = scopedSink ?? { log.info("\($0)") }
        return { connection in
            if level >= 3 { connection.observedRows = shownRows }
            connection.observer = { [unowned connection] event in
                for line in lines(event, level: level, plan: { plan(of: $0, connection) }) { sink("\(store): \(line)") }
            }
        }
    }

    /// Receives the statements of a store that is being opened, without their plans; nil at level 0.
    package static func eventObserver(of store: String) -> (@Sendable (StatementEvent) -> Void)? {
        let level = Self.level
        guard level > 0 else { return nil }
        let sink = scopedSink ?? { log.info("\($0)") }
        return { event in for line in lines(event, level: level, plan: { _ in [] }) { sink("\(store): \(line)") } }
    }

    /// The log lines for one run of a statement.
    static func lines(_ event: StatementEvent, level: Int, plan: (StatementEvent) -> [String]) -> [String] {
        let milliseconds =
            Double(event.duration.components.attoseconds) / 1e15
            + Double(event.duration.components.seconds) * 1000
        var lines = ["sql: \(event.text)"]
        if level >= 2 {
            lines += event.bindings.enumerated().map { "bind: \($0 + 1) = \($1.printed(isWhole: level >= 3))" }
        }
        if level >= 3 {
            lines += event.values.map { "row: (" + $0.map { $0.printed(isWhole: true) }.joined(separator: ", ") + ")" }
            if event.rows > event.values.count, !event.values.isEmpty {
                lines.append("row: and \(event.rows - event.values.count) more")
            }
        }
        let time = String(format: "%.4f", milliseconds)
        lines.append("execution time: \(time) ms for \(event.rows) row\(event.rows == 1 ? "" : "s")")
        if level >= 4 { lines += plan(event).map { "plan: \($0)" } }
        return lines
    }

    /// SQLite's query plan for a statement that reads or writes rows.
    private static func plan(of event: StatementEvent, _ connection: Connection) -> [String] {
        let word = event.text.prefix { $0.isLetter }.uppercased()
        guard ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(word) else { return [] }
        let observer = connection.observer
        connection.observer = nil
        defer { connection.observer = observer }
        do {
            let values = event.bindings
            return try connection.rows("EXPLAIN QUERY PLAN " + event.text, values).compactMap {
                if case .text(let detail)? = $0.last { detail } else { nil }
            }
        } catch {
            return ["\(error)"]
        }
    }
}

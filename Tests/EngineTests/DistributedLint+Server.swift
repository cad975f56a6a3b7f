// Checks the statements that the distributed server's log shows.
import PostgreSQLSupport
import Synchronization
import Testing

extension DistributedLint {
    /// The lint with the tables that were created in the log so far, and the statements that it has seen.
    private struct Log {
        var lint = DistributedLint()
        var seen: Set<String> = []
    }

    /// Guards the state of the log.
    private static let ofServer = Mutex(Log())

    /// Records an issue for each statement since the last check that violates the profile.
    static func checkServer() {
        do {
            let statements = try DistributedServer.shared().statements()
            let problems = ofServer.withLock { log in
                statements.filter { log.seen.insert($0).inserted }.flatMap { statement in
                    log.lint.problems(statement).map { "\($0): \(statement.prefix(2_000))" }
                }
            }
            for problem in problems { Issue.record("The distributed profile does not have \(problem)") }
        } catch {
            Issue.record(error)
        }
    }
}

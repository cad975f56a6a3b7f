// Checks the statements that the distributed server's log shows.
import PostgreSQLSupport
import Synchronization
import Testing

extension DistributedLint {
    /// Guards the lint with the tables that were created in the log so far.
    private static let ofServer = Mutex(DistributedLint())

    /// Records an issue for each statement since the last check that does not keep to the profile.
    static func checkServer() {
        do {
            let statements = try DistributedServer.shared().statements()
            let found = ofServer.withLock { lint in
                statements.flatMap { statement in
                    lint.problems(statement).map { "\($0): \(statement.prefix(2_000))" }
                }
            }
            for problem in found { Issue.record("The distributed profile does not have \(problem)") }
        } catch {
            Issue.record(error)
        }
    }
}

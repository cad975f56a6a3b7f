// Checks the statements that the distributed server's log shows.
import PostgreSQLSupport
import Testing

extension DistributedLint {
    /// The tables of the models of these tests whose rows are distributed by an attribute.
    static let tests = DistributedLint(columns: ["Badge": "realm", "Item": "tenant"])

    /// Records an issue for each statement since the last check that does not keep to the profile.
    static func checkServer() {
        do {
            for statement in try DistributedServer.shared().statements() {
                for problem in tests.problems(statement) {
                    Issue.record("The distributed profile does not have \(problem): \(statement.prefix(2_000))")
                }
            }
        } catch {
            Issue.record(error)
        }
    }
}

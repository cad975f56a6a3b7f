// Runs the tests of a suite with stores in a database too: each test once with files and once with schemas.
import PostgreSQLSupport
import Testing

/// The trait of suites whose tests hold for all stores in tables.
struct DatabaseScope: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        guard testCase != nil, PostgreSQLServer.isInstalled else { return }
        try await Versions.$areInDatabase.withValue(true) { try await function() }
    }
}

extension Trait where Self == DatabaseScope {
    /// Runs each test with files, and with schemas of a database.
    static var inDatabasesToo: DatabaseScope { DatabaseScope() }
}

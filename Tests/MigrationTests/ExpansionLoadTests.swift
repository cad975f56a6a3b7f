// Expansions while other sessions use the tables: rows that change meanwhile are filled too, and no program waits for
// long.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
import GraphSQL
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Synchronization
import Testing

@Suite(
    "PostgreSQL: expansions beside other sessions",
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
)
struct ExpansionLoadTests {
    /// Notes whose size gets another type and whose rank becomes required.
    private func versions(count: Int) throws -> Versions {
        func note(_ size: String, _ rank: String) -> String {
            LightweightTests.entity(
                "Note",
                LightweightTests.title + "<attribute name=\"size\" optional=\"YES\" attributeType=\"\(size)\"/>"
                    + "<attribute name=\"rank\" attributeType=\"Integer 64\" \(rank)/>"
            )
        }
        let versions = try Versions.$areInDatabase.withValue(true) {
            try Versions(
                note("Integer 16", "optional=\"YES\""),
                note("Integer 32", "defaultValueString=\"9\"")
            )
        }
        try versions.use(1) { _ in }
        try SchemaTables.execute(
            "INSERT INTO \"Note\" (title, size) SELECT 'n' || n, n % 100 FROM generate_series(1, \(count)) AS n",
            at: versions.store
        )
        return versions
    }

    private func address(_ versions: Versions) throws -> DatabaseAddress {
        try DatabaseAddress(versions.store.absoluteString)
    }

    private func table(_ versions: Versions) throws -> String {
        PostgreSQLDialect(schema: try address(versions).schema).table("Note")
    }

    /// Runs statements repeatedly on another thread while `body` runs.
    ///
    /// - Parameters:
    ///   - statements: The statements of a transaction.
    ///   - versions: The store.
    ///   - body: The work meanwhile.
    /// - Returns: The number of rows that the second statement has changed.
    /// - Throws: The error of `body`; `PostgreSQLError` if the server cannot be reached.
    private func repeating(
        _ statements: [String],
        in versions: Versions,
        while body: () throws -> Void
    ) throws -> Int {
        let connection = try PostgreSQLConnection(address(versions))
        let batch = statements.map { SQLStatement($0) }
        let isOver = Mutex<Bool>(false)
        let changed = Mutex<Int>(0)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
                if let results = try? connection.pipeline(batch, prepares: false) {
                    let count = results[1].affectedRows
                    changed.withLock { $0 += count }
                } else {
                    // The column does not exist yet.
                    _ = try? connection.execute("ROLLBACK")
                }
            }
            connection.close()
            ended.signal()
        }
        let result = Result { try body() }
        isOver.withLock { $0 = true }
        ended.wait()
        try result.get()
        return changed.withLock { $0 }
    }

    @Test(
        "Rows that a program changes while they are filled are filled too, whatever the default isolation level is",
        arguments: ["", "&options=-c%20default_transaction_isolation%3Dserializable"]
    )
    func changedRows(options: String) throws {
        let versions = try versions(count: 5_000)
        let table = try table(versions)
        let url = try #require(URL(string: versions.store.absoluteString + options))
        // Each transaction holds a row of the portion that is filled next; it locks no second row.
        let row = "SELECT _id FROM \(table) WHERE \"_next_size\" IS NULL ORDER BY _id OFFSET 20 LIMIT 1"
        let changes = try repeating(
            [
                "BEGIN ISOLATION LEVEL READ COMMITTED", "UPDATE \(table) SET title = 'changed' WHERE _id = (\(row))",
                "SELECT pg_sleep(0.002)", "COMMIT",
            ],
            in: versions
        ) {
            try versions.side(2, at: url, portion: 50).expand()
        }
        #expect(changes > 0)
        let unfilled = try PostgreSQLServer.shared()
            .execute("SELECT count(*) FROM \(table) WHERE \"_next_size\" IS NULL OR rank IS NULL")
        expectEqual(unfilled, [["0"]])
        let new = try versions.open(2, at: versions.views, migrates: false)
        try new.performAndWait { try expectEqual(new.all("Note").count, 5_000) }
    }

    @Test("While a session reads for long, others are answered, and the expansion succeeds after it")
    func longRead() throws {
        let versions = try versions(count: 10)
        let table = try table(versions)
        let (reader, other) = (
            try PostgreSQLConnection(address(versions)), try PostgreSQLConnection(address(versions))
        )
        defer { for connection in [reader, other] { connection.close() } }
        try reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try reader.execute("SELECT count(*) FROM \(table)")
        let failure = Mutex<String?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do { try versions.side(2).expand() } catch { failure.withLock { $0 = "\(error)" } }
            ended.signal()
        }
        try other.execute("SET statement_timeout = '10s'")
        var longest = Duration.zero
        let began = ContinuousClock.now
        while ContinuousClock.now - began < .seconds(5) {
            let start = ContinuousClock.now
            try other.execute("SELECT count(*) FROM \(table)")
            longest = max(longest, ContinuousClock.now - start)
            usleep(10_000)
        }
        #expect(longest > .milliseconds(500), "The expansion has not requested a lock.")
        #expect(longest < .seconds(3))
        try reader.execute("COMMIT")
        expectEqual(ended.wait(timeout: .now() + 60), .success)
        expectNil(failure.withLock { $0 })
        let new = try versions.open(2, at: versions.views, migrates: false)
        try new.performAndWait { try expectEqual(new.all("Note").count, 10) }
    }

    @Test("The error after the limit names the session that holds the tables, for each step")
    func namedSession() throws {
        let versions = try versions(count: 10)
        let table = try table(versions)
        let reader = try PostgreSQLConnection(address(versions))
        defer { reader.close() }
        let hasty = try versions.side(2, lockLimit: .milliseconds(500))
        let steps: [(PostgreSQLVersions) throws -> Void] = [
            { try $0.expand() }, { try $0.contract() }, { try $0.abandon() },
        ]
        for (number, step) in steps.enumerated() {
            try reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            try reader.execute("SELECT count(*) FROM \(table)")
            let error = #expect(throws: NSError.self) { try step(hasty) }
            expectEqual(error?.code, NSMigrationError)
            let process = reader.facts.backend
            expectEqual(
                error?.localizedDescription.contains("process \(process) ("),
                true,
                "\(String(describing: error))"
            )
            expectEqual(error?.localizedRecoverySuggestion?.contains("pg_terminate_backend(\(process))"), true)
            try reader.execute("COMMIT")
            if number == 0 { try hasty.expand() }
        }
        try hasty.abandon()
        try versions.use(1) { try expectEqual($0.all("Note").count, 10) }
    }
}

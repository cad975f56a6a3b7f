// Processes that increment the same counters of a PostgreSQL store, under each merge policy and at two levels of isolation.
// COUNTER_PROCESSES sets their number (default 4), COUNTER_SAVES that of all saves (default 300).
import ExpectationSupport
import Foundation
import PostgreSQLSupport
import SharedStoreSupport
import Testing

@Suite(
    "PostgreSQL: counters of many processes",
    .serialized,
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
)
struct SharedCounterTests {
    private static let processes = SharedStoreSetting.number("COUNTER_PROCESSES", 4)
    private static let counters = 12
    private static let saves = SharedStoreSetting.number("COUNTER_SAVES", 300)

    @Test(
        "No increment is lost that a merge policy keeps, and no save fails",
        arguments: [("read committed", "standard"), ("serializable", "standard"), ("serializable", "distributed")]
    )
    func counting(_ isolation: String, _ profile: String) throws {
        let server = try PostgreSQLServer(maximumConnections: 100)
        try server.execute("ALTER DATABASE postgres SET default_transaction_isolation = '\(isolation)'")
        let address = server.address("postgres", "pool=4", "profile=\(profile)")
        for policy in CounterPolicy.allCases {
            let runs = 3 * CounterPolicy.allCases.count * Self.processes
            let each = (Self.saves + runs - 1) / runs
            let database = try SharedDatabase(server, address: address, counters: Self.counters)
            let run = try CounterRun(
                database.address,
                policy,
                counters: Self.counters,
                processes: Self.processes,
                each: each
            )
            let row = try server.execute(
                "SELECT sum(value), sum(_version - 1), count(*) FILTER (WHERE value = _version - 1), "
                    + "(SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres') "
                    + "FROM \(database.schema).\"Counter\""
            )[0].map { Int($0 ?? "") ?? -1 }
            let (value, writes, exact) = (row[0], row[1], row[2])
            print("\(run) at \(isolation), \(profile): values \(value), deadlocks so far \(row[3])")
            run.check(value: value, writes: writes, exact: exact)
            // The history has a transaction for each save that wrote something.
            let history = try server.execute(
                "SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM \(database.schema)._change AS c "
                    + "WHERE c.transaction = t.number)) FROM \(database.schema)._transaction AS t "
                    + "WHERE process <> ''"
            )[0].map { Int($0 ?? "") ?? -1 }
            expectEqual(history[1], 0)
            #expect(history[0] <= run.saves + 1)
            if policy == .error { expectEqual(history[0], run.saves + 1) }
        }
    }

    @Test("Saves and batches of several processes at SERIALIZABLE are repeated until they succeed")
    func serializableBatches() throws {
        let server = try PostgreSQLServer()
        let database = try SharedDatabase(
            server,
            address: server.address(
                "postgres",
                "pool=4",
                "options=-c%20default_transaction_isolation%3Dserializable"
            )
        )
        let processes = try (0..<4).map { try database.startWriter($0, from: SharedWriter.first, seed: $0) }
        for process in processes { #expect(process.saves(more: 40 + Self.saves / 50, than: 0, within: 600)) }
        for (writer, process) in processes.enumerated() {
            process.kill()
            expectNil(process.failure)
            expectEqual(process.errors, [])
            #expect(try database.lastStep(of: writer) >= process.saved)
        }
        try expectEqual(database.violations(), [])
    }
}

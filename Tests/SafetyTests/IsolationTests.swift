// Checks the isolation of contexts, threads and processes from recorded transactions, on SQLite and on PostgreSQL.
// ISOLATION_COUNT sets the number of transactions of each run of processes (default 80), ISOLATION_THREAD_COUNT that of each
// run of one process whose ISOLATION_THREADS threads (default 4) use one coordinator.
import ExpectationSupport
import Foundation
import PostgreSQLSupport
import SharedStoreSupport
import Testing

@Suite(.serialized) struct IsolationTests {
    private typealias Anomaly = IsolationChecker.Anomaly
    private static let processes = Crew(
        processes: 4,
        threads: 1,
        transactions: SharedStoreSetting.number("ISOLATION_COUNT", 80)
    )
    private static let threads = Crew(
        processes: 1,
        threads: SharedStoreSetting.number("ISOLATION_THREADS", 4),
        transactions: SharedStoreSetting.number("ISOLATION_THREAD_COUNT", 80)
    )

    /// Processes with threads, and the number of transactions that they record altogether, each thread an equal part.
    private struct Crew: CustomStringConvertible {
        let processes, threads, transactions: Int

        var description: String { threads == 1 ? "\(processes) processes" : "\(threads) threads" }
    }

    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case sqlite = "SQLite"
        case postgreSQL = "PostgreSQL"
        static let installed = allCases.filter { $0 == .sqlite || PostgreSQLServer.isInstalled }
        var testDescription: String { rawValue }
    }

    /// Records transactions of several processes or threads, and checks them.
    private func record(_ kind: Kind, _ mode: RecordedMode, _ crew: Crew = Self.processes) throws -> IsolationChecker {
        let each = crew.transactions / crew.processes / crew.threads
        let registers = Recorder.registers(for: each)
        let file = kind == .sqlite ? try SharedFile(registers: registers) : nil
        defer { withExtendedLifetime(file) {} }
        let address = try file?.address ?? Self.database(crew, registers: registers).address
        let processes = try (0..<crew.processes).map {
            let seed = 1 + $0 * crew.threads
            return try SharedStoreProcess(
                ["record", address, "\(seed)", "\(each)", "\(registers)", mode.rawValue, "\(crew.threads)"]
            )
        }
        for process in processes { process.waitForEnd() }
        expectEqual(processes.compactMap(\.failure), [])
        #expect(processes.allSatisfy { $0.lines.last == "done" })
        var checker = IsolationChecker()
        for process in processes { for line in process.lines { checker.add(line) } }
        // Reads everything at the end, so that a lost element is seen.
        let store = try SharedStore(address)
        let context = store.coordinator.makeContext()
        let last = try context.performAndWait { () throws in
            try context.all("Register", "TRUEPREDICATE").map {
                "r\($0.number("key"))=\($0.value(forKey: "list") as? String ?? "")"
            }
        }
        try store.close()
        checker.add(Substring("t ok " + last.joined(separator: " ")))
        checker.check()
        print(
            "\(kind.rawValue), \(mode.rawValue), \(crew): \(checker.operations) operations, \(checker.overlaps) transactions "
                + "at once with another, \(checker.failures) conflicts, anomalies \(checker.anomalies.mapValues(\.count))"
        )
        return checker
    }

    /// A schema whose coordinators have a connection for each context that reads while another one saves.
    private static func database(_ crew: Crew, registers: Int) throws -> SharedDatabase {
        let server = try PostgreSQLServer.shared()
        let address = server.address("postgres", "pool=\(4 * crew.threads)")
        return try SharedDatabase(server, address: address, registers: registers)
    }

    /// The modes that must have no anomaly; a database has no query generations.
    private static let isolated = Kind.installed.flatMap { kind in
        ([.turns, .children, .generations, .merging] as [RecordedMode])
            .filter { kind == .sqlite || $0 != .generations }.map { (kind, $0) }
    }

    /// The same modes, and blocks that run on another thread than the one that waits for them.
    private static let isolatedInThreads = isolated + Kind.installed.map { ($0, RecordedMode.tasks) }

    @Test(arguments: isolated)
    func transactionsOfProcessesAreIsolated(_ kind: Kind, _ mode: RecordedMode) throws {
        try expectIsolation(kind, mode, Self.processes)
    }

    @Test("Transactions of threads that use one coordinator at once are isolated", arguments: isolatedInThreads)
    func transactionsOfThreadsAreIsolated(_ kind: Kind, _ mode: RecordedMode) throws {
        try expectIsolation(kind, mode, Self.threads)
    }

    private func expectIsolation(_ kind: Kind, _ mode: RecordedMode, _ crew: Crew) throws {
        // Repeat a run without conflicts, whose transactions did not compete: rare, but possible in a short run.
        var (conflicts, overlaps) = (0, 0)
        for _ in 0..<5 where conflicts == 0 {
            let checker = try record(kind, mode, crew)
            var anomalies = checker.anomalies
            if !mode.hasSnapshot { anomalies[.readSkew] = nil }
            if !mode.readsNewest { anomalies[.staleRead] = nil }
            if mode == .children { anomalies[.nonRepeatableRead] = nil }
            expectEqual(anomalies, [:])
            conflicts += checker.failures
            overlaps += checker.overlaps
        }
        #expect(conflicts > 0)
        // Without recorded times the checker would detect no stale read.
        #expect(overlaps > 0)
    }

    @Test("Reads outside of a turn, and saves that overwrite, are found", arguments: Kind.installed)
    func brokenSettingsAreFound(_ kind: Kind) throws {
        // Reads of different times are rare enough to need several attempts.
        var isFound = false
        for _ in 0..<20 where !isFound {
            let split = try record(kind, .split)
            isFound = split.anomalies[.nonRepeatableRead] != nil || split.anomalies[.readSkew] != nil
        }
        #expect(isFound)
        let overwriting = try record(kind, .overwriting)
        #expect(overwriting.anomalies[.lostUpdate] != nil)
    }

    @Test func eachAnomalyIsFound() {
        func anomalies(_ lines: String...) -> Set<IsolationChecker.Anomaly> {
            var checker = IsolationChecker()
            for line in lines { checker.add(Substring(line)) }
            checker.check()
            return Set(checker.anomalies.keys)
        }
        expectEqual(anomalies("t ok r1= a1=1", "t ok r1=1 a1=2", "t ok r1=1.2"), [])
        #expect(anomalies("t ok r1= a1=1", "t ok r1= a1=2", "t ok r1=2").contains(.lostUpdate))
        expectEqual(anomalies("t fail r1= a1=1", "t ok r1=1"), [.dirtyRead])
        #expect(anomalies("t ok r1= a1=1 a1=2", "t ok r1=1", "t ok r1=1.2").contains(.dirtyRead))
        expectEqual(anomalies("t ok r1= a1=1", "t ok r1= r1=1", "t ok r1=1"), [.nonRepeatableRead])
        expectEqual(anomalies("t ok r1= r2= a1=1 a2=2", "t ok r1=1 r2=", "t ok r1=1 r2=2"), [.readSkew])
        #expect(anomalies("t ok r1= r2=2 a1=1", "t ok r1=1 r2= a2=2", "t ok r1=1 r2=2").contains(.cycle))
        #expect(anomalies("t ok r1=1 x1=2,1,1 ", "t ok r1= a1=1").contains(.torn))
        // A write must be visible once it is acknowledged, or once another transaction has read it.
        expectEqual(anomalies("t ok @1-2 r1= a1=1", "t ok @3-4 r1=", "t ok r1=1"), [.staleRead])
        expectEqual(anomalies("t ok @1-9 r1= a1=1", "t ok @2-3 r1=1", "t ok @4-5 r1="), [.staleRead])
        expectEqual(
            anomalies("t ok @1-9 r1= r2= a1=1 a2=2", "t ok @2-3 r1=1", "t ok @4-5 r2=", "t ok r1=1 r2=2"),
            [.staleRead]
        )
        expectEqual(anomalies("t ok @5-6 r1= a1=1", "t ok @1-2 r1=1"), [.staleRead])
        expectEqual(anomalies("t ok @1-5 r1= a1=1", "t ok @3-4 r1=", "t ok @6-7 r1=1"), [])
        // Snapshot isolation permits write skew.
        expectEqual(anomalies("t ok r1= r2= a1=1", "t ok r1= r2= a2=2", "t ok r1=1 r2=2"), [])
    }
}

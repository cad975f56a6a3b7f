// Kills of processes that write one PostgreSQL store, of its server, and of a primary with a synchronous standby. The
// environment sets the numbers of the long form: DATABASE_KILLS, SERVER_KILLS, FAILOVERS, and the first seed KILL_SEED.
import ExpectationSupport
import Foundation
import PostgreSQLSupport
import SharedStoreSupport
import Testing

@Suite(
    "PostgreSQL: kills",
    .serialized,
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
)
struct DatabaseKillTests {
    private static let seed = SharedStoreSetting.number("KILL_SEED", 1)

    @Test(
        "A killed process leaves every acknowledged save, nothing by half, and no lock",
        arguments: ["standard", "distributed"]
    )
    func killedProcesses(_ profile: String) throws {
        let server = try PostgreSQLServer()
        var kills = WriterKills(SharedStoreSetting.number("DATABASE_KILLS", 2), pause: 250_000, seed: Self.seed)
        try kills.run {
            try SharedDatabase(server, address: server.address("postgres", "pool=4", "profile=\(profile)"))
        }
        print(
            "killed \(kills.count) processes, \(profile): \(kills.saves) saves, "
                + "\(kills.unacknowledged) committed without a reply"
        )
        #expect(kills.saves > kills.count)
    }

    @Test("Processes go on after their server was killed, and no save is lost, half or double")
    func killedServers() throws {
        let kills = SharedStoreSetting.number("SERVER_KILLS", 2)
        var codes: [String: Int] = [:]
        var saves = 0
        let server = try PostgreSQLServer()
        let database = try SharedDatabase(server)
        let processes = try (0..<WriterKills.writers).map {
            try database.startWriter($0, from: SharedWriter.first, seed: Self.seed + $0)
        }
        for kill in 0..<kills {
            let counts = processes.map(\.saves)
            for (process, count) in zip(processes, counts) {
                #expect(process.saves(more: 2, than: count), "kill \(kill): \(process.errors.last ?? "no error")")
            }
            usleep(.random(in: 0...100_000))
            let acknowledged = { processes.map(\.saved) }
            server.kill()
            let before = acknowledged()
            try server.start()
            for (writer, saved) in before.enumerated() {
                #expect(try database.lastStep(of: writer) >= saved, "kill \(kill)")
            }
            let violations = try database.violations()
            #expect(violations.isEmpty, "kill \(kill)")
            if kill % 20 == 19 {
                SharedStoreSetting.progress("\(kill + 1) servers killed, \(processes.map(\.saves)) saves")
            }
        }
        for (writer, process) in processes.enumerated() {
            let count = process.saves
            #expect(process.saves(more: 1, than: count))
            process.kill()
            expectNil(process.failure)
            #expect(try database.lastStep(of: writer) >= process.saved)
            saves += process.saves
            for error in process.errors { codes[String(error.prefix { $0 != " " }), default: 0] += 1 }
        }
        try expectEqual(database.openTransactions(), [])
        try expectEqual(database.violations(), [])
        print("killed the server \(kills) times: \(saves) saves, errors by code \(codes)")
        // A process that was between two saves may not have noticed.
        #expect(processes.contains { !$0.errors.isEmpty })
    }

    @Test("Processes find the promoted standby, and every acknowledged save is there")
    func failOvers() throws {
        let count = SharedStoreSetting.number("FAILOVERS", 1)
        var saves = 0
        var codes: [String: Int] = [:]
        for round in 0..<count {
            let server = try PostgreSQLServer()
            let standby = try server.makeStandby()
            let hosts = "host=127.0.0.1,127.0.0.1&port=\(server.port),\(standby.port)&user=\(PostgreSQLServer.user)"
            let database = try SharedDatabase(
                server,
                address: "postgresql:///postgres?\(hosts)&target_session_attrs=read-write&pool=4&connect_timeout=5"
            )
            try server.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try server.execute("SELECT pg_reload_conf()")
            let processes = try (0..<WriterKills.writers).map {
                try database.startWriter($0, from: SharedWriter.first, seed: Self.seed + round * 10 + $0)
            }
            for process in processes { #expect(process.saves(more: 5, than: 0), "\(process.errors)") }
            usleep(.random(in: 0...300_000))
            server.kill()
            let acknowledged = processes.map(\.saved)
            try standby.promote()
            for (writer, process) in processes.enumerated() {
                let saved = try database.lastStep(of: writer, on: standby)
                #expect(saved >= acknowledged[writer], "fail-over \(round)")
                let now = process.saves
                #expect(process.saves(more: 3, than: now), "fail-over \(round): \(process.errors.last ?? "no error")")
            }
            for (writer, process) in processes.enumerated() {
                process.kill()
                expectNil(process.failure)
                #expect(try database.lastStep(of: writer, on: standby) >= process.saved)
                saves += process.saves
                for error in process.errors { codes[String(error.prefix { $0 != " " }), default: 0] += 1 }
            }
            try expectEqual(database.violations(on: standby), [])
            if round % 5 == 4 { SharedStoreSetting.progress("\(round + 1) fail-overs, \(saves) saves") }
        }
        print("failed over \(count) times: \(saves) saves, errors by code \(codes)")
    }
}

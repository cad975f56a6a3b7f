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
    private static let writers = 3
    private static let seed = SharedStoreSetting.number("KILL_SEED", 1)

    @Test(
        "A killed process leaves every acknowledged save, nothing by half, and no lock",
        arguments: ["standard", "distributed"]
    )
    func killedProcesses(_ profile: String) throws {
        let kills = SharedStoreSetting.number("DATABASE_KILLS", 2)
        let killsOfOneStore = 20
        let server = try PostgreSQLServer()
        var saves = 0
        var unacknowledged = 0
        for round in 0..<(kills + killsOfOneStore - 1) / killsOfOneStore {
            var random = SystemRandomNumberGenerator()
            let database = try SharedDatabase(
                server,
                address: server.address("postgres", "pool=4", "profile=\(profile)")
            )
            let followers = try [HistoryFollower.Occasion.always, .remoteChange].map {
                try HistoryFollower(database.address, on: $0)
            }
            var processes = try (0..<Self.writers).map {
                try database.startWriter($0, from: SharedWriter.first, seed: Self.seed + round)
            }
            for kill in 0..<min(killsOfOneStore, kills - round * killsOfOneStore) {
                let number = round * killsOfOneStore + kill
                let writer = Int.random(in: 0..<Self.writers, using: &random)
                let process = processes[writer]
                // A process that has just been started must have gone on.
                #expect(process.saves(more: 1, than: 0), "\(process.failure ?? "no save") of \(process.errors)")
                usleep(.random(in: 0...250_000))
                process.kill()
                expectNil(process.failure)
                #expect(process.errors.isEmpty)
                // A COMMIT that the server has received runs on without the process.
                try waitForEnds(server)
                let last = try database.lastStep(of: writer)
                #expect(last == process.saved || last == process.saved + 1, "kill \(number)")
                unacknowledged += last - process.saved
                let violations = try database.violations()
                #expect(violations.isEmpty, "kill \(number)")
                saves += process.saves
                processes[writer] = try database.startWriter(writer, from: last + 1, seed: Self.seed + number + 1_000)
                if number % 50 == 49 { SharedStoreSetting.progress("\(number + 1) processes killed, \(saves) saves") }
            }
            for process in processes {
                _ = process.saves(more: 1, than: 0)
                process.kill()
                saves += process.saves
                expectNil(process.failure)
            }
            try expectEqual(database.openTransactions(), [])
            try expectEqual(database.violations(), [])
            if profile == "distributed" {
                // The numbers of killed saves are closed after a minute, for which this test does not wait.
                try server.execute("UPDATE \(database.schema)._pending SET at = at - interval '1 hour'")
            }
            let authors = try database.authors()
            for follower in followers {
                let seen = try follower.stop(after: authors.count)
                expectEqual(seen, authors, "another process saw another history")
            }
        }
        print(
            "killed \(kills) processes of \(Self.writers), \(profile): \(saves) saves, \(unacknowledged) committed without a reply"
        )
        #expect(saves > kills)
    }

    /// Waits until the server has ended the sessions whose clients are gone.
    private func waitForEnds(_ server: PostgreSQLServer) throws {
        // A session without a client ends at its next read or write.
        for _ in 0..<500 {
            let rows = try server.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND client_port > 0 "
                    + "AND NOT client_port = ANY(ARRAY[\(Self.openPorts())]::int[])"
            )
            if rows[0][0] == "0" { return }
            usleep(2_000)
        }
        Issue.record("sessions of killed processes stay open")
    }

    /// The local ports of all established connections of this machine.
    private static func openPorts() throws -> String {
        // Foundation reads such a file by its size, which is that of a page.
        let data = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd() ?? Data()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let ports = lines.dropFirst().compactMap { line -> Int? in
            let fields = line.split(separator: " ")
            // 01 is an established connection.
            guard fields.count > 3, fields[3] == "01" else { return nil }
            return fields[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }
        }
        return (["-1"] + ports.map(String.init)).joined(separator: ",")
    }

    @Test("Processes go on after their server was killed, and no save is lost, half or double")
    func killedServers() throws {
        let kills = SharedStoreSetting.number("SERVER_KILLS", 2)
        var codes: [String: Int] = [:]
        var saves = 0
        let server = try PostgreSQLServer()
        let database = try SharedDatabase(server)
        let processes = try (0..<Self.writers).map {
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
            let processes = try (0..<Self.writers).map {
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

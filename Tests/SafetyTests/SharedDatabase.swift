// A schema that several processes write, with the checks after kills: everything that was acknowledged is there, nothing
// by half, and no session of a process that is gone keeps a lock.
import Foundation
import PostgreSQLSupport
import SharedStoreSupport
import Testing

/// A shared store in a schema of a server.
struct SharedDatabase: KilledStore {
    let server: PostgreSQLServer
    let schema: String
    let address: String
    /// Whether the store has the distributed profile, whose numbers of saves are rows.
    private let isDistributed: Bool

    init(_ server: PostgreSQLServer, address: String? = nil, counters: Int = 0, registers: Int = 0) throws {
        self.server = server
        let schema = try server.makeSchema()
        self.schema = schema
        self.address =
            address.map { "\($0)&schema=\(schema)" } ?? server.address("postgres", "schema=\(schema)", "pool=4")
        isDistributed = self.address.contains("profile=distributed")
        let store = try SharedStore(self.address)
        try store.fill(counters: counters, registers: registers)
        try store.close()
    }

    /// Everything that is wrong in the tables.
    func violations(on other: PostgreSQLServer? = nil) throws -> [String] {
        try (other ?? server).execute(SharedWriter.violations(schema: schema)).compactMap { $0[0] }
    }

    /// The last step of a writer that is in the history.
    func lastStep(of writer: Int, on other: PostgreSQLServer? = nil) throws -> Int {
        let rows = try (other ?? server).execute(
            "SELECT COALESCE(max(split_part(author, ':', 2)::bigint), 9) FROM \(schema)._transaction "
                + "WHERE author LIKE '\(writer):%'"
        )
        return rows[0][0].flatMap { Int($0) } ?? 0
    }

    func check(_ writer: Int) throws -> (last: Int, violations: [String]) {
        try (lastStep(of: writer), violations())
    }

    func problems() throws -> [String] {
        let problems = try openTransactions() + violations()
        if isDistributed {
            // The numbers of killed saves are closed after a minute, for which a test does not wait.
            try server.execute("UPDATE \(schema)._pending SET at = at - interval '1 hour'")
        }
        return problems
    }

    /// Waits until the server has ended the sessions whose clients are gone: a COMMIT that it has received runs on.
    func settle() throws {
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

    /// The authors of all transactions in the order of their numbers.
    func authors() throws -> [String] {
        try server.execute("SELECT author FROM \(schema)._transaction ORDER BY number").compactMap { $0[0] }
    }

    /// Waits until no transaction is open; returns the sessions that still have one after a while.
    func openTransactions() throws -> [String] {
        var rows: [[String?]] = []
        for _ in 0..<200 {
            rows = try server.execute(
                "SELECT pid || ' ' || state || ' ' || left(query, 60) FROM pg_stat_activity WHERE xact_start IS NOT NULL "
                    + "AND pid <> pg_backend_pid() AND backend_type = 'client backend' UNION ALL "
                    + "SELECT 'prepared ' || gid FROM pg_prepared_xacts"
            )
            if rows.isEmpty { return [] }
            usleep(10_000)
        }
        return rows.compactMap { $0[0] }
    }
}

// A schema that several processes write, with the checks after kills: everything that was acknowledged is there, nothing
// by half, and no session of a process that is gone keeps a lock.
import Foundation
import PostgreSQLSupport
import SharedStoreSupport
import Testing

/// A shared store in a schema of a server.
struct SharedDatabase {
    let server: PostgreSQLServer
    let schema: String
    let address: String

    init(_ server: PostgreSQLServer, address: String? = nil, counters: Int = 0, registers: Int = 0) throws {
        self.server = server
        let schema = try server.makeSchema()
        self.schema = schema
        self.address =
            address.map { "\($0)&schema=\(schema)" } ?? server.address("postgres", "schema=\(schema)", "pool=4")
        let store = try SharedStore(self.address)
        try store.fill(counters: counters, registers: registers)
        try store.close()
    }

    func startWriter(_ writer: Int, from first: Int, seed: Int) throws -> SharedStoreProcess {
        try SharedStoreProcess(["write", address, "\(writer)", "\(first)", "\(seed)"])
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

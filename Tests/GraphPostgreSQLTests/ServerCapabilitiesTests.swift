// The products that speak PostgreSQL's protocol, and the features that each has.
import ExpectationSupport
import Foundation
import PostgreSQLSupport
import Testing

@testable import GraphPostgreSQL

struct ServerCapabilitiesTests {
    @Test(
        arguments: [
            ("PostgreSQL 15.14 (Debian 15.14-0+deb12u1) on x86_64-pc-linux-gnu", false, ServerFacts.Vendor.postgreSQL),
            ("PostgreSQL 16.3 on x86_64-pc-linux-gnu", true, .citus),
            ("CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024/05/15)", false, .cockroachDB),
            ("PostgreSQL 11.2-YB-2.20.1.3-b0 on x86_64-pc-linux-gnu", false, .yugabyteDB),
            ("PostgreSQL 15.2-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu", true, .yugabyteDB),
        ]
    )
    func productsAreRecognized(_ text: String, _ hasCitus: Bool, _ vendor: ServerFacts.Vendor) {
        expectEqual(ServerFacts.vendor(text, hasCitus: hasCitus), vendor)
    }

    /// The rows of the table of features in the guide: name, and whether each column says yes.
    private static func documentedTable() throws -> [String: [Bool]] {
        let guide = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/PostgreSQL.md")
        let lines = try String(contentsOf: guide, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let rows = lines.drop { !$0.hasPrefix("| feature | PostgreSQL |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        var table: [String: [Bool]] = [:]
        for row in rows {
            let cells = row.dropFirst().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            table[cells[0]] = cells[1...4].map { $0 == "yes" } + [cells[5] == "needs it"]
        }
        return table
    }

    @Test func theGuideHasTheFeaturesOfEachProduct() throws {
        let table = try Self.documentedTable()
        expectEqual(table.count, ServerCapabilities.names.count)
        for (capability, name) in ServerCapabilities.names {
            let row = try #require(table[name], "\(name)")
            let products: [ServerFacts.Vendor] = [.postgreSQL, .citus, .cockroachDB, .yugabyteDB]
            for (product, has) in zip(products, row) {
                expectEqual(ServerCapabilities.documented(of: product).contains(capability), has, "\(name), \(product)")
            }
            expectEqual(ServerCapabilities.requiredByStandardProfile.contains(capability), row[4], "\(name)")
        }
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
    func functionsThatTheUserMayNotCallTakeFeaturesAway() throws {
        let server = try PostgreSQLServer.shared()
        let all = try PostgreSQLConnection(DatabaseAddress(server.address(try server.makeDatabase())))
        defer { all.close() }
        expectEqual(all.facts.capabilities, ServerCapabilities.documented(of: .postgreSQL))
        let distributed = try DistributedServer.shared()
        let address = distributed.address(schema: DistributedServer.newSchema())
        let some = try PostgreSQLConnection(DatabaseAddress(address))
        defer { some.close() }
        let missing = ServerCapabilities.documented(of: .postgreSQL).subtracting(some.facts.capabilities)
        expectEqual(missing, [.transactionNumbers, .sequences, .notifications, .advisoryLocks, .sessionEnding])
    }
}

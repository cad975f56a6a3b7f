// Tests that copies and comparisons of stores keep a bounded number of related objects in memory.
import ExpectationSupport
import Foundation
import ManagedGraph
import PostgreSQLSupport
import Testing

struct OwnerPortionTests {
    @Test("Objects with many related objects are read in smaller portions, whatever came before")
    func adapts() {
        var portion = OwnerPortion()
        #expect(portion.count <= 128)
        portion.note(owners: 64, members: 64_000)
        expectEqual(portion.count, 8)
        portion.note(owners: 8, members: 8_000_000)
        expectEqual(portion.count, 1)
        // It grows slowly, so that the next portion holds at most four times the members.
        for expected in [4, 16, 64, 256, 1_024, 4_096, 8_192, 8_192] {
            portion.note(owners: portion.count, members: 0)
            expectEqual(portion.count, expected)
        }
        portion.note(owners: 1_000, members: 2_000)
        expectEqual(portion.count, 4_096)
    }

    @Test(
        "Relationships with many members on both sides are the same after a copy into a database and back",
        .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
    )
    func copied() async throws {
        let folder = try ExchangeFolder()
        let tags = (0..<150).map { "{\"$id\":\"t\($0)\",\"$entity\":\"Tag\",\"name\":\"tag \($0)\"}" }
        let names = (0..<150).reversed().map { "\"t\($0)\"" }.joined(separator: ",")
        let things = (0..<150).map { "{\"$entity\":\"Thing\",\"name\":\"thing \($0)\",\"tags\":[\(names)]}" }
        let store = try await folder.store("many.sqlite", (tags + things).joined(separator: "\n"))
        let server = try PostgreSQLServer.shared()
        let schema = try server.makeSchema()
        let address = server.address("postgres", "schema=\(schema)")
        let model = folder.model
        #expect(try await folder.run("copy", store, address, "--model", model).status == 0)
        #expect(try await folder.run("copy", address, folder.path("back.sqlite")).status == 0)
        for other in [address, folder.path("back.sqlite")] {
            let comparison = try await folder.run("compare", store, other, "--model", model, "--json")
            expectEqual(comparison.objects.first?["equal"] as? Bool, true, "\(comparison.output)\(comparison.errors)")
        }
        let pairs = "\(schema).\"Thing_tags\""
        try server.execute("DELETE FROM \(pairs) WHERE ctid = (SELECT ctid FROM \(pairs) LIMIT 1)")
        let changed = try await folder.run("compare", store, address, "--model", model, "--json")
        expectEqual(changed.objects.first?["equal"] as? Bool, false, "\(changed.output)\(changed.errors)")
    }
}

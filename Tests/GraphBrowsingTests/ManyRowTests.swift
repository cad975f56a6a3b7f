// A million rows: any part of them is read with a few statements and memory for their keys only.
import ExpectationSupport
import Foundation
import GraphBrowsing
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

struct ManyRows {
    /// Inserts rows without objects.
    private static func fill(_ kennel: Kennel, _ count: Int) throws {
        let context = kennel.coordinator.makeContext()
        try context.performAndWait { () throws in
            var next = 0
            let request = NSBatchInsertRequest(
                entityName: "Vet",
                dictionaryHandler: { row in
                    if next == count { return true }
                    row["name"] = String(format: "V%07d", next)
                    next += 1
                    return false
                }
            )
            _ = try context.execute(request)
        }
    }

    @Test func partsOfAHundredThousandRowsNeedAFewStatements() async throws {
        let kennel = try Kennel()
        try Self.fill(kennel, 100_000)
        let statements = Mutex<[String]>([])
        let observation = kennel.coordinator.observeActivity { activity in
            if case .statement(let statement) = activity { statements.withLock { $0.append("\(statement)") } }
        }
        defer { observation.cancel() }
        func sql(_ offset: Int) async throws -> [String] {
            statements.withLock { $0 = [] }
            let window = try await kennel.session.window(
                RowRequest(entity: "Vet", sort: ["-name"], columns: ["name", "patients"], offset: offset, limit: 100)
            )
            expectEqual(window.total, 100_001)
            expectEqual(window.rows.count, (offset < 100_000 ? 100 : 1))
            // Snapshots begin and end without reading rows.
            return statements.withLock { $0.filter { !$0.hasPrefix("snapshot") } }
        }
        // The first part is found without reading the keys of the others.
        #expect(try await sql(0).count <= 4)
        #expect(try await sql(50_000).count <= 3)
        for offset in [99_900, 100_000, 12_300] { #expect(try await sql(offset).count <= 2) }
    }
}

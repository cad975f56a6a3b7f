// A store of the distributed profile whose rows are on two further servers: the tables are hash partitions that are
// foreign tables (postgres_fdw), as an administrator would create them before the store.
import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSupport
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@testable import ManagedGraph

@Suite(
    "PostgreSQL: rows on several servers",
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
)
struct DistributedPartitionTests {
    private let shards: [PostgreSQLServer]
    private let server: PostgreSQLServer
    private let schema = DistributedServer.newSchema()
    private let url: URL

    private static func model() -> NSManagedObjectModel {
        let tenant = NSAttributeDescription("tenant", .integer64AttributeType, optional: false)
        let count = NSAttributeDescription("count", .integer64AttributeType)
        count.setValidationPredicates([NSPredicate(format: "SELF >= 0")], withValidationWarnings: [1620])
        let item = NSEntityDescription("Item", [tenant, NSAttributeDescription("name"), count])
        item.uniquenessConstraints = [["tenant", "name"]]
        item.userInfo = ["SQLDistributionColumn": "tenant"]
        let book = NSEntityDescription("Book", [NSAttributeDescription("isbn")])
        item.subentities = [book]
        let shelf = NSEntityDescription("Shelf", [NSAttributeDescription("name")])
        shelf.relate("items", toMany: true, to: item, "shelf")
        shelf.relate("topics", toMany: true, to: item, "places", inverseToMany: true)
        return NSManagedObjectModel([item, book, shelf])
    }

    /// The tables with the columns that spread their rows.
    private static let tables = [("Item", "tenant"), ("Shelf", "_id"), ("Item_places", "topics")]

    init() throws {
        let distributed = try DistributedServer.shared()
        server = distributed.server
        url = try #require(URL(string: distributed.address(schema: schema)))
        shards = try (0..<2).map { _ in try PostgreSQLServer(settings: ["max_pred_locks_per_transaction": "256"]) }
        try server.execute("CREATE EXTENSION IF NOT EXISTS postgres_fdw; CREATE SCHEMA \(schema) AUTHORIZATION app")
        for (number, shard) in shards.enumerated() {
            // Each server has whole tables with their keys and uniqueness constraints.
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
            let place = try #require(URL(string: shard.address("postgres", "schema=rows", "profile=distributed")))
            let store = try coordinator.addPersistentStore(type: .postgreSQL, at: place)
            try coordinator.remove(store)
            try server.execute(
                """
                CREATE SERVER \(schema)_\(number) FOREIGN DATA WRAPPER postgres_fdw OPTIONS \
                (host '127.0.0.1', port '\(shard.port)', dbname 'postgres'); \
                CREATE USER MAPPING FOR app SERVER \(schema)_\(number) OPTIONS (user 'postgres', password_required 'false'); \
                GRANT USAGE ON FOREIGN SERVER \(schema)_\(number) TO app
                """
            )
        }
        for (table, column) in Self.tables {
            let columns =
                try shards[0]
                .execute(
                    """
                    SELECT string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod) || CASE WHEN \
                    attcollation = 950 THEN ' COLLATE "C"' ELSE '' END || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END, \
                    ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'rows."\(table)"'::regclass AND attnum > 0
                    """
                )[0][0] ?? ""
            var statements = [
                "SET ROLE app",
                "CREATE TABLE \(schema).\"\(table)\" (\(columns)) PARTITION BY HASH (\"\(column)\")",
            ]
            for number in shards.indices {
                statements.append(
                    """
                    CREATE FOREIGN TABLE \(schema)."\(table)_\(number)" PARTITION OF \(schema)."\(table)" FOR VALUES \
                    WITH (MODULUS \(shards.count), REMAINDER \(number)) SERVER \(schema)_\(number) \
                    OPTIONS (schema_name 'rows', table_name '\(table)')
                    """
                )
            }
            try server.execute(statements.joined(separator: "; "))
        }
    }

    private func open() throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            type: .postgreSQL,
            at: url,
            options: [NSPostgreSQLProfileOption: PostgreSQLProfile.distributed.rawValue]
        )
        return coordinator
    }

    private func run<R>(
        _ coordinator: NSPersistentStoreCoordinator,
        _ body: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        let context = coordinator.makeContext()
        return try context.performAndWait { () throws in try body(context) }
    }

    /// The rows of a table on each server.
    private func counts(_ table: String) throws -> [Int] {
        try shards.map { Int(try $0.execute("SELECT count(*) FROM rows.\"\(table)\"")[0][0] ?? "") ?? -1 }
    }

    @Test("Objects, relationships, conflicts, uniqueness and history work over rows on two servers")
    func twoServers() throws {
        let coordinator = try open()
        try run(coordinator) { (context) throws in
            let shelves = (0..<10).map { context.make("Shelf", ["name": "s\($0)"]) }
            for number in 0..<60 {
                let entity = number % 3 == 0 ? "Book" : "Item"
                let item = context.make(entity, ["tenant": number % 12, "name": "i\(number / 12)", "count": number])
                item.setValue(shelves[number % 10], forKey: "shelf")
                item.setValue(NSSet(array: [shelves[number % 7], shelves[9]]), forKey: "places")
            }
            try context.save()
        }
        for (table, _) in Self.tables {
            let rowCounts = try counts(table)
            #expect(rowCounts.allSatisfy { $0 > 0 }, "\(table) \(rowCounts)")
        }
        try expectEqual(counts("Item").reduce(0, +), 60)
        try run(coordinator) { (context) throws in
            try expectEqual(context.count(for: context.request("Item", "tenant < 3 AND shelf.name == 's1'")), 1)
            try expectEqual(
                context.count(for: context.request("Shelf", "SUBQUERY(topics, $t, $t.count > 55).@count > 1")),
                1
            )
            try expectEqual(context.count(for: context.request("Book")), 20)
            let shelves = context.request("Shelf")
            shelves.relationshipKeyPathsForPrefetching = ["items", "topics"]
            let objects = try context.fetch(shelves)
            expectEqual(
                objects.map { ($0.value(forKey: "items") as? NSSet)?.count ?? 0 },
                Array(repeating: 6, count: 10)
            )
            expectEqual((objects[9].value(forKey: "topics") as? NSSet)?.count, 60)
            // Updates and deletions on both servers in one save.
            for item in try context.fetch(context.request("Item", "count >= 30", sort: ["count"])) {
                if (item.value(forKey: "count") as? Int ?? 0) % 2 == 0 {
                    item.setValue(-1 + 1_000, forKey: "count")
                } else {
                    context.delete(item)
                }
            }
            context.delete(objects[0])
            try context.save()
        }
        try expectEqual(counts("Item").reduce(0, +), 45)
        try expectEqual(counts("Shelf").reduce(0, +), 9)
        try run(coordinator) { (context) throws in
            try expectEqual(context.count(for: context.request("Item", "shelf == nil")), 6)
            try expectEqual(context.count(for: context.request("Item", "count == 999")), 15)
            // The value exists already on the server that has the tenant.
            context.make("Item", ["tenant": 1, "name": "i0"])
            expectEqual(#expect(throws: NSError.self) { try context.save() }?.code, NSManagedObjectConstraintMergeError)
            context.rollback()
            // A conflict between two contexts.
            let item = try #require(try context.fetch(context.request("Item", "tenant == 1 AND name == 'i0'")).first)
            item.setValue(7, forKey: "count")
            try run(coordinator) { (other) throws in
                try other.fetch(other.request("Item", "tenant == 1 AND name == 'i0'")).first?.setValue(
                    8,
                    forKey: "count"
                )
                try other.save()
            }
            expectEqual(#expect(throws: NSError.self) { try context.save() }?.code, NSManagedObjectMergeError)
            context.rollback()
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let history = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = history?.result as? [NSPersistentHistoryTransaction] ?? []
            expectEqual(transactions.count, 3)
            expectEqual(transactions.last?.changes?.count, 1)
        }
        let engine = try #require((coordinator.persistentStores[0] as? any EngineStore)?.engine as? PostgreSQLEngine)
        try expectEqual(engine.findings().map(\.text).filter { !$0.hasPrefix("The index") }, [])
        DistributedLint.checkServer()
    }

    @Test("Increments by several threads on rows of both servers are all there")
    func increments() throws {
        let coordinator = try open()
        try run(coordinator) { (context) throws in
            for tenant in 0..<6 { context.make("Item", ["tenant": tenant, "name": "n", "count": 0]) }
            try context.save()
        }
        #expect(try counts("Item").allSatisfy { $0 > 0 })
        let (threads, saves) = (3, 8)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            do {
                let context = try open().makeContext()
                for number in 0..<saves {
                    try context.saveUntilItSucceeds { () throws in
                        // Two rows, usually on different servers.
                        for tenant in [number % 6, (number + 3) % 6] {
                            try context.fetch(context.request("Item", "tenant == \(tenant)")).first?.increment("count")
                        }
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        let sums = try shards.map { Int(try $0.execute("SELECT sum(count) FROM rows.\"Item\"")[0][0] ?? "") ?? 0 }
        expectEqual(sums.reduce(0, +), threads * saves * 2)
    }
}

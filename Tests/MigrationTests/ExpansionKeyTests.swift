// Keys of a store that has had several versions side by side: no version assigns a key that another has assigned, not
// even that of a deleted object.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
import GraphSQL
import ManagedGraph
import ManagedGraphPostgreSQL
import ManagedGraphTools
import PostgreSQLSupport
import Testing

@Suite(
    "PostgreSQL: keys of versions side by side",
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
)
struct ExpansionKeyTests {
    /// The XML of string attributes.
    private static func attributes(_ count: Int) -> String {
        (0..<count).map { "<attribute name=\"text\($0)\" optional=\"YES\" attributeType=\"String\"/>" }.joined()
    }

    /// Versions of notes, each with one attribute more than the version before.
    private func versions() throws -> Versions {
        let entities = (1...3).map { LightweightTests.entity("Note", Self.attributes($0)) }
        let versions = try Versions.$areInDatabase.withValue(true) { try Versions(entities) }
        try versions.fill { $0.add("Note", ["text0": "first"]) }
        return versions
    }

    @Test("The views of the last second version are removed with their store")
    func destroying() throws {
        let versions = try versions()
        try versions.side(2).expand()
        try versions.side(2).contract()
        let address = try DatabaseAddress(versions.store.absoluteString)
        let connection = try PostgreSQLConnection(address)
        defer { connection.close() }
        let schemas = SQLStatement(
            "SELECT count(*) FROM pg_namespace WHERE starts_with(nspname, '_version_') AND right(nspname, length($1)) = $1",
            [.text("_\(address.schema)")]
        )
        try expectEqual(connection.execute(schemas).integer(0, 0), 1)
        try NSPersistentStoreCoordinator(managedObjectModel: versions.model(2)).destroyPersistentStore(
            at: versions.store,
            type: .postgreSQL
        )
        try expectEqual(connection.execute(schemas).integer(0, 0), 0)
    }

    /// Inserts 500 notes, whose keys come from eight blocks.
    private func insert(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            for number in 0..<500 { context.add("Note", ["text0": "\(number)"]) }
            try context.save()
        }
    }

    private func keys(_ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait {
            try context.all("Note").map { $0.objectID.uriRepresentation().lastPathComponent }
        }
    }

    @Test("Three versions one after the other give each key once, and the check finds sequences that fit")
    func threeVersions() throws {
        let versions = try versions()
        try versions.side(2).expand()
        let second = try versions.open(2, at: versions.views, migrates: false)
        try insert(second)
        try versions.side(2).contract()
        try versions.side(3).expand()
        let third = try versions.open(3, at: versions.views, migrates: false)
        let former = try versions.open(2, migrates: false)
        for context in [third, former, third, former] { try insert(context) }
        try expectEqual(keys(third).count, 2_501)
        try versions.side(3).contract()
        // Programs that opened the views still insert rows beside those that open the tables.
        let tables = try versions.open(3, migrates: false)
        for context in [third, tables, third, tables] { try insert(context) }
        try expectEqual(keys(tables).count, 4_501)
        let problems = StoreChecker().check(versions.store).problems
        expectEqual(problems.filter { $0.contains("new keys begin") }, [])
    }

    @Test("A sequence that would give the key of a row again is found between the blocks of another version")
    func wrongSequence() throws {
        let versions = try versions()
        try versions.side(2).expand()
        let second = try versions.open(2, at: versions.views, migrates: false)
        try insert(second)
        try versions.side(2).contract()
        try SchemaTables.execute(
            "INSERT INTO \"Note\" (_id) SELECT last_value + 10 * 128 FROM \"_keys_Note\"",
            at: versions.store
        )
        let problems = StoreChecker().check(versions.store).problems.filter { $0.contains("new keys begin") }
        expectEqual(problems.count, 1)
        let remedy = problems.first?.firstMatch(of: #/SELECT setval\(.+\)/#)?.output
        try SchemaTables.execute(String(try #require(remedy)), at: versions.store)
        let repaired = StoreChecker().check(versions.store).problems
        expectEqual(repaired.filter { $0.contains("new keys begin") }, [])
        try insert(second)
        try insert(versions.open(2, migrates: false))
        try expectEqual(keys(second).count, 1_502)
    }

    @Test("Neither version gives the keys of a second version that was removed")
    func removedVersion() throws {
        let versions = try versions()
        let first = try versions.open(1, migrates: false)
        for _ in 0..<2 {
            try versions.side(2).expand()
            let second = try versions.open(2, at: versions.views, migrates: false)
            try insert(second)
            try insert(second)
            try insert(first)
            try versions.side(2).abandon()
        }
        try insert(first)
        try expectEqual(keys(first).count, 3_501)
    }

    @Test("A migration that copies tables gives no key of the removed views", arguments: [false, true])
    func copiedTables(isStaged: Bool) throws {
        func tree(_ properties: String) -> String {
            LightweightTests.entity("Base", properties) + LightweightTests.entity("Note", "", "parentEntity=\"Base\"")
        }
        let split =
            LightweightTests.entity("Base", Self.attributes(2)) + LightweightTests.entity("Note", Self.attributes(2))
        let versions = try Versions.$areInDatabase.withValue(true) {
            try Versions(tree(Self.attributes(1)), tree(Self.attributes(2)), split)
        }
        try versions.fill { $0.add("Note", ["text0": "first"]) }
        try versions.side(2).expand()
        let second = try versions.open(2, at: versions.views, migrates: false)
        try insert(second)
        let former = try Set(keys(second))
        expectEqual(former.count, 501)
        try second.performAndWait {
            for note in try second.all("Note") { second.delete(note) }
            try second.save()
        }
        try versions.side(2).contract()
        var options: [AnyHashable: Any] = [:]
        if isStaged {
            let stage = NSCustomMigrationStage(
                migratingFrom: try StagedTests.reference(versions, 2),
                to: try StagedTests.reference(versions, 3)
            )
            stage.willMigrateHandler = { _, _ in }
            options = StagedTests.options(NSStagedMigrationManager([stage]))
        }
        let third = try versions.open(3, options: options)
        try insert(third)
        try insert(third)
        let fresh = try Set(keys(third))
        expectEqual(fresh.count, 1_000)
        #expect(fresh.isDisjoint(with: former))
    }
}

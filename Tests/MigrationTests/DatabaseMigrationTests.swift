// The promises of migrations in a database: one migrator at a time, programs of the old version, failures in the middle,
// keys, rows that are not moved.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
import GraphSupport
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Synchronization
import Testing

@Suite("PostgreSQL: migrations", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct DatabaseMigrationTests {
    private static func attribute(_ name: String, _ type: String = "String", _ more: String = "") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>"
    }

    /// Notes with a title, which become notes with a name and a number.
    private func versions() throws -> Versions {
        try Versions.$areInDatabase.withValue(true) {
            try Versions(
                LightweightTests.entity("Note", Self.attribute("title")),
                LightweightTests.entity(
                    "Note",
                    Self.attribute("name", "String", "elementID=\"title\"")
                        + Self.attribute("number", "Integer 32", "defaultValueString=\"7\"")
                )
            )
        }
    }

    private func fill(_ versions: Versions, _ count: Int = 3) throws {
        try versions.fill { context in for number in 0..<count { context.add("Note", ["title": "n\(number)"]) } }
    }

    private func text(_ query: String, _ versions: Versions) throws -> String {
        let address = try DatabaseAddress(versions.store.absoluteString)
        let connection = try PostgreSQLConnection(address)
        defer { connection.close() }
        let result = try connection.execute(query.replacing("SCHEMA", with: "\"\(address.schema)\""))
        return try result.string(0, 0) ?? ""
    }

    @Test("Of many programs that open the store with the new version, one migrates it")
    func oneMigrates() throws {
        let versions = try versions()
        try fill(versions, 200)
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do {
                let names: [String?] = try versions.use(2) { try $0.values("name", "Note") }
                if names.count != 200 { failures.withLock { $0.append("\(names.count) objects") } }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        expectEqual(failures.withLock { $0 }, [])
        try expectEqual(text("SELECT generation::text FROM SCHEMA._store", versions), "1")
        try versions.expectTablesOfNewStore()
    }

    @Test("A program that has the old version open gets 134100 on its next save or read, and writes nothing")
    func oldProgramsAreRefused() throws {
        let versions = try versions()
        try fill(versions)
        let old = try versions.open(1, migrates: false)
        try old.performAndWait { try expectEqual(old.all("Note").count, 3) }
        try versions.use(2) { _ in }
        let failures = old.performAndWait { () -> [NSError?] in
            old.reset()
            let readError = #expect(throws: NSError.self) { _ = try old.all("Note") }
            old.add("Note", ["title": "late"])
            let saveError = #expect(throws: NSError.self) { try old.save() }
            old.rollback()
            return [readError, saveError]
        }
        for error in failures {
            expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
            expectEqual(
                error?.localizedRecoverySuggestion?.contains("new version"),
                true,
                "\(String(describing: error))"
            )
        }
        try versions.use(2) { try expectEqual($0.values("name", "Note"), ["n0", "n1", "n2"]) }
    }

    @Test("A save whose statements would still do is refused too, and metadata of the old version are not written")
    func fittingSavesAreRefused() throws {
        let versions = try Versions.$areInDatabase.withValue(true) {
            try Versions(
                LightweightTests.entity("Note", Self.attribute("title")),
                LightweightTests.entity("Note", Self.attribute("title") + Self.attribute("more"))
            )
        }
        try fill(versions)
        let old = try versions.open(1, migrates: false)
        try versions.use(2) { _ in }
        old.performAndWait {
            old.add("Note", ["title": "late"])
            let error = #expect(throws: NSError.self) { try old.save() }
            expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
            old.rollback()
            let store = old.persistentStoreCoordinator?.persistentStores.first
            store?.metadata?["mine"] = "old"
            #expect(throws: NSError.self) { try old.save() }
        }
        try versions.use(2) { try expectEqual($0.all("Note").count, 3) }
    }

    @Test("A migration that ends in the middle changes nothing", arguments: [false, true])
    func nothingHalfDone(isKilled: Bool) throws {
        let versions = try versions()
        try fill(versions, 50)
        let before = try versions.content()
        let progress = Progress(totalUnitCount: 1)
        let killed = Mutex<Int>(0)
        let killerEnded = DispatchSemaphore(value: 0)
        let error = #expect(throws: NSError.self) {
            progress.becomeCurrent(withPendingUnitCount: 1)
            defer { progress.resignCurrent() }
            if isKilled {
                // The server ends the connection of the migration while a lock of the test makes it wait.
                let address = try DatabaseAddress(versions.store.absoluteString)
                let lock = try PostgreSQLConnection(address)
                try lock.execute("BEGIN")
                try lock.execute("LOCK TABLE \"\(address.schema)\".\"Note\" IN ACCESS SHARE MODE")
                // Within a transaction, the list of connections would never change after its first read.
                let watch = try PostgreSQLConnection(address)
                let killer = Thread {
                    for _ in 0..<400 where killed.withLock({ $0 }) == 0 {
                        Thread.sleep(forTimeInterval: 0.025)
                        let ended = try? watch.execute(
                            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
                                + "AND query LIKE 'LOCK TABLE \"\(address.schema)\"%'"
                        )
                        let count = (try? ended?.integer(0, 0)) ?? 0
                        killed.withLock { $0 = Int(count) }
                    }
                    lock.close()
                    watch.close()
                    killerEnded.signal()
                }
                killer.start()
            } else {
                progress.cancel()
            }
            _ = try versions.open(2)
        }
        expectEqual(
            error?.code,
            (isKilled ? NSMigrationError : NSMigrationCancelledError),
            "\(String(describing: error))"
        )
        if isKilled {
            // The migration may end before the killing statement returns.
            expectEqual(killerEnded.wait(timeout: .now() + 60), .success)
            expectEqual(killed.withLock { $0 }, 1)
        }
        try expectEqual(versions.content(), before)
        try versions.use(1) { try expectEqual($0.all("Note").count, 50) }
        try versions.use(2) { try expectEqual($0.all("Note").count, 50) }
    }

    @Test("Renamed, added and removed columns and entities do not move the rows of a table")
    func rowsStay() throws {
        let versions = try versions()
        try fill(versions, 1_000)
        let file = try text("SELECT pg_relation_filenode('SCHEMA.\"Note\"')::text", versions)
        try versions.use(2) { try expectEqual($0.values("number", "Note").filter { $0 == 7 }.count, 1_000) }
        // The table was neither rewritten nor updated.
        try expectEqual(text("SELECT pg_relation_filenode('SCHEMA.\"Note\"')::text", versions), file)
        try expectEqual(text("SELECT count(DISTINCT xmin::text)::text FROM SCHEMA.\"Note\"", versions), "1")
        try expectEqual(text("SELECT max(\"_version\")::text FROM SCHEMA.\"Note\"", versions), "1")
    }

    @Test("A tree that is split gives no key twice")
    func keysContinue() throws {
        let versions = try Versions.$areInDatabase.withValue(true) {
            try Versions(
                LightweightTests.entity("Base", Self.attribute("title"))
                    + LightweightTests.entity("Note", "", "parentEntity=\"Base\""),
                LightweightTests.entity("Base", Self.attribute("title"))
                    + LightweightTests.entity("Note", Self.attribute("title"))
            )
        }
        try versions.fill { context in
            for number in 0..<70 { context.add(number % 2 == 0 ? "Base" : "Note", ["title": "\(number)"]) }
        }
        try versions.use(2) { context in
            for _ in 0..<70 { context.add("Note", ["title": "new"]) }
            context.add("Base", ["title": "new"])
            try context.save()
            try expectEqual(context.all("Note").count, 105)
            try expectEqual(context.all("Base").count, 36)
        }
        try versions.expectTablesOfNewStore()
    }

    @Test("A migration with a handler, which replaces the tables, leaves other users their rights")
    func rights() throws {
        let versions = try versions()
        try fill(versions)
        let schema = try DatabaseAddress(versions.store.absoluteString).schema
        let user = "g_\(schema)"
        try PostgreSQLServer.shared()
            .execute(
                "CREATE ROLE \"\(user)\" LOGIN; GRANT USAGE ON SCHEMA \"\(schema)\" TO \"\(user)\"; "
                    + "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"\(schema)\" TO \"\(user)\"; "
                    + "GRANT USAGE ON ALL SEQUENCES IN SCHEMA \"\(schema)\" TO \"\(user)\""
            )
        let stage = NSCustomMigrationStage(
            migratingFrom: try StagedTests.reference(versions, 1),
            to: try StagedTests.reference(versions, 2)
        )
        stage.willMigrateHandler = { _, _ in }
        try versions.use(2, options: StagedTests.options(NSStagedMigrationManager([stage]))) { _ in }
        let address = versions.store.absoluteString.replacing("://\(PostgreSQLServer.user)@", with: "://\(user)@")
        let url: URL = try #require(URL(string: address))
        try versions.use(2, at: url) { context in
            context.add("Note", ["name": "more"])
            try context.save()
            try expectEqual(context.all("Note").count, 4)
        }
    }
}

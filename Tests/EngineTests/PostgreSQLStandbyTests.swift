// Reads from standbys: contexts see every save of their coordinator, standbys that fail are left out, and those that come
// back are read again.
import ExpectationSupport
import Foundation
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@testable import ManagedGraph

@Suite("PostgreSQL: standbys", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLStandbyTests {
    private let primary: PostgreSQLServer
    private let standby: PostgreSQLServer
    private let coordinator: NSPersistentStoreCoordinator

    init() throws {
        primary = try PostgreSQLServer()
        standby = try primary.makeStandby()
        let address = primary.address("postgres", "schema=shop", "readers=127.0.0.1:\(standby.port)")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
        try coordinator.addPersistentStore(type: .postgreSQL, at: try #require(URL(string: address)))
    }

    private func save(_ name: String) throws {
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            context.make("Tag", ["name": name])
            try context.save()
        }
    }

    private func count() throws -> Int {
        let context = coordinator.makeContext()
        return try context.performAndWait { () throws in try context.fetch(context.request("Tag")).count }
    }

    /// The number of reads of badges that a server has counted; its statistics lag behind by up to ten seconds.
    private func reads(of server: PostgreSQLServer) throws -> Int {
        let rows = try server.execute(
            "SELECT seq_scan + COALESCE(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'Badge'"
        )
        return try #require(rows.first?.first??.isEmpty == false ? Int(rows[0][0] ?? "") : 0)
    }

    private func readBadges() throws {
        let context = coordinator.makeContext()
        let found = try context.performAndWait { () throws in
            try context.fetch(context.request("Badge", sort: ["code"]))
        }
        #expect(found.isEmpty)
    }

    @Test("Reads go to the standby, and see every save of their coordinator")
    func ownWrites() throws {
        for number in 1...100 {
            try save("t\(number)")
            try expectEqual(count(), number)
        }
        try primary.waitForReplay(by: standby)
        for _ in 0..<50 { try readBadges() }
        var found = 0
        for _ in 0..<200 where found < 50 {
            usleep(100_000)
            found = try reads(of: standby)
        }
        #expect(found >= 50)
    }

    @Test("A standby that stays behind, is killed, or has been promoted does no harm")
    func failingStandby() throws {
        try save("a")
        try expectEqual(count(), 1)
        try standby.execute("SELECT pg_wal_replay_pause()")
        try save("b")
        // The standby has the log without it; a change of a row that another coordinator has made is seen, too.
        try expectEqual(count(), 2)
        try standby.execute("SELECT pg_wal_replay_resume()")
        try primary.waitForReplay(by: standby)
        try expectEqual(count(), 2)
        standby.kill()
        try expectEqual(count(), 2)
        try save("c")
        try expectEqual(count(), 3)
        try standby.start()
        try primary.waitForReplay(by: standby)
        usleep(2_100_000)
        let before = try reads(of: standby)
        var tries = 0
        repeat {
            try expectEqual(count(), 3)
            try readBadges()
            usleep(1_200_000)
            tries += 1
        } while try reads(of: standby) == before && tries < 20
        #expect(tries < 20)
        try standby.promote()
        try save("d")
        try expectEqual(count(), 4)
    }

    @Test("A block whose standby is lost fails, and the next one reads elsewhere")
    func lostInBlock() throws {
        try save("a")
        try primary.waitForReplay(by: standby)
        let context = coordinator.makeContext()
        let error = try context.performAndWait { () throws -> NSError? in
            try expectEqual(context.count(for: context.request("Tag")), 1)
            standby.kill()
            do {
                _ = try context.count(for: context.request("Tag"))
                return nil
            } catch {
                return error as NSError
            }
        }
        expectEqual(error?.localizedRecoverySuggestion?.contains("try again"), true)
        try context.performAndWait { () throws in try expectEqual(context.count(for: context.request("Tag")), 1) }
    }

    @Test("A save in conflict sees the row that is in its way, however far the standby is behind")
    func conflicts() throws {
        try save("a")
        try primary.waitForReplay(by: standby)
        let (first, second) = (coordinator.makeContext(), coordinator.makeContext())
        try first.performAndWait { () throws in _ = try first.one("Tag", "a") }
        try standby.execute("SELECT pg_wal_replay_pause()")
        try second.performAndWait { () throws in
            try second.one("Tag", "a").setValue("b", forKey: "name")
            try second.save()
        }
        try first.performAndWait { () throws in
            first.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            let tag = try #require(try first.fetch(first.request("Tag")).first)
            tag.setValue("c", forKey: "name")
            try first.save()
            first.refresh(tag, mergeChanges: false)
            #expect(["b", "c"].contains(tag.value(forKey: "name") as? String))
        }
        try standby.execute("SELECT pg_wal_replay_resume()")
    }
}

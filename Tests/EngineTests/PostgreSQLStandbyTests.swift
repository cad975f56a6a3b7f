// Reads from standbys: contexts see every save of their coordinator, failed standbys are skipped, those that come
// back are used again, and the history is complete.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
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
        coordinator = try Self.open(primary.address("postgres", "schema=shop", "readers=127.0.0.1:\(standby.port)"))
    }

    private static func open(_ address: String, _ options: [String: Any] = [:]) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
        let url = try #require(URL(string: address))
        try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
        return coordinator
    }

    /// Another coordinator over the same servers, as another process would have.
    private func openOther(schema: String = "shop") throws -> NSPersistentStoreCoordinator {
        try Self.open(primary.address("postgres", "schema=\(schema)", "readers=127.0.0.1:\(standby.port)"))
    }

    private func save(_ name: String) throws {
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            context.transactionAuthor = name
            context.make("Tag", ["name": name])
            try context.save()
        }
    }

    private func count() throws -> Int { try count(in: coordinator) }

    private func count(in coordinator: NSPersistentStoreCoordinator) throws -> Int {
        let context = coordinator.makeContext()
        return try context.performAndWait { () throws in try context.fetch(context.request("Tag")).count }
    }

    /// The authors of the saves after a point of the history, in its order.
    private func authors(after token: NSPersistentHistoryToken?, in coordinator: NSPersistentStoreCoordinator) throws
        -> [String?]
    {
        try coordinator.saves(after: token).map(\.author)
    }

    /// A save by "open", the author of another program; it has a number but has not committed.
    private func beginSave() throws -> PostgreSQLConnection {
        let writer = try PostgreSQLConnection(DatabaseAddress(primary.address()))
        try writer.execute("BEGIN")
        try writer.execute("LOCK TABLE shop._transaction IN ROW EXCLUSIVE MODE")
        try writer.execute(
            "INSERT INTO shop._transaction (number, at, author, bundle, process) "
                + "SELECT pg_current_xact_id()::text::bigint + history_base, now(), 'open', 'bundle', 'process' "
                + "FROM shop._store"
        )
        return writer
    }

    /// The number of reads of badges in a server's statistics, which lag by up to ten seconds.
    private func reads(of server: PostgreSQLServer) throws -> Int {
        let rows = try server.execute(
            "SELECT seq_scan + COALESCE(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'Badge'"
        )
        return try #require(rows.first?.first??.isEmpty == false ? Int(rows[0][0] ?? "") : 0)
    }

    private func readBadges() throws {
        let context = coordinator.makeContext()
        let badges = try context.performAndWait { () throws in
            try context.fetch(context.request("Badge", sort: ["code"]))
        }
        #expect(badges.isEmpty)
    }

    @Test("Reads go to the standby, and include every save of their coordinator")
    func ownWrites() throws {
        for number in 1...100 {
            try save("t\(number)")
            try expectEqual(count(), number)
        }
        try primary.waitForReplay(by: standby)
        for _ in 0..<50 { try readBadges() }
        var standbyReads = 0
        for _ in 0..<200 where standbyReads < 50 {
            usleep(100_000)
            standbyReads = try reads(of: standby)
        }
        #expect(standbyReads >= 50)
    }

    @Test("A standby that lags, is killed, or has been promoted does no harm")
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

    @Test("The history shows a save once those with smaller numbers have ended, also if standbys are read")
    func historyInOrder() throws {
        try save("a")
        let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
        let writer = try beginSave()
        defer { writer.close() }
        try save("b")
        try primary.waitForReplay(by: standby)
        try expectEqual(authors(after: token, in: coordinator), [])
        expectEqual(coordinator.currentPersistentHistoryToken(fromStores: nil), token)
        try writer.execute("COMMIT")
        try expectEqual(authors(after: token, in: coordinator), ["open", "b"])
    }

    @Test("Objects are at least as new as the history that was read before them")
    func objectsAfterHistory() throws {
        try save("a")
        try primary.waitForReplay(by: standby)
        let reader = try openOther()
        try expectEqual(count(in: reader), 1)
        let token = reader.currentPersistentHistoryToken(fromStores: nil)
        try standby.execute("SELECT pg_wal_replay_pause()")
        try save("b")
        try expectEqual(authors(after: token, in: reader), ["b"])
        try expectEqual(count(in: reader), 2)
        try save("c")
        // A token alone is binding, too: the program will not request the changes before it again.
        #expect(reader.currentPersistentHistoryToken(fromStores: nil) != token)
        try expectEqual(count(in: reader), 3)
        try standby.execute("SELECT pg_wal_replay_resume()")
    }

    @Test("A store at the address of a standby shows the history before the oldest save that runs")
    func historyOfStandby() throws {
        try save("a")
        try primary.waitForReplay(by: standby)
        let reader = try Self.open(
            standby.address("postgres", "schema=shop"),
            [NSReadOnlyPersistentStoreOption: true]
        )
        let writer = try beginSave()
        defer { writer.close() }
        try save("b")
        try primary.waitForReplay(by: standby)
        try expectEqual(authors(after: nil, in: reader), ["a"])
        try writer.execute("COMMIT")
        // Transactions of the server's own processes delay the history, too.
        var names: [String?] = []
        for _ in 0..<500 where names.count < 3 {
            usleep(20_000)
            names = try authors(after: nil, in: reader)
        }
        expectEqual(names, ["a", "open", "b"])
    }

    @Test("A store is read right after it was made, though the standby does not have its tables yet")
    func newStore() throws {
        try standby.execute("SELECT pg_wal_replay_pause()")
        try expectEqual(count(in: openOther(schema: "fresh")), 0)
        try standby.execute("SELECT pg_wal_replay_resume()")
    }

    @Test("A server among the readers that is not a standby is not read")
    func notAStandby() throws {
        let otherServer = try PostgreSQLServer()
        let reader = try Self.open(primary.address("postgres", "schema=shop", "readers=127.0.0.1:\(otherServer.port)"))
        try save("a")
        try expectEqual(count(in: reader), 1)
    }

    @Test("A standby that is promoted while connections to it are open is not read any more")
    func promotedWithConnections() throws {
        try save("a")
        try primary.waitForReplay(by: standby)
        let reader = try openOther()
        try expectEqual(count(in: reader), 1)
        try standby.promote()
        // The reply to this read reports the promotion.
        try expectEqual(count(in: reader), 1)
        try save("b")
        try expectEqual(count(in: reader), 2)
    }

    @Test("A standby that comes back as an older copy of the primary is asked again how far it is")
    func olderCopy() throws {
        try save("a")
        try expectEqual(count(), 1)
        try primary.waitForReplay(by: standby)
        // The copy lags behind after it follows the primary again.
        try standby.execute("ALTER SYSTEM SET recovery_min_apply_delay = '1h'")
        try standby.stop()
        let copy = try standby.copyFolder()
        try standby.start()
        try standby.execute("ALTER SYSTEM RESET recovery_min_apply_delay")
        try standby.execute("SELECT pg_reload_conf()")
        try save("b")
        try primary.waitForReplay(by: standby)
        try expectEqual(count(), 2)
        try standby.stop()
        try standby.replaceFolder(by: copy)
        try standby.start()
        try expectEqual(count(), 2)
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

    @Test("A save in conflict reads the conflicting row, however far the standby lags")
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

// Dumps that are restored into another cluster: its transactions have smaller numbers than the history of the store.
import ExpectationSupport
import Foundation
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@testable import ManagedGraph

@Suite("PostgreSQL: backups", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLBackupTests {
    private let old: PostgreSQLServer
    private let new: PostgreSQLServer
    private let source: NSPersistentStoreCoordinator

    init() throws {
        old = try PostgreSQLServer()
        new = try PostgreSQLServer()
        source = try Self.open(old)
        // Use up transaction numbers, as a server in use would have.
        try old.execute(
            "DO $$ BEGIN FOR i IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
        )
    }

    private static func open(_ server: PostgreSQLServer, _ options: [String: Any] = [:]) throws
        -> NSPersistentStoreCoordinator
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
        let url = try #require(URL(string: server.address("postgres", "schema=shop")))
        try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
        return coordinator
    }

    private static func save(_ name: String, in coordinator: NSPersistentStoreCoordinator) throws {
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            context.transactionAuthor = name
            context.make("Tag", ["name": name])
            try context.save()
        }
    }

    /// The authors of the saves after a point of the history, in its order.
    private func authors(after token: NSPersistentHistoryToken?, in coordinator: NSPersistentStoreCoordinator) throws
        -> [String?]
    {
        let saves = try coordinator.saves(after: token)
        #expect(saves.allSatisfy { $0.changes?.count == 1 })
        return saves.map(\.author)
    }

    /// The number by which the history is ahead of a server's transactions.
    private func base(_ server: PostgreSQLServer) throws -> Int64 {
        let row = try #require(try server.execute("SELECT history_base FROM shop._store").first?.first)
        return try #require(row.flatMap { Int64($0) })
    }

    @Test("A restored store shows its history, and continues it after the tokens of its readers")
    func restored() throws {
        try Self.save("a", in: source)
        let first = source.currentPersistentHistoryToken(fromStores: nil)
        try Self.save("b", in: source)
        let last = source.currentPersistentHistoryToken(fromStores: nil)
        try old.dump(into: new)
        let copy = try Self.open(new)
        try expectEqual(authors(after: nil, in: copy), ["a", "b"])
        try expectEqual(authors(after: last, in: copy), [])
        try Self.save("c", in: copy)
        try expectEqual(authors(after: last, in: copy), ["c"])
        try expectEqual(authors(after: first, in: copy), ["b", "c"])
        try expectEqual(authors(after: nil, in: copy), ["a", "b", "c"])
        // Opening the store again does not move the base.
        let moved = try base(new)
        #expect(moved > 5_000)
        let again = try Self.open(new)
        try Self.save("d", in: again)
        try expectEqual(base(new), moved)
        try expectEqual(authors(after: last, in: copy), ["c", "d"])
    }

    @Test("A store in its own cluster is not changed when it is opened")
    func notRestored() throws {
        try Self.save("a", in: source)
        try Self.save("b", in: Self.open(old))
        try expectEqual(base(old), 0)
    }

    @Test("A restored store whose history was deleted numbers its saves after the deleted ones")
    func purged() throws {
        try Self.save("a", in: source)
        let context = source.makeContext()
        try context.performAndWait { () throws in
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        }
        let token = source.currentPersistentHistoryToken(fromStores: nil)
        try old.dump(into: new)
        let copy = try Self.open(new)
        try Self.save("b", in: copy)
        try expectEqual(authors(after: token, in: copy), ["b"])
    }

    @Test("Of several processes that open a restored store at once, one continues its history")
    func openedAtOnce() throws {
        try Self.save("a", in: source)
        let token = source.currentPersistentHistoryToken(fromStores: nil)
        let last = try #require(token?.numbers.values.first)
        try old.dump(into: new)
        let server = new
        DispatchQueue.concurrentPerform(iterations: 6) { number in
            do {
                let coordinator = try Self.open(server)
                try Self.save("\(number)", in: coordinator)
            } catch {
                Issue.record(error)
            }
        }
        try expectEqual(base(new), last)
        let names = try authors(after: token, in: Self.open(new)).compactMap(\.self)
        expectEqual(names.sorted(), ["0", "1", "2", "3", "4", "5"])
    }

    @Test("A restored store that is opened for reading is not changed")
    func readOnly() throws {
        try Self.save("a", in: source)
        try old.dump(into: new)
        _ = try Self.open(new, [NSReadOnlyPersistentStoreOption: true])
        try expectEqual(base(new), 0)
    }

    @Test("A user who may not continue the history is refused with the remedy")
    func notPermitted() throws {
        try Self.save("a", in: source)
        try old.dump(into: new)
        for statement in [
            "CREATE ROLE clerk LOGIN", "GRANT USAGE ON SCHEMA shop TO clerk",
            "GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA shop TO clerk",
        ] { try new.execute(statement) }
        let url = try #require(URL(string: new.address("postgres", "schema=shop", "user=clerk")))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
        let error = #expect(throws: NSError.self) { try coordinator.addPersistentStore(type: .postgreSQL, at: url) }
        expectEqual(error?.localizedRecoverySuggestion?.contains("as the owner of its tables"), true)
        _ = try Self.open(new)
        try coordinator.addPersistentStore(type: .postgreSQL, at: url)
    }
}

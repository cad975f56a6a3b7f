// Commits whose reply is lost: the save finds out whether its transaction is in the database, and neither applies changes
// twice nor reports a failure as a success.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import PostgreSQLSupport
import SharedStoreSupport
import Testing

@Suite(
    "PostgreSQL: lost commits",
    .serialized,
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
)
struct LostCommitTests {
    /// Parameters of the address for each profile.
    static let profiles = ["profile=standard", "profile=distributed"]

    /// A store behind a proxy that loses connections.
    private final class World {
        let database: SharedDatabase
        let proxy: LossyProxy
        let store: SharedStore
        let context: NSManagedObjectContext

        init(_ profile: String) throws {
            let server = try PostgreSQLServer.shared()
            database = try SharedDatabase(server, address: server.address("postgres", profile))
            proxy = try LossyProxy(to: server.port)
            store = try SharedStore(
                "postgresql://\(PostgreSQLServer.user)@127.0.0.1:\(proxy.port)/postgres?schema=\(database.schema)&pool=1"
                    + "&timeout=4"
            )
            context = store.coordinator.makeContext()
        }

        /// Cuts the next connection that commits; the text is sent with each commit the first time.
        func cut(_ cut: LossyProxy.Cut, refusesLater: Bool = false) {
            proxy.cut(cut, at: "_transaction\" (number, at, author", refusesLater: refusesLater)
        }

        /// The values of all accounts' rows, entries and transactions in the database.
        func state() throws -> [String?] {
            try database.server.execute(
                "SELECT (SELECT string_agg(balance || ' ' || _version, ',' ORDER BY number) "
                    + "FROM \(database.schema).\"Account\" WHERE number < 2), "
                    + "(SELECT count(*) FROM \(database.schema).\"Entry\"), "
                    // Without the numbers that were closed, as no save has them.
                    + "(SELECT count(*) FROM \(database.schema)._transaction WHERE process <> '')"
            )[0]
        }

        func close() throws {
            try store.close()
            proxy.stop()
        }
    }

    private func change(_ context: NSManagedObjectContext) throws {
        let account = try #require(try context.all("Account", "number == 0").first)
        account.setValue(account.number("balance") + 5, forKey: "balance")
        context.make("Entry", ["writer": 1, "sequence": 1])
    }

    /// The last is a store that reads from a standby, which does not answer.
    @Test(arguments: profiles + ["profile=standard&readers=127.0.0.1:9"])
    func aCommitWhoseReplyIsLostIsASuccess(_ profile: String) throws {
        let world = try World(profile)
        let (context, proxy) = (world.context, world.proxy)
        try context.performAndWait { () throws in
            try change(context)
            world.cut(.reply)
            try context.save()
            expectEqual(proxy.cuts, 1)
            #expect(!context.hasChanges)
            try expectEqual(world.state(), ["5 2,0 1", "1", "2"])
            // The context has the new versions: the next save is not a conflict.
            let account = try #require(try context.all("Account", "number == 0").first)
            account.setValue(6, forKey: "balance")
            try context.save()
        }
        try expectEqual(world.state(), ["6 3,0 1", "1", "3"])
        try world.close()
    }

    @Test(arguments: profiles) func aCommitThatTheServerDidNotGetIsRepeated(_ profile: String) throws {
        let world = try World(profile)
        let (context, proxy) = (world.context, world.proxy)
        try context.performAndWait { () throws in
            try change(context)
            world.cut(.request)
            try context.save()
            expectEqual(proxy.cuts, 1)
        }
        try expectEqual(world.state(), ["5 2,0 1", "1", "2"])
        try world.close()
    }

    @Test(arguments: profiles) func aBatchThatTheServerDidNotGetIsRepeated(_ profile: String) throws {
        let world = try World(profile)
        let (context, proxy) = (world.context, world.proxy)
        try context.performAndWait { () throws in
            let request = NSBatchUpdateRequest(entityName: "Account")
            request.propertiesToUpdate = ["balance": 7]
            request.predicate = NSPredicate(format: "number < 2")
            world.cut(.request)
            try context.execute(request)
            expectEqual(proxy.cuts, 1)
        }
        try expectEqual(world.state(), ["7 2,7 2", "0", "2"])
        try world.close()
    }

    @Test(arguments: profiles) func aBatchThatCannotBeRepeatedIsAnError(_ profile: String) throws {
        let world = try World(profile)
        let context = world.context
        try context.performAndWait { () throws in
            let rows = Rows()
            let request = NSBatchInsertRequest(entityName: "Entry") { (row: NSMutableDictionary) in rows.next(row) }
            world.cut(.request)
            let error = #expect(throws: NSError.self) { try context.execute(request) }
            expectEqual(error?.code, NSPersistentStoreTimeoutError)
            expectEqual(error?.localizedRecoverySuggestion?.contains("Nothing was saved"), true)
            try expectEqual(world.state(), ["0 1,0 1", "0", "1"])
            rows.count = 0
            try context.execute(request)
        }
        try expectEqual(world.state(), ["0 1,0 1", "3", "2"])
        try world.close()
    }

    /// The rows that a handler gives to a batch insert.
    private final class Rows {
        var count = 0

        /// Fills a row; returns true after three of them.
        func next(_ row: NSMutableDictionary) -> Bool {
            count += 1
            for (key, value) in ["writer": 1, "sequence": count, "part": 0, "parts": 1, "mark": 0] { row[key] = value }
            return count > 3
        }
    }

    @Test(arguments: profiles) func anUnknownOutcomeIsReported(_ profile: String) throws {
        let world = try World(profile)
        let (context, proxy) = (world.context, world.proxy)
        try context.performAndWait { () throws in
            try change(context)
            world.cut(.reply, refusesLater: true)
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSPersistentStoreSaveError)
            expectEqual(error?.localizedDescription.contains("is not known"), true)
            expectEqual(error?.localizedRecoverySuggestion?.contains("look for the changes"), true)
            // It was committed; the changes stay in the context, for the program to decide.
            #expect(context.hasChanges)
            try expectEqual(world.state(), ["5 2,0 1", "1", "2"])
            proxy.acceptAgain()
            context.rollback()
            try expectEqual(context.all("Account", "balance == 5").count, 1)
            try expectEqual(context.all("Entry", "TRUEPREDICATE").count, 1)
        }
        try world.close()
    }
}

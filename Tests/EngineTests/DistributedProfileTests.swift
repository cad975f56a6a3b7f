// Tests of the distributed profile beyond the suites that it shares with all stores: its tables, its refusals, its
// history without transaction numbers of the server, and its references without foreign keys.
import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSupport
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Synchronization
import Testing

@testable import ManagedGraph

@Suite("PostgreSQL: the distributed profile", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct DistributedProfileTests {
    private let server: PostgreSQLServer
    private let schema = DistributedServer.newSchema()
    private let url: URL

    init() throws {
        let distributed = try DistributedServer.shared()
        server = distributed.server
        url = try #require(URL(string: distributed.address(schema: schema)))
    }

    private static func shop(_ change: (NSEntityDescription) -> Void = { _ in }) -> NSManagedObjectModel {
        let tenant = NSAttributeDescription("tenant", .integer64AttributeType, optional: false)
        let item = NSEntityDescription(
            "Item",
            [tenant, NSAttributeDescription("name"), NSAttributeDescription("count", .integer64AttributeType)]
        )
        item.uniquenessConstraints = [["tenant", "name"]]
        item.userInfo = ["SQLDistributionColumn": "tenant"]
        let book = NSEntityDescription("Book", [NSAttributeDescription("isbn")])
        item.subentities = [book]
        let shelf = NSEntityDescription("Shelf", [NSAttributeDescription("name")])
        shelf.relate("items", toMany: true, to: item, "shelf")
        shelf.relate("topics", toMany: true, to: item, "places", inverseToMany: true)
        change(item)
        return NSManagedObjectModel([item, book, shelf])
    }

    private func open(
        _ model: NSManagedObjectModel = shop(),
        _ profile: PostgreSQLProfile? = .distributed,
        parameters: String = ""
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: try #require(URL(string: url.absoluteString + parameters)))
        description.postgreSQLProfile = profile
        expectEqual(description.postgreSQLProfile, profile)
        var failure: (any Error)?
        coordinator.addPersistentStore(with: description) { failure = $1 }
        if let failure { throw failure }
        return coordinator
    }

    private func run<R>(_ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> R)
        throws -> R
    {
        let context = coordinator.makeContext()
        return try context.performAndWait { () throws in try body(context) }
    }

    private func rows(_ sql: String) throws -> [String] {
        try server.execute(sql.replacing("SCHEMA", with: "'\(schema)'")).map {
            $0.map { $0 ?? "NULL" }.joined(separator: " ")
        }
    }

    /// The text and the remedy of the error of opening a store.
    private func refusal(
        _ model: NSManagedObjectModel = shop(),
        _ profile: PostgreSQLProfile? = .distributed,
        parameters: String = ""
    ) -> String {
        let error = #expect(throws: NSError.self) { try open(model, profile, parameters: parameters) }
        return "\(error?.localizedDescription ?? "") \(error?.localizedFailureReason ?? "") "
            + "\(error?.localizedRecoverySuggestion ?? "")"
    }

    // MARK: Tables

    @Test(
        "Every key and uniqueness constraint has the distribution column, and nothing else is made than tables and indexes"
    )
    func tables() throws {
        let coordinator = try open()
        let keys = try rows(
            """
            SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid \
            JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = SCHEMA AND i.indisunique \
            AND c.relname NOT LIKE '\\_%' ORDER BY 1
            """
        )
        .map { $0.replacing("\(schema).", with: "").replacing("CREATE UNIQUE INDEX ", with: "") }
        expectEqual(
            keys,
            [
                "\"Item_pkey\" ON \"Item\" USING btree (tenant, _id)",
                "\"Item_places_pkey\" ON \"Item_places\" USING btree (topics, places)",
                "\"Item_tenant_name_unique\" ON \"Item\" USING btree (tenant NULLS FIRST, name NULLS FIRST)",
                "\"Shelf_pkey\" ON \"Shelf\" USING btree (_id)",
            ]
        )
        try expectEqual(
            rows(
                """
                SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = SCHEMA \
                AND relkind NOT IN ('r', 'i') UNION SELECT proname FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace \
                WHERE nspname = SCHEMA UNION SELECT tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid \
                JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = SCHEMA UNION SELECT conname FROM pg_constraint \
                JOIN pg_namespace n ON n.oid = connamespace WHERE nspname = SCHEMA AND contype NOT IN ('p', 'c', 'u')
                """
            ),
            []
        )
        // A program without the option follows the store.
        let otherCoordinator = try open(Self.shop(), nil)
        try run(otherCoordinator) { (context) throws in
            context.make("Book", ["tenant": 1, "name": "a"])
            try context.save()
            context.make("Item", ["tenant": 1, "name": "a"])
            expectEqual(#expect(throws: NSError.self) { try context.save() }?.code, NSManagedObjectConstraintMergeError)
            context.rollback()
            context.make("Item", ["tenant": 2, "name": "a"])
            try context.save()
        }
        let engine = try #require((coordinator.persistentStores[0] as? any EngineStore)?.engine as? PostgreSQLEngine)
        try expectEqual(engine.findings().map(\.text), [])
        try server.execute("UPDATE \(schema)._counter SET next = 1 WHERE name = 'Item'")
        let finding = try #require(try engine.findings().first)
        #expect(finding.text.contains("new keys begin at 1"))
        try coordinator.destroyPersistentStore(at: url, type: .postgreSQL)
        try expectEqual(
            rows(
                "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = SCHEMA"
            ),
            []
        )
    }

    @Test("Models, addresses and servers that do not fit are refused with the reason and the remedy")
    func refusals() throws {
        let withoutColumn = refusal(Self.shop { $0.userInfo = [:] })
        #expect(withoutColumn.contains("(tenant, name) of Item has no distribution column"))
        #expect(withoutColumn.contains("SQLDistributionColumn"))
        #expect(refusal(Self.shop { $0.uniquenessConstraints = [["name"]] }).contains("Add tenant to the constraint"))
        #expect(
            refusal(Self.shop { $0.userInfo = ["SQLDistributionColumn": "name"] }).contains(
                "Item.name cannot distribute rows"
            )
        )
        #expect(
            refusal(Self.shop { $0.userInfo = ["SQLDistributionColumn": "none"] }).contains(
                "Item.none cannot distribute rows"
            )
        )
        for parameter in ["notify=on", "readers=h:1", "tables=other", "versions=views"] {
            #expect(
                refusal(parameters: "&\(parameter)").contains("The distributed profile does not have"),
                "\(parameter)"
            )
        }
        #expect(refusal(parameters: "&profile=other").contains("profile= must be standard or distributed"))
        #expect(refusal(parameters: "&profile=standard").contains("NSPostgreSQLProfileOption is distributed"))
        // This server withholds functions from the user that the standard profile needs.
        let standard = refusal(Self.shop(), .standard)
        #expect(standard.contains("ordered transaction numbers, ordered sequences"))
        #expect(standard.contains("profile=distributed"))
        try expectEqual(rows("SELECT 1 FROM pg_namespace WHERE nspname = SCHEMA"), [])
        _ = try open()
        #expect(
            refusal(Self.shop(), .standard).contains("has the profile distributed, and the program asks for standard")
        )
        // Another version of the model.
        let newer = Self.shop { $0.properties.append(NSAttributeDescription("note")) }
        let migration = #expect(throws: NSError.self) { try open(newer) }
        let information = String(describing: migration?.userInfo)
        #expect(information.contains("store copy"))
        try expectEqual(rows("SELECT profile FROM \(schema)._store"), ["distributed"])
    }

    @Test("The value that distributes a row cannot change")
    func distribution() throws {
        let coordinator = try open()
        try run(coordinator) { (context) throws in
            let item = context.make("Item", ["tenant": 1, "name": "a"])
            try context.save()
            item.setValue(2, forKey: "tenant")
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.localizedRecoverySuggestion?.contains("Insert a new object"), true)
            item.setValue(1, forKey: "tenant")
            item.setValue("b", forKey: "name")
            try context.save()
        }
        try expectEqual(rows("SELECT tenant, name FROM \(schema).\"Item\""), ["1 b"])
        try expectEqual(openNumbers(), 0)
    }

    @Test("In Citus each table is distributed by the first column of its key")
    func citus() throws {
        let server = try PostgreSQLServer.shared()
        let name = try server.makeDatabase()
        let connection = try PostgreSQLConnection(DatabaseAddress(server.address(name)))
        defer { connection.close() }
        // A stand-in: the extension's entry in the catalog, and its function with its rule for unique indexes.
        for statement in [
            "SET allow_system_table_mods = on",
            "INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion) "
                + "SELECT 4000000000::oid, 'citus', 10, 'public'::regnamespace, false, '12'",
            "CREATE TABLE public.calls (place regclass, part text)",
            """
            CREATE FUNCTION public.create_distributed_table(place regclass, part text) RETURNS void LANGUAGE plpgsql AS $$
            BEGIN
              IF EXISTS (SELECT 1 FROM pg_index AS i WHERE i.indrelid = place AND i.indisunique AND NOT EXISTS (
                SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = place AND a.attnum = ANY(i.indkey) AND a.attname = part))
              THEN RAISE 'cannot create constraint on % without %', place, part; END IF;
              INSERT INTO public.calls VALUES (place, part);
            END $$
            """,
        ] { try connection.execute(statement) }
        let address = try #require(URL(string: server.address(name, "schema=shop", "profile=distributed")))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.shop())
        try coordinator.addPersistentStore(type: .postgreSQL, at: address)
        let calls = try connection.execute("SELECT place::text || ' ' || part FROM public.calls ORDER BY 1")
        try expectEqual(
            (0..<calls.count).map { try calls.string(0, $0) },
            [
                "shop.\"Item\" tenant", "shop.\"Item_places\" topics", "shop.\"Shelf\" _id",
            ]
        )
        try run(coordinator) { (context) throws in
            context.make("Item", ["tenant": 1, "name": "a"])
            try context.save()
        }
        // The standard profile is refused, because its reads need one snapshot.
        let standard = try #require(URL(string: server.address(name, "schema=other")))
        let error = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator(managedObjectModel: Self.shop()).addPersistentStore(
                type: .postgreSQL,
                at: standard
            )
        }
        expectEqual(error?.localizedDescription.contains("This Citus server does not have"), true)
    }

    // MARK: References

    @Test(
        "A deletion empties references that the context has not read, and new references to deleted rows are conflicts"
    )
    func references() throws {
        let coordinator = try open()
        let (shelf, item) = try run(coordinator) { (context) throws in
            let shelf = context.make("Shelf", ["name": "s"])
            let item = context.make("Item", ["tenant": 1, "name": "i"])
            try context.save()
            return (shelf.objectID, item.objectID)
        }
        // Another program relates the two; the context that deletes has not read it.
        let deleting = coordinator.makeContext()
        try deleting.performAndWait { () throws in
            let object = try deleting.existingObject(with: shelf)
            _ = [object.value(forKey: "items"), object.value(forKey: "topics")].map { ($0 as? NSSet)?.count }
            try run(try open()) { (other) throws in
                let object = try other.existingObject(
                    with: other.persistentStoreCoordinator.flatMap {
                        $0.managedObjectID(forURIRepresentation: item.uriRepresentation())
                    } ?? item
                )
                let place = try #require(try other.fetch(other.request("Shelf")).first)
                object.setValue(place, forKey: "shelf")
                object.setValue(NSSet(object: place), forKey: "places")
                try other.save()
            }
            deleting.delete(object)
            deleting.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            try deleting.save()
        }
        try expectEqual(rows("SELECT shelf FROM \(schema).\"Item\""), ["NULL"])
        try expectEqual(rows("SELECT count(*) FROM \(schema).\"Item_places\""), ["0"])
        // A reference to a row that another program has deleted.
        try run(coordinator) { (context) throws in
            let place = context.make("Shelf", ["name": "t"])
            try context.save()
            try server.execute("DELETE FROM \(schema).\"Shelf\"")
            let secondItem = context.make("Item", ["tenant": 1, "name": "j", "shelf": place])
            #expect(throws: NSError.self) { try context.save() }
            secondItem.setValue(nil, forKey: "shelf")
            context.refresh(place, mergeChanges: false)
            try context.save()
        }
        try expectEqual(rows("SELECT name FROM \(schema).\"Item\" ORDER BY 1"), ["i", "j"])
    }

    // MARK: History

    private func authors(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        try run(coordinator) { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return (result?.result as? [NSPersistentHistoryTransaction] ?? []).map { $0.author ?? "" }
        }
    }

    private func save(_ author: String, _ coordinator: NSPersistentStoreCoordinator) throws {
        try run(coordinator) { (context) throws in
            context.transactionAuthor = author
            context.make("Item", ["tenant": 1, "name": author])
            try context.save()
        }
    }

    /// A save of one shelf that has written its row, and its engine.
    private func beginSlowSave(_ coordinator: NSPersistentStoreCoordinator) throws
        -> (engine: PostgreSQLEngine, session: any WriteSession)
    {
        let engine = try #require((coordinator.persistentStores[0] as? any EngineStore)?.engine as? PostgreSQLEngine)
        let session = try engine.beginSave(SaveOrigin(author: "slow"))
        let layout = try #require(CompiledModel.of(coordinator.managedObjectModel).stored.byName["Shelf"])
        let keys = try session.reserveKeys(tree: layout.tree, count: 1)
        let values = ContiguousArray<RowValue>(repeating: .null, count: layout.properties.count)
        let row = RowOperation(layout: layout, primaryKey: keys[0].lowerBound, version: 0, values: values)
        _ = try session.write(StoreChanges(inserts: [row]))
        return (engine, session)
    }

    @Test("The history hides saves after one that may still be committed, and continues once its program has ended")
    func unfinishedSaves() throws {
        let coordinator = try open()
        try save("a", coordinator)
        // A save that has its number but has not committed.
        let (engine, session) = try beginSlowSave(coordinator)
        try save("b", coordinator)
        try expectEqual(authors(coordinator), ["a"])
        try session.commit()
        try expectEqual(authors(coordinator), ["a", "slow", "b"])
        // A program has exited without using its number: after a minute the history continues without it.
        try server.execute(
            "UPDATE \(schema)._counter SET next = next + 1 WHERE name = '_transaction'; INSERT INTO \(schema)._pending "
                + "SELECT next - 1, now() - interval '59 seconds' FROM \(schema)._counter WHERE name = '_transaction'"
        )
        try save("c", coordinator)
        try expectEqual(authors(coordinator), ["a", "slow", "b"])
        try server.execute("UPDATE \(schema)._pending SET at = at - interval '2 seconds'")
        let reader = try engine.lease(holdsSnapshot: false)
        _ = try (reader as? any HistoryReadSession)?.lastTransaction()
        engine.giveBack(reader)
        try expectEqual(authors(coordinator), ["a", "slow", "b", "c"])
        try expectEqual(openNumbers(), 0)
    }

    /// The number of numbers that the history waits for.
    private func openNumbers() throws -> Int {
        let sql =
            "SELECT count(*) FROM \(schema)._pending WHERE number NOT IN (SELECT number FROM \(schema)._transaction)"
        return Int(try rows(sql)[0]) ?? -1
    }

    @Test("A save whose number cannot be taken at the first attempt takes it in a new transaction")
    func repeatedTaking() throws {
        let coordinator = try open()
        try save("a", coordinator)
        // The prepared statement that takes the number has another type now.
        try server.execute("ALTER TABLE \(schema)._pending ALTER COLUMN number TYPE integer")
        try save("b", coordinator)
        try expectEqual(authors(coordinator), ["a", "b"])
    }

    @Test("A save whose number others have closed begins again, and writes its rows once")
    func closedNumber() throws {
        let coordinator = try open()
        try save("a", coordinator)
        let (_, session) = try beginSlowSave(coordinator)
        try server.execute(
            "INSERT INTO \(schema)._transaction (number, at, bundle, process) SELECT max(number), now(), '', '' "
                + "FROM \(schema)._pending"
        )
        let error = #expect(throws: EngineError.self) { try session.commit() }
        expectEqual(error?.kind, .retry)
        session.rollback()
        try expectEqual(rows("SELECT count(*) FROM \(schema).\"Shelf\""), ["0"])
        try save("b", coordinator)
        try expectEqual(authors(coordinator), ["a", "b"])
    }

    @Test("Purging removes transactions with their changes and numbers")
    func purging() throws {
        let coordinator = try open()
        for author in ["a", "b", "c"] { try save(author, coordinator) }
        try run(coordinator) { (context) throws in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: transactions[2].token))
        }
        try expectEqual(authors(coordinator), ["c"])
        try expectEqual(rows("SELECT count(DISTINCT transaction) FROM \(schema)._change"), ["1"])
        try save("d", coordinator)
        try expectEqual(authors(coordinator), ["c", "d"])
    }

    // MARK: Concurrency

    @Test("Threads that reserve keys at the same time get as many as they need, and none twice")
    func reservedKeys() throws {
        let coordinator = try open()
        let engine = try #require((coordinator.persistentStores[0] as? any EngineStore)?.engine as? PostgreSQLEngine)
        let layout = try #require(CompiledModel.of(coordinator.managedObjectModel).stored.byName["Shelf"])
        let (threads, times, count) = (6, 10, 700)
        let reservedKeys = Mutex<Set<Int64>>([])
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            do {
                let session = try engine.beginSave(SaveOrigin(author: "keys"))
                defer { session.rollback() }
                for _ in 0..<times {
                    let keys = try session.reserveKeys(tree: layout.tree, count: count).flatMap { Array($0) }
                    expectEqual(keys.count, count)
                    reservedKeys.withLock { $0.formUnion(keys) }
                }
            } catch {
                Issue.record(error)
            }
        }
        expectEqual(reservedKeys.withLock { $0.count }, threads * times * count)
    }

    @Test("Contexts of several threads lose no update at the isolation level SERIALIZABLE")
    func counters() throws {
        let coordinator = try open()
        try run(coordinator) { (context) throws in
            for name in ["a", "b"] { context.make("Item", ["tenant": 1, "name": name, "count": 0]) }
            try context.save()
        }
        let (threads, saves) = (4, 12)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            do {
                let coordinator = try open()
                let context = coordinator.makeContext()
                for number in 0..<saves {
                    try context.saveUntilItSucceeds { () throws in
                        try context.one("Item", (thread + number) % 2 == 0 ? "a" : "b").increment("count")
                        context.make("Shelf", ["name": "\(thread) \(number)"])
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        try expectEqual(rows("SELECT sum(count) FROM \(schema).\"Item\""), ["\(threads * saves)"])
        try expectEqual(rows("SELECT count(*) FROM \(schema).\"Shelf\""), ["\(threads * saves)"])
        try expectEqual(authors(coordinator).count, threads * saves + 1)
        DistributedLint.checkServer()
    }
}

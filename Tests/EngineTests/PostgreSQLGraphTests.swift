// The promises of PostgreSQL stores beyond those of all engines: few round trips, saves side by side, notifications of
// other processes' saves, poolers, and errors with remedies.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
import GraphSupport
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Synchronization
import Testing

@testable import ManagedGraph

@Suite("PostgreSQL: the graph", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLGraphTests {
    private func url(of stack: EngineStack) throws -> URL {
        try #require(stack.coordinator.persistentStores.first?.url)
    }

    /// Another coordinator over the same store, as another process would have.
    private func other(_ stack: EngineStack, _ options: [String: Any] = [:]) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
        try coordinator.addPersistentStore(type: .postgreSQL, at: try url(of: stack), options: options)
        return coordinator
    }

    @Test(
        "A save of any number of objects takes at most three round trips",
        arguments: [1, 10, 3_000],
        [StoreType.postgreSQL, .distributed]
    )
    func fewRoundTrips(count: Int, type: StoreType) throws {
        let stack = try EngineStack(type)
        let engine = try stack.postgreSQLEngine
        try stack.run { (context) throws in
            let owner = context.make("Owner", ["name": "o"])
            for number in 0..<count {
                context.make("Dog", ["name": "d\(number)", "owner": owner])
                context.make("Thing", ["int64": number, "date": Date(timeIntervalSinceReferenceDate: 0.125)])
            }
            let before = engine.roundTrips
            try context.save()
            #expect(engine.roundTrips - before <= 3)
        }
        try stack.run { (context) throws in
            let dogs = try context.fetch(context.request("Dog"))
            expectEqual(dogs.count, count)
            let owner = try context.one("Owner", "o")
            for (place, dog) in dogs.enumerated() {
                if place % 2 == 0 { dog.setValue(place, forKey: "tricks") } else { context.delete(dog) }
            }
            context.make("Tag", ["name": "t"]).setValue(NSSet(array: [owner]), forKey: "owners")
            context.processPendingChanges()
            // The same round trip ends the snapshot of the reads.
            let before = engine.roundTrips
            try context.save()
            #expect(engine.roundTrips - before <= 3)
        }
        try stack.elsewhere { (context) throws in
            try expectEqual(context.count(for: context.request("Dog")), (count + 1) / 2)
            let before = engine.roundTrips
            let owners = context.request("Owner")
            owners.relationshipKeyPathsForPrefetching = ["pets"]
            let pets = try context.fetch(owners).first?.value(forKey: "pets") as? NSSet
            expectEqual(pets?.count, (count + 1) / 2)
            // The first statement's round trip also begins the snapshot.
            expectEqual(engine.roundTrips - before, 2)
        }
    }

    @Test("A batch insert copies its rows in few round trips, with one entry of the history for successive keys")
    func batchInsert() throws {
        let stack = try EngineStack(.postgreSQL)
        let engine = try stack.postgreSQLEngine
        let count = 10_000
        let identifier = UUID()
        try stack.run { (context) throws in
            let before = engine.roundTrips
            var number = 0
            let request = NSBatchInsertRequest(entityName: "Thing") { (dictionary: NSMutableDictionary) in
                if number == count { return true }
                number += 1
                // Every third row has no value but its number.
                dictionary["int64"] = number
                if number % 3 == 0 { return false }
                dictionary["boolean"] = number % 2 == 0
                dictionary["data"] = Data([UInt8(number % 256)])
                dictionary["date"] = Date(timeIntervalSinceReferenceDate: Double(number))
                dictionary["decimal"] = NSDecimalNumber(string: "\(number).25")
                dictionary["double"] = Double(number) / 8
                dictionary["float"] = Float(number) / 4
                dictionary["int16"] = Int16(number)
                dictionary["int32"] = Int32(-number)
                dictionary["string"] = "text \(number)"
                dictionary["uri"] = URL(string: "https://example.com/\(number)")
                dictionary["uuid"] = identifier
                return false
            }
            request.resultType = .count
            try expectEqual((try context.execute(request) as? NSBatchInsertResult)?.result as? Int, count)
            #expect(engine.roundTrips - before <= 17)
        }
        try stack.elsewhere { (context) throws in
            let things = try context.fetch(context.request("Thing", sort: ["int64"]))
            expectEqual(things.count, count)
            for (place, thing) in things.enumerated() {
                let number = place + 1
                expectEqual(thing.value(forKey: "int64") as? Int, number)
                if number % 3 == 0 {
                    expectNil(thing.value(forKey: "string"))
                    expectNil(thing.value(forKey: "decimal"))
                    continue
                }
                expectEqual(thing.value(forKey: "boolean") as? Bool, (number % 2 == 0))
                expectEqual(thing.value(forKey: "data") as? Data, Data([UInt8(number % 256)]))
                expectEqual((thing.value(forKey: "date") as? Date)?.timeIntervalSinceReferenceDate, Double(number))
                expectEqual(thing.value(forKey: "decimal") as? NSDecimalNumber, NSDecimalNumber(string: "\(number).25"))
                expectEqual(thing.value(forKey: "double") as? Double, Double(number) / 8)
                expectEqual(thing.value(forKey: "float") as? Float, Float(number) / 4)
                expectEqual(thing.value(forKey: "int16") as? Int, number)
                expectEqual(thing.value(forKey: "int32") as? Int, -number)
                expectEqual(thing.value(forKey: "string") as? String, "text \(number)")
                expectEqual((thing.value(forKey: "uri") as? URL)?.lastPathComponent, "\(number)")
                expectEqual(thing.value(forKey: "uuid") as? UUID, identifier)
            }
            let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(history) as? NSPersistentHistoryResult
            let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
            let changes = try #require(transactions.last?.changes)
            expectEqual(changes.count, count)
            expectEqual(Set(changes.map(\.changedObjectID)), Set(things.map(\.objectID)))
            expectEqual(Set(changes.map(\.changeID)).count, count)
            #expect(changes.allSatisfy { $0.changeType == .insert })
        }
        let address = try #require(URLComponents(url: url(of: stack), resolvingAgainstBaseURL: false))
        let schema = try #require(address.queryItems?.first { $0.name == "schema" }?.value)
        let rows = try PostgreSQLServer.shared()
            .execute("SELECT count(*) FROM \(schema)._change", in: String(address.path.dropFirst()))
        #expect(Int(rows[0][0] ?? "") ?? count <= 4)
    }

    @Test("A batch insert converts values for a column whose type was changed by hand")
    func batchInsertIntoOtherType() throws {
        let stack = try EngineStack(.postgreSQL)
        let address = try #require(URLComponents(url: url(of: stack), resolvingAgainstBaseURL: false))
        let schema = try #require(address.queryItems?.first { $0.name == "schema" }?.value)
        // The binary form of 7 has the same length in each of these types, but another meaning.
        try PostgreSQLServer.shared()
            .execute(
                "ALTER TABLE \(schema).\"Thing\" ALTER COLUMN int64 TYPE double precision",
                in: String(address.path.dropFirst())
            )
        try stack.run { (context) throws in
            try context.execute(NSBatchInsertRequest(entityName: "Thing", objects: [["int64": 7]]))
        }
        try stack.elsewhere { (context) throws in
            try expectEqual(
                context.fetch(context.request("Thing", sort: ["int64"])).first?.value(forKey: "int64") as? Int,
                7
            )
        }
    }

    @Test("Contexts of two coordinators that count at once lose no step")
    func countedAtOnce() throws {
        let stack = try EngineStack(.postgreSQL)
        try stack.run { (context) throws in
            context.make("Owner", ["name": "o", "age": 0])
            try context.save()
        }
        let coordinators = [stack.coordinator, try other(stack)]
        let done = DispatchGroup()
        let conflicts = Atomic<Int>(0)
        for number in 0..<4 {
            let context = coordinators[number % 2].makeContext()
            done.enter()
            Thread.detachNewThread {
                defer { done.leave() }
                context.performAndWait {
                    for _ in 0..<25 {
                        while true {
                            do {
                                let owner = try context.one("Owner", "o")
                                let age = owner.value(forKey: "age") as? Int ?? -1
                                owner.setValue(age + 1, forKey: "age")
                                try context.save()
                                break
                            } catch let error as NSError where error.code == NSManagedObjectMergeError {
                                conflicts.add(1, ordering: .relaxed)
                                context.rollback()
                                context.refreshAllObjects()
                            } catch {
                                Issue.record(error)
                                return
                            }
                        }
                    }
                }
            }
        }
        expectEqual(done.wait(timeout: .now() + 120), .success)
        try stack.elsewhere { (context) throws in
            try expectEqual(context.one("Owner", "o").value(forKey: "age") as? Int, 100)
        }
    }

    @Test("A store is removed while an observer of its changes waits")
    func removalDuringANotification() throws {
        let stack = try EngineStack(.postgreSQL)
        let other = try other(stack, [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
        let (heard, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let removed = DispatchSemaphore(value: 0)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: other,
            queue: nil
        ) { _ in
            heard.signal()
            released.wait()
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try stack.run { (context) throws in
            context.make("Owner", ["name": "o", "age": 1])
            try context.save()
        }
        expectEqual(heard.wait(timeout: .now() + 60), .success)
        Thread.detachNewThread {
            for store in other.persistentStores { try? other.remove(store) }
            removed.signal()
        }
        expectEqual(removed.wait(timeout: .now() + 60), .success)
        released.signal()
    }

    @Test("A save is announced to another coordinator, with its transaction in the history")
    func remoteChanges() throws {
        let stack = try EngineStack(.postgreSQL)
        let other = try other(stack, [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
        let token = other.currentPersistentHistoryToken(fromStores: nil)
        let heard = DispatchSemaphore(value: 0)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: other,
            queue: nil
        ) { _ in heard.signal() }
        defer { NotificationCenter.default.removeObserver(observer) }
        try stack.run { (context) throws in
            context.transactionAuthor = "ann"
            context.make("Owner", ["name": "o", "age": 1])
            try context.save()
        }
        expectEqual(heard.wait(timeout: .now() + 60), .success)
        let context = other.makeContext()
        try context.performAndWait { () throws in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
            expectEqual(transactions.map(\.author), ["ann"])
            expectEqual(transactions.first?.changes?.map(\.changedObjectID.entity.name), ["Owner"])
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
            let now = other.currentPersistentHistoryToken(fromStores: nil)
            let rest = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: now))
            expectEqual(
                ((rest as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])?.isEmpty,
                true
            )
            context.make("Owner", ["name": "p"])
            try context.save()
            let expired = #expect(throws: NSError.self) {
                try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
            }
            expectEqual(expired?.code, NSPersistentHistoryTokenExpiredError)
        }
    }

    @Test("With notify=on the server announces each save to those who listen, and the history is seldom looked at")
    func notifications() throws {
        let stack = try EngineStack(.postgreSQL)
        let place = try #require(URL(string: try url(of: stack).absoluteString + "&notify=on"))
        func open() throws -> NSPersistentStoreCoordinator {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
            let options = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
            try coordinator.addPersistentStore(type: .postgreSQL, at: place, options: options)
            return coordinator
        }
        let (writer, reader) = (try open(), try open())
        let engine = try #require((reader.persistentStores[0] as? any EngineStore)?.engine as? PostgreSQLEngine)
        let (notified, heard) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let address = try DatabaseAddress(place.absoluteString)
        let listener = try SaveNotifications(address, store: engine.identifier, queue: DispatchQueue(label: "notified"))
        {
            if $0 == nil { notified.signal() }
        }
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: reader,
            queue: nil
        ) { _ in heard.signal() }
        defer { NotificationCenter.default.removeObserver(observer) }
        let context = writer.makeContext()
        for number in 0..<5 {
            try context.performAndWait { () throws in
                context.make("Owner", ["name": "o\(number)"])
                try context.save()
            }
            expectEqual(notified.wait(timeout: .now() + 60), .success)
            expectEqual(heard.wait(timeout: .now() + 60), .success)
        }
        withExtendedLifetime(listener) {}
        // Polling without notifications would run about thirty statements in this time.
        let before = engine.counts.statements
        Thread.sleep(forTimeInterval: 1)
        #expect(engine.counts.statements - before < 10)
        // The store replaces the lost connection for notifications, and still announces saves.
        try PostgreSQLServer.shared()
            .execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        try context.performAndWait { () throws in
            context.make("Owner", ["name": "last"])
            try context.save()
        }
        expectEqual(heard.wait(timeout: .now() + 60), .success)
        #expect(throws: NSError.self) {
            try writer.addPersistentStore(
                type: .postgreSQL,
                at: try #require(URL(string: try url(of: stack).absoluteString + "&notify=perhaps"))
            )
        }
    }

    @Test("A pooler that gives each transaction another session serves a store", .enabled(if: PgBouncer.isInstalled))
    func behindAPooler() throws {
        let server = try PostgreSQLServer.shared()
        let pooler = try server.makePooler(size: 2)
        defer { pooler.stop() }
        let schema = try server.makeSchema()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
        let url = try #require(URL(string: pooler.address("postgres", "schema=\(schema)")))
        try coordinator.addPersistentStore(type: .postgreSQL, at: url)
        let contexts = (0..<3).map { _ in coordinator.makeContext() }
        for round in 0..<5 {
            for (number, context) in contexts.enumerated() {
                try context.performAndWait { () throws in
                    context.make("Owner", ["name": "o\(number).\(round)", "age": round])
                    try context.save()
                    try expectEqual(context.count(for: context.request("Owner", "age == \(round)")), number + 1)
                }
            }
        }
    }

    @Test("A store has its own metadata, is found closed, and is destroyed whole")
    func metadataAndDestruction() throws {
        let stack = try EngineStack.filled(.postgreSQL)
        let url = try url(of: stack)
        let store = try #require(stack.coordinator.persistentStores.first)
        stack.coordinator.setMetadata(stack.coordinator.metadata(for: store).merging(["mine": "x"]) { $1 }, for: store)
        try stack.run { (context) throws in
            context.make("Tag", ["name": "t"])
            try context.save()
        }
        let type = NSPersistentStore.StoreType.postgreSQL
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
        expectEqual(metadata["mine"] as? String, "x")
        expectEqual(metadata[NSStoreUUIDKey] as? String, store.identifier)
        expectEqual(metadata[NSStoreTypeKey] as? String, "PostgreSQL")
        expectEqual(NSPersistentStoreDescription(url: url).type, "PostgreSQL")
        try stack.coordinator.destroyPersistentStore(at: url, type: type)
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
        }
        let schema = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first?.value)
        let rest = try PostgreSQLServer.shared()
            .execute(
                "SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = '\(schema)'::regnamespace) + "
                    + "(SELECT count(*) FROM pg_proc WHERE pronamespace = '\(schema)'::regnamespace)"
            )
        expectEqual(rest, [["0"]])
    }

    @Test("A destroyed store leaves functions of other programs in its schema, whatever their names")
    func functionsOfOthers() throws {
        let stack = try EngineStack(.postgreSQL)
        let url = try url(of: stack)
        let schema = try stack.postgreSQLEngine.configuration.address.schema
        let server = try PostgreSQLServer.shared()
        try server.execute("CREATE FUNCTION \(schema).mg_own() RETURNS integer LANGUAGE sql AS 'SELECT 7'")
        try stack.coordinator.destroyPersistentStore(at: url, type: .postgreSQL)
        let rest = try server.execute("SELECT proname FROM pg_proc WHERE pronamespace = '\(schema)'::regnamespace")
        expectEqual(rest, [["mg_own"]])
    }

    @Test("Addresses and stores that do not fit are refused with the remedy")
    func errors() throws {
        let server = try PostgreSQLServer.shared()
        func failure(_ address: String, _ model: NSManagedObjectModel = EngineModel.make()) throws -> NSError {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let url = try #require(URL(string: address))
            let error = #expect(throws: NSError.self) {
                try coordinator.addPersistentStore(type: .postgreSQL, at: url)
            }
            return try #require(error)
        }
        let missing = try failure(server.address("nowhere", password: "secret"))
        expectEqual(missing.code, NSPersistentStoreOpenError)
        #expect(missing.localizedDescription.contains("nowhere"))
        #expect(!"\(missing)".contains("secret"))
        expectEqual(missing.localizedRecoverySuggestion?.isEmpty, false)
        let misspelt = try failure(server.address("postgres", "scheme=x"))
        #expect(String(describing: misspelt).contains("schema"))
        let stack = try EngineStack.filled(.postgreSQL)
        let changed = EngineModel.make()
        changed.entitiesByName["Tag"]?.properties.append(NSAttributeDescription("more"))
        let version = try failure(try url(of: stack).absoluteString, changed)
        expectEqual(version.code, NSPersistentStoreIncompatibleVersionHashError)
        try stack.run { (context) throws in
            context.make("Owner", ["name": "a\u{0}b"])
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.localizedDescription.contains("Owner.name: a text contains"), true)
            expectEqual(error?.localizedDescription.contains("U+0000"), true)
            context.rollback()
            try expectEqual(context.names("Owner").count, 6)
        }
    }

    @Test("A move into a schema in which another program makes a store meanwhile is refused, and leaves that store")
    func movedMeanwhile() throws {
        let server = try PostgreSQLServer.shared()
        let schema = try server.makeSchema()
        let target = "\(schema)_target"
        let there = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
        let url = try #require(URL(string: server.address("postgres", "schema=\(schema)")))
        let store = try there.addPersistentStore(type: .postgreSQL, at: url)
        let context = there.makeContext()
        try context.performAndWait { () throws in
            context.make("Owner", ["name": "there"])
            try context.save()
        }
        try there.remove(store)
        // The schema gets its name while the move waits to create one.
        let other = try PostgreSQLConnection(DatabaseAddress(server.address("postgres")))
        defer { other.close() }
        try other.execute("BEGIN")
        try other.execute("ALTER SCHEMA \(schema) RENAME TO \(target)")
        let stack = try EngineStack(.sqlite)
        try stack.run { (context) throws in
            context.make("Owner", ["name": "moved"])
            try context.save()
        }
        let (coordinator, place) = (stack.coordinator, server.address("postgres", "schema=\(target)"))
        let failure = Mutex("")
        let moved = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            defer { moved.signal() }
            do {
                guard let store = coordinator.persistentStores.first, let url = URL(string: place) else { return }
                _ = try coordinator.migratePersistentStore(store, to: url, type: .postgreSQL)
            } catch {
                failure.withLock { $0 = (error as NSError).localizedDescription }
            }
        }
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%\(target)%'"
        for _ in 0..<600 {
            if try server.execute(waiting) == [["1"]] { break }
            usleep(50_000)
        }
        try other.execute("COMMIT")
        expectEqual(moved.wait(timeout: .now() + 60), .success)
        let message = failure.withLock { $0 }
        expectEqual(message.contains("has a store already"), true, "\(message)")
        try expectEqual(server.execute("SELECT name FROM \(target).\"Owner\"").compactMap { $0[0] }, ["there"])
    }

    @Test("A model with a derivation that the store cannot compute leaves no tables")
    func refusedDerivation() throws {
        let wrong = NSDerivedAttributeDescription()
        wrong.name = "wrong"
        wrong.attributeType = .integer64AttributeType
        wrong.isOptional = true
        wrong.derivationExpression = NSExpression(format: "number + 1")
        let number = NSAttributeDescription("number", .integer64AttributeType)
        let model = NSManagedObjectModel([NSEntityDescription("Item", [number, wrong])])
        let server = try PostgreSQLServer.shared()
        let schema = try server.makeSchema()
        let url = try #require(URL(string: server.address("postgres", "schema=\(schema)")))
        let error = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(type: .postgreSQL, at: url)
        }
        expectEqual(error?.localizedDescription.contains("Item.wrong"), true, "\(String(describing: error))")
        try expectEqual(
            server.execute("SELECT count(*) FROM pg_class WHERE relnamespace = '\(schema)'::regnamespace"),
            [["0"]]
        )
    }

    @Test(
        "A move into a database names the object with a value that the database cannot store, and leaves nothing there"
    )
    func unstorableValue() throws {
        let stack = try EngineStack(.sqlite)
        try stack.run { (context) throws in
            context.make("Thing", ["int64": 1, "date": Date(timeIntervalSinceReferenceDate: 1e13)])
            try context.save()
        }
        let server = try PostgreSQLServer.shared()
        let schema = "\(try server.makeSchema())_new"
        let place = try #require(URL(string: server.address("postgres", "schema=\(schema)")))
        let store = try #require(stack.coordinator.persistentStores.first)
        let error = #expect(throws: NSError.self) {
            _ = try stack.coordinator.migratePersistentStore(store, to: place, type: .postgreSQL)
        }
        expectEqual(error?.localizedDescription.contains("Thing.date of the object with the key 1: "), true)
        let schemas = try server.execute("SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema)'")
        expectEqual(schemas, [["0"]])
    }

    @Test("A reference to an object that another process has deleted is a conflict")
    func deletedDestination() throws {
        let stack = try EngineStack(.postgreSQL)
        try stack.run { (context) throws in
            context.make("Owner", ["name": "o"])
            try context.save()
        }
        let context = stack.coordinator.makeContext()
        try context.performAndWait { () throws in
            let owner = try context.one("Owner", "o")
            let other = try other(stack).makeContext()
            try other.performAndWait { () throws in
                other.delete(try other.one("Owner", "o"))
                try other.save()
            }
            context.make("Animal", ["name": "a", "owner": owner])
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            #expect(try context.names("Owner").isEmpty)
            try expectNil(context.one("Animal", "a").value(forKey: "owner"))
        }
    }
}

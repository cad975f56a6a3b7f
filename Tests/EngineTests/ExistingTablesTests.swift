// Tests stores over tables that another program owns: stores read and write the rows and never alter the tables.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@Suite(
    "PostgreSQL: tables of other programs",
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
)
struct ExistingTablesTests {
    @Test("Rows of another program are objects: converted types, relationships, kinds, sorts and predicates")
    func read() throws {
        let shop = try LegacyShop()
        try shop.run { (context) throws in
            try expectEqual(context.names("Customer"), ["Bo", "Zoe", "adam", "Änne"])
            try expectEqual(context.names("Customer", "name BEGINSWITH[cd] 'a'"), ["adam", "Änne"])
            try expectEqual(context.names("Customer", "code == 'Z1'"), ["Zoe"])
            try expectEqual(context.names("Customer", "isActive == YES AND created > CAST(0, 'NSDate')").count, 4)
            let order = try #require(
                try context.fetch(context.request("Order", "customer.name == 'Zoe'", sort: ["net"])).first
            )
            expectEqual(order.value(forKey: "state") as? String, "open")
            expectEqual(order.value(forKey: "gross") as? NSDecimalNumber, NSDecimalNumber(string: "3.6"))
            expectEqual(order.value(forKey: "details") as? String, "{\"n\": 1}")
            expectEqual(order.value(forKey: "day") as? Date, ISO8601DateFormatter().date(from: "2026-01-04T00:00:00Z"))
            #expect(order.value(forKey: "identifier") is UUID)
            try expectEqual(context.count(for: context.request("Order", "ANY labels.title == 'new'", sort: [])), 2)
            try expectEqual(context.count(for: context.request("Customer", "orders.@count == 3")), 3)
            // Rows of other kinds do not become objects.
            try expectEqual(context.names("Person"), ["Ann", "Ben"])
            let boss = try context.one("Boss", "Ann")
            expectEqual(boss.value(forKey: "bonus") as? Int, 5)
            expectEqual((boss.value(forKey: "team") as? Set<NSManagedObject>)?.map(\.name), ["Ben"])
            #expect((try context.one("Worker", "Ben").value(forKey: "boss") as? NSManagedObject) === boss)
            let names = NSFetchRequest<NSDictionary>(entityName: "Customer")
            names.resultType = .dictionaryResultType
            names.propertiesToFetch = ["name"]
            names.returnsDistinctResults = true
            names.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            try expectEqual(context.fetch(names).compactMap { $0["name"] as? String }, ["Änne", "adam", "Zoe", "Bo"])
        }
    }

    @Test("New, changed and deleted objects are rows of the tables, in an order that their foreign keys allow")
    func write() throws {
        let shop = try LegacyShop()
        try shop.run { (context) throws in
            let label = context.make("Label", ["title": "hot"])
            let order = context.make("Order", ["net": NSDecimalNumber(string: "10.50"), "state": "paid"])
            let customer = context.make(
                "Customer",
                ["name": "Cy", "email": "cy@x", "created": Date(), "isActive": false]
            )
            order.setValue(customer, forKey: "customer")
            order.setValue(NSSet(object: label), forKey: "labels")
            order.setValue(Date(timeIntervalSince1970: 1_767_225_600), forKey: "day")
            order.setValue("{\"a\": [1]}", forKey: "details")
            let boss = context.make("Boss", ["name": "Bea", "bonus": 1])
            context.make("Worker", ["name": "Wim", "boss": boss])
            try context.save()
            // The database computes the value, and the object reads it.
            expectEqual(order.value(forKey: "gross") as? NSDecimalNumber, NSDecimalNumber(string: "12.6"))
            order.setValue(NSDecimalNumber(value: 20), forKey: "net")
            customer.setValue("Cyd", forKey: "name")
            try context.save()
            expectEqual(order.value(forKey: "gross") as? NSDecimalNumber, NSDecimalNumber(value: 24))
            customer.setValue("Cyn", forKey: "name")
            try context.save()
        }
        try expectEqual(
            shop.execute(
                "SELECT name, active, lock_version, state::text, day::text, gross::text, title FROM customers c "
                    + "JOIN orders o ON o.customer_id = c.id JOIN order_labels USING (order_no) "
                    + "JOIN labels l ON l.id = label_id WHERE email = 'cy@x'"
            ),
            [["Cyn", "0", "3", "paid", "2026-01-01", "24.00", "hot"]]
        )
        try expectEqual(
            shop.execute(
                "SELECT w.kind, b.kind, b.name FROM staff w JOIN staff b ON b.id = w.boss_id WHERE w.name = 'Wim'"
            ),
            [["worker", "boss", "Bea"]]
        )
        try shop.run { (context) throws in
            // Orders refer to the customer, and pairs to the orders: the save deletes all, referring rows first.
            context.delete(try context.one("Customer", "Cyn"))
            context.delete(try context.one("Boss", "Bea"))
            // A new row takes the unique value of a deleted one, although the rows of other tables are deleted last.
            context.delete(try context.one("Customer", "Bo"))
            context.make("Customer", ["name": "Bob", "email": "bo@x", "created": Date(), "isActive": true])
            try context.save()
            // One save moves orders to another customer and deletes their former one.
            let (zoe, adam) = (try context.one("Customer", "Zoe"), try context.one("Customer", "adam"))
            for order in try #require(zoe.value(forKey: "orders") as? Set<NSManagedObject>) {
                order.setValue(adam, forKey: "customer")
            }
            context.delete(zoe)
            try context.save()
        }
        try expectEqual(shop.execute("SELECT name, boss_id FROM staff WHERE name = 'Wim'"), [["Wim", nil]])
        try expectEqual(
            shop.execute("SELECT string_agg(email, ' ' ORDER BY email) FROM customers"),
            [["adam@x aenne@x bo@x"]]
        )
        try expectEqual(shop.execute("SELECT count(*) FROM orders WHERE customer_id = 2"), [["6"]])
    }

    @Test("A change by another program is a conflict, and an own save is none")
    func conflicts() throws {
        let shop = try LegacyShop()
        let otherCoordinator = try shop.other()
        try shop.run { (context) throws in
            let customer = try context.one("Customer", "Zoe")
            let order = try #require(try context.fetch(context.request("Order", sort: ["net"])).first)
            let second = otherCoordinator.makeContext()
            try second.performAndWait { () throws in
                let same = try second.one("Customer", "Zoe")
                for name in ["Zoe 2", "Zoe 3", "Zoe"] {
                    same.setValue(name, forKey: "name")
                    try second.save()
                }
            }
            customer.setValue("Mine", forKey: "name")
            #expect { try context.save() } throws: { ($0 as NSError).code == NSManagedObjectMergeError }
            context.refreshAllObjects()
            customer.setValue("Mine", forKey: "name")
            try context.save()
            _ = order.value(forKey: "net")
            try shop.execute("UPDATE orders SET state = 'sent' WHERE net = 1")
            order.setValue("paid", forKey: "state")
            #expect { try context.save() } throws: { ($0 as NSError).code == NSManagedObjectMergeError }
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            order.setValue(NSDecimalNumber(value: 7), forKey: "net")
            try context.save()
            context.mergePolicy = NSMergePolicy.error
            try shop.execute("DELETE FROM order_labels; DELETE FROM orders WHERE net = 7")
            order.setValue(NSDecimalNumber(value: 88), forKey: "net")
            #expect { try context.save() } throws: { ($0 as NSError).code == NSManagedObjectMergeError }
        }
        try expectEqual(shop.execute("SELECT count(*) FROM orders WHERE net = 88"), [["0"]])
        try shop.execute("ALTER TABLE customers ALTER email DROP NOT NULL")
        // Two objects exchange unique values, and can be saved again.
        try shop.run { (context) throws in
            let (mine, adam) = (try context.one("Customer", "Mine"), try context.one("Customer", "adam"))
            for _ in 1...2 {
                let email = mine.value(forKey: "email")
                mine.setValue(adam.value(forKey: "email"), forKey: "email")
                adam.setValue(email, forKey: "email")
                try context.save()
            }
        }
    }

    @Test("Batch requests and the history work")
    func batches() throws {
        let shop = try LegacyShop()
        try shop.run { (context) throws in
            let before = shop.coordinator.currentPersistentHistoryToken(fromStores: nil)
            let insert = NSBatchInsertRequest(
                entityName: "Label",
                objects: (1...1_000).map { ["title": "label \($0)"] }
            )
            try context.execute(insert)
            let update = NSBatchUpdateRequest(entityName: "Customer")
            update.predicate = NSPredicate(format: "name > 'a'")
            update.propertiesToUpdate = ["isActive": false]
            update.resultType = .updatedObjectsCountResultType
            try expectEqual((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int, 2)
            let delete = NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Customer")
            )
            delete.resultType = .resultTypeCount
            try expectEqual((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int, 13)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: before)
            let transactions = try #require(
                (try context.execute(request) as? NSPersistentHistoryResult)?.result
                    as? [NSPersistentHistoryTransaction]
            )
            expectEqual(transactions.map { $0.changes?.count ?? 0 }, [1_000, 2, 13])
        }
        try expectEqual(shop.execute("SELECT count(*) FROM labels"), [["1002"]])
        try expectEqual(shop.execute("SELECT count(*) FROM orders"), [["0"]])
    }

    @Test("New objects need a sequence, and the error names the statement that adds one")
    func withoutSequence() throws {
        let shop = try LegacyShop()
        try shop.run { (context) throws in
            try context.one("Plain", "one").setValue("uno", forKey: "name")
            try context.save()
            context.make("Plain", ["name": "two"])
            #expect {
                try context.save()
            } throws: {
                "\(($0 as NSError).userInfo)".contains("ADD GENERATED BY DEFAULT AS IDENTITY")
            }
        }
        try shop.execute("ALTER TABLE plain ALTER id ADD GENERATED BY DEFAULT AS IDENTITY (START 2)")
        let other = try shop.other().makeContext()
        try other.performAndWait { () throws in
            other.make("Plain", ["name": "two"])
            try other.save()
        }
        try expectEqual(shop.execute("SELECT id, name FROM plain ORDER BY id"), [["1", "uno"], ["2", "two"]])
    }

    @Test("A model that does not fit the tables is refused with all reasons")
    func refused() throws {
        func message(_ change: (NSManagedObjectModel) throws -> Void) -> String {
            do {
                _ = try LegacyShop(change)
                return "no error"
            } catch {
                return "\((error as NSError).userInfo)"
            }
        }
        let several = message { model in
            model.entitiesByName["Customer"]?.attributesByName["name"]?.userInfo = ["SQLColumn": "surname"]
            model.entitiesByName["Label"]?.userInfo = [:]
            model.entitiesByName["Order"]?.attributesByName["day"]?.attributeType = .binaryDataAttributeType
            model.entitiesByName["Boss"]?.superentity?.userInfo = ["SQLTable": "staff", "SQLKeyColumn": "id"]
        }
        for part in [
            "Customer.name: the table customers has no column surname", "Label: there is no table Label",
            "Order.day: a column of the type date cannot hold", "staff has no column _entity",
        ] {
            #expect(several.contains(part), "\(several)")
        }
        let key = message { $0.entitiesByName["Label"]?.userInfo = ["SQLTable": "labels"] }
        #expect(key.contains("labels has no integer column _id for the key"), "\(key)")
        let ordered = message { $0.entitiesByName["Customer"]?.relationshipsByName["orders"]?.isOrdered = true }
        #expect(ordered.contains("Make it unordered"), "\(ordered)")
    }

    @Test("Another version of the model makes the views anew, and the store is removed without the tables")
    func versions() throws {
        let shop = try LegacyShop()
        let next = LegacyShop.model()
        let plain = try #require(next.entitiesByName["Plain"])
        let order = try #require(next.entitiesByName["Order"])
        order.properties.removeAll { $0.name == "details" }
        plain.properties.append(NSAttributeDescription("size", .integer64AttributeType))
        let automatic: [String: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        #expect {
            try shop.other(next, automatic)
        } throws: {
            "\(($0 as NSError).userInfo)".contains("Plain.size: the table plain has no column size")
        }
        try shop.execute("ALTER TABLE plain ADD size integer DEFAULT 3")
        let newer = try #require(next.copy() as? NSManagedObjectModel)
        let context = try shop.other(newer, automatic).makeContext()
        try context.performAndWait { () throws in
            try expectEqual(context.one("Plain", "one").value(forKey: "size") as? Int, 3)
            try expectEqual(context.count(for: context.request("Order", sort: [])), 9)
        }
        let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
        try context.persistentStoreCoordinator?.remove(store)
        #expect(throws: (any Error).self) {
            let wrong = NSPersistentStoreCoordinator(managedObjectModel: newer)
            try wrong.addPersistentStore(type: .postgreSQL, at: try shop.url("tables=public"))
        }
        try shop.coordinator.destroyPersistentStore(at: try shop.url(), type: .postgreSQL)
        try expectEqual(
            shop.server.execute("SELECT count(*) FROM pg_class WHERE relnamespace = '\(shop.schema)'::regnamespace"),
            [["0"]]
        )
        try expectEqual(shop.execute("SELECT count(*) FROM orders"), [["9"]])
    }
}

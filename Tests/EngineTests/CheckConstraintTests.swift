// Tests the check constraints that a PostgreSQL store derives from the model's validation rules: they apply to programs
// that write the tables without the model.
import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSupport
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@testable import ManagedGraph

@Suite("PostgreSQL: check constraints", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct CheckConstraintTests {
    /// The rules of `Item` and of its subentity `Book`.
    private static func model(rating: String = "SELF <= 5") -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType, _ rules: (format: String, warning: Any)...)
            -> NSAttributeDescription
        {
            let attribute = NSAttributeDescription(name, type)
            attribute.setValidationPredicates(
                rules.map { NSPredicate(format: $0.format) },
                withValidationWarnings: rules.map(\.warning)
            )
            return attribute
        }
        let name = attribute("name", .stringAttributeType, ("length >= 2", 1670), ("length <= 5", 1660))
        name.isOptional = false
        let item = NSEntityDescription(
            "Item",
            [
                name, attribute("price", .decimalAttributeType, ("SELF >= 0.5", 1620), ("SELF <= 99.95", 1610)),
                attribute("rating", .integer16AttributeType, (rating, "At most five stars.")),
                attribute("code", .stringAttributeType, ("SELF MATCHES '[A-Z]{2}[0-9]+'", 1680)),
                attribute(
                    "made",
                    .dateAttributeType,
                    ("SELF >= CAST(0, 'NSDate')", 1650),
                    ("SELF != nil OR 1 == 1", 1550)
                ),
                attribute(
                    "weight",
                    .doubleAttributeType,
                    ("SELF > 0 AND SELF < 1000 AND NOT (SELF BETWEEN {5, 6})", 1550)
                ),
                attribute("size", .stringAttributeType, ("SELF IN {'S', 'M'} OR SELF BEGINSWITH[c] 'x'", 1550)),
                attribute("done", .booleanAttributeType),
                // This rule has no SQL equivalent.
                attribute("note", .stringAttributeType, ("FUNCTION(SELF, 'uppercaseString') != 'NO'", 1550)),
            ]
        )
        let isbn = attribute("isbn", .stringAttributeType, ("length == 13", 1660))
        isbn.isOptional = false
        let book = NSEntityDescription("Book", [isbn])
        item.subentities = [book]
        return NSManagedObjectModel([item, book])
    }

    private static var good: [String: Any] {
        [
            "name": "abc", "price": NSDecimalNumber(string: "99.95"), "rating": 5, "code": "AB1", "made": Date(),
            "weight": 4.5, "size": "xl", "note": "yes", "done": true,
        ]
    }

    private let server: PostgreSQLServer
    private let schema: String

    init() throws {
        server = try PostgreSQLServer.shared()
        schema = try server.makeSchema()
    }

    private func open(_ model: NSManagedObjectModel = model(), user: String? = nil) throws
        -> NSPersistentStoreCoordinator
    {
        var address = server.address("postgres", "schema=\(schema)")
        if let user { address += "&user=\(user)" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: try #require(URL(string: address)))
        return coordinator
    }

    private func run<R>(_ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> R)
        throws -> R
    {
        let context = coordinator.makeContext()
        return try context.performAndWait { () throws in try body(context) }
    }

    /// The constraints with their rules, by table and column.
    private func constraints() throws -> [String] {
        try server.execute(
            """
            SELECT r.relname || ' ' || obj_description(c.oid, 'pg_constraint') || CASE WHEN c.convalidated THEN '' ELSE \
            ' (not valid)' END FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid JOIN pg_namespace n \
            ON n.oid = r.relnamespace WHERE n.nspname = '\(schema)' AND c.conname LIKE '\\_check%' ORDER BY 1
            """
        )
        .compactMap { $0[0] }
    }

    private func insert(_ entity: String, _ values: [String: Any], _ coordinator: NSPersistentStoreCoordinator) throws {
        try run(coordinator) { context in
            _ = try context.execute(NSBatchInsertRequest(entityName: entity, objects: [values]))
        }
    }

    @Test("What saves refuse, batches and other programs cannot write either, and the errors are those of validation")
    func refusals() throws {
        let coordinator = try open()
        try expectEqual(constraints().count, 13)
        try run(coordinator) { (context) throws in
            context.make("Item", Self.good)
            context.make("Book", ["name": "b1", "isbn": "9780141439600"])
            try context.save()
        }
        try insert("Item", Self.good, coordinator)
        // A row of the other entity has no number.
        try insert("Item", ["name": "x1"], coordinator)
        let bad: [(String, Any, Int)] = [
            ("name", "a", 1670), ("name", "abcdef", 1660), ("price", NSDecimalNumber(string: "0.49"), 1620),
            ("price", NSDecimalNumber(string: "99.96"), 1610), ("rating", 6, 1550), ("code", "ab1", 1680),
            ("made", Date(timeIntervalSinceReferenceDate: -1), 1650), ("weight", 5.5, 1550), ("weight", 0.0, 1550),
            ("size", "L", 1550), ("name", NSNull(), 1570),
        ]
        for (key, value, code) in bad {
            var values = Self.good
            values[key] = value
            if value is NSNull { values[key] = nil }
            let error = #expect(throws: NSError.self, "\(key) \(value)") { try insert("Item", values, coordinator) }
            expectEqual(error?.code, code, "\(key) \(value): \(String(describing: error))")
            expectEqual(error?.localizedRecoverySuggestion?.contains(key), true)
            // A save refuses the same values.
            let saveError = try run(coordinator) { context in
                let object = context.make("Item", Self.good)
                object.setValue(value is NSNull ? nil : value, forKey: key)
                return #expect(throws: NSError.self) { try context.save() }
            }
            expectEqual(saveError?.code, code, "\(key) \(value): \(String(describing: saveError))")
        }
        let error = #expect(throws: NSError.self) {
            try run(coordinator) { context in
                let request = NSBatchUpdateRequest(entityName: "Item")
                request.propertiesToUpdate = ["rating": 7]
                _ = try context.execute(request)
            }
        }
        expectEqual(error?.localizedDescription.contains("At most five stars."), true)
        expectEqual(#expect(throws: NSError.self) { try insert("Book", ["name": "b2"], coordinator) }?.code, 1570)
        #expect(throws: (any Error).self) {
            try server.execute("UPDATE \"\(schema)\".\"Item\" SET \"price\" = -1")
        }
        try run(coordinator) { (context) throws in
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")), 4)
        }
    }

    @Test("Rows that break the rules can be moved in, and are found; new ones are refused")
    func moved() throws {
        let loose = Self.model(rating: "SELF <= 1000")
        for entity in loose.entities {
            for property in entity.properties { property.setValidationPredicates([], withValidationWarnings: []) }
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: loose)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try coordinator.addPersistentStore(type: .sqlite, at: folder.appending(path: "shop.sqlite"))
        try run(coordinator) { (context) throws in
            context.make("Item", Self.good)
            context.make("Item", Self.good).setValue(9, forKey: "rating")
            try context.save()
        }
        try coordinator.remove(file)
        let strict = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let source = try strict.addPersistentStore(type: .sqlite, at: folder.appending(path: "shop.sqlite"))
        let place = try #require(URL(string: server.address("postgres", "schema=\(schema)")))
        let store = try strict.migratePersistentStore(source, to: place, type: .postgreSQL)
        try expectEqual(constraints().count, 13)
        #expect(try constraints().allSatisfy { $0.hasSuffix(" (not valid)") })
        let engine = try #require((store as? any EngineStore)?.engine as? PostgreSQLEngine)
        let findings = try engine.findings().map(\.text)
        expectEqual(findings, ["Item.rating, row 2: the value breaks the model's rule SELF <= 5. Correct it."])
        try run(strict) { (context) throws in
            let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
            expectEqual(items.compactMap { $0.value(forKey: "rating") as? Int }.sorted(), [5, 9])
        }
        var values = Self.good
        values["rating"] = 8
        #expect(throws: NSError.self) { try insert("Item", values, strict) }
    }

    @Test("Other rules of the same version replace the constraints, as far as the user may")
    func replaced() throws {
        let before = try open()
        try insert("Item", Self.good, before)
        let after = try open(Self.model(rating: "SELF <= 50"))
        try expectEqual(constraints().filter { $0.contains("not valid") }, ["Item SELF <= 50 (not valid)"])
        try expectEqual(constraints().count, 13)
        var values = Self.good
        values["rating"] = 8
        try insert("Item", values, after)
        // A user with the right to write rows alone can still open the store.
        let user = "guest_\(UUID().uuidString.prefix(8).lowercased())"
        try server.execute(
            "CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA \"\(schema)\" TO \(user); "
                + "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"\(schema)\" TO \(user); "
                + "GRANT USAGE ON ALL SEQUENCES IN SCHEMA \"\(schema)\" TO \(user)"
        )
        let guest = try open(user: user)
        #expect(try constraints().contains("Item SELF <= 50 (not valid)"))
        try run(guest) { (context) throws in
            context.make("Item", Self.good)
            try context.save()
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")), 3)
        }
    }

    @Test("Objects exchange required values that must be unique; other programs still cannot remove such a value")
    func exchanged() throws {
        let code = NSAttributeDescription("code", .stringAttributeType)
        code.isOptional = false
        let badge = NSEntityDescription("Badge", [code])
        badge.uniquenessConstraints = [["code"]]
        let gold = NSEntityDescription("Gold", [])
        badge.subentities = [gold]
        let coordinator = try open(NSManagedObjectModel([badge, gold]))
        try run(coordinator) { (context) throws in
            let badges = ["a", "b"].map { context.make("Badge", ["code": $0]) } + [context.make("Gold", ["code": "c"])]
            try context.save()
            for (badge, code) in zip(badges, ["b", "c", "a"]) { badge.setValue(code, forKey: "code") }
            try context.save()
            // The setting ends before the rows are written.
            badges[0].setValue("d", forKey: "code")
            try context.save()
            context.refreshAllObjects()
            expectEqual(badges.map { $0.value(forKey: "code") as? String }, ["d", "c", "a"])
        }
        #expect(throws: (any Error).self) { try server.execute("UPDATE \"\(schema)\".\"Badge\" SET code = NULL") }
    }

    @Test("A migrated store has the constraints of its new model; those of other tables stay")
    func migrated() throws {
        try server.execute("CREATE TABLE \"\(schema)\".other (a int CONSTRAINT _check_a CHECK (a > 0))")
        let before = try open()
        try insert("Item", Self.good, before)
        try insert("Item", ["name": "abc", "rating": 4], before)
        for store in before.persistentStores { try before.remove(store) }
        let model = Self.model(rating: "SELF <= 4")
        let item = try #require(model.entitiesByName["Item"])
        let rating = try #require(item.attributesByName["rating"])
        rating.name = "stars"
        rating.renamingIdentifier = "rating"
        rating.attributeType = .integer64AttributeType
        let price = try #require(item.attributesByName["price"])
        item.properties.removeAll { $0 === price }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let place = try #require(URL(string: server.address("postgres", "schema=\(schema)")))
        try coordinator.addPersistentStore(
            type: .postgreSQL,
            at: place,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ]
        )
        #expect(throws: (any Error).self) { try server.execute("INSERT INTO \"\(schema)\".other VALUES (0)") }
        try server.execute("DROP TABLE \"\(schema)\".other")
        let descriptions = try constraints()
        expectEqual(descriptions.count, 11)
        #expect(descriptions.contains("Item SELF <= 4 (not valid)"))
        #expect(throws: NSError.self) { try insert("Item", ["name": "abc", "stars": 5], coordinator) }
        try insert("Item", ["name": "abc", "stars": 3], coordinator)
    }
}

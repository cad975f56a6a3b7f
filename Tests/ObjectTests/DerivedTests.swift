// Derived attributes: computed by the save, or by triggers of the store.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct DerivedAttributes {
    private static func derived(_ name: String, _ type: NSAttributeType, _ format: String)
        -> NSDerivedAttributeDescription
    {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression = NSExpression(format: format)
        return attribute
    }

    private static func model() -> NSManagedObjectModel {
        let order = NSEntityDescription("Order")
        let line = NSEntityDescription("Line")
        let tag = NSEntityDescription("Tag")
        let customer = NSEntityDescription("Customer")
        order.properties = [
            NSAttributeDescription("name"),
            derived("canonicalName", .stringAttributeType, "canonical:(name)"),
            derived("upperName", .stringAttributeType, "uppercase:(name)"),
            derived("changed", .dateAttributeType, "now()"),
            derived("lineCount", .integer64AttributeType, "lines.@count"),
            derived("tagCount", .integer64AttributeType, "tags.@count"),
            derived("total", .doubleAttributeType, "lines.@sum.amount"),
            derived("weight", .doubleAttributeType, "tags.@sum.weight"),
            derived("copy", .stringAttributeType, "name"),
            NSRelationshipDescription("customer", to: customer),
        ]
        line.properties = [
            NSAttributeDescription("amount", .doubleAttributeType),
            derived("orderName", .stringAttributeType, "order.name"),
            derived("canonicalOrder", .stringAttributeType, "canonical:(order.name)"),
            derived("customerName", .stringAttributeType, "order.customer.name"),
            derived("upperCustomer", .stringAttributeType, "uppercase:(order.customer.name)"),
        ]
        tag.properties = [NSAttributeDescription("weight", .doubleAttributeType)]
        let express = NSEntityDescription("ExpressOrder")
        express.properties = [
            NSAttributeDescription("courier"), derived("sent", .dateAttributeType, "now()"),
            derived("lowerCourier", .stringAttributeType, "lowercase:(courier)"),
        ]
        order.subentities = [express]
        customer.properties = [NSAttributeDescription("name")]
        order.relate("lines", toMany: true, to: line, "order", rule: .cascadeDeleteRule)
        order.relate("tags", toMany: true, to: tag, "orders", inverseToMany: true)
        return NSManagedObjectModel([order, express, line, tag, customer])
    }

    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(model: Self.model()) }

    private func make(_ name: String) throws -> NSManagedObject {
        NSManagedObject(
            entity: try #require(stack.coordinator.managedObjectModel.entitiesByName[name]),
            insertInto: context
        )
    }

    private func line(_ order: NSManagedObject?, _ amount: Double) throws -> NSManagedObject {
        let line = try make("Line")
        line.setValue(order, forKey: "order")
        line.setValue(amount, forKey: "amount")
        return line
    }

    /// Checks the value in memory and in a fresh context.
    private func expect<T: Equatable>(_ object: NSManagedObject, _ key: String, _ value: T?) throws {
        expectEqual(object.value(forKey: key) as? T, value, "\(key) in memory")
        let other = stack.otherContext()
        let storedValue = try other.performAndWait { () throws in
            try other.existingObject(with: object.objectID).value(forKey: key) as? T
        }
        expectEqual(storedValue, value, "\(key) in the store")
    }

    @Test func timesOfSavesStayInFilesThatAreReadAsAWhole() throws {
        for type in [NSXMLStoreType, NSBinaryStoreType] {
            let url = stack.folder.appending(path: "Orders.\(type)")
            func times(after change: (NSManagedObjectContext) throws -> Void) throws -> [Date?] {
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
                try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
                let context = coordinator.makeContext()
                return try context.performAndWait { () throws -> [Date?] in
                    try change(context)
                    let orders = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Order"))
                    return orders.map { $0.value(forKey: "changed") as? Date }
                }
            }
            _ = try times { context in
                NSEntityDescription.insertNewObject(forEntityName: "Order", into: context).setValue("a", forKey: "name")
                try context.save()
            }
            let saved = try times { _ in }
            expectEqual(saved.compactMap(\.self).count, 1)
            try expectEqual(times { _ in }, saved)
        }
    }

    @Test func functionsOfTextsAreComputedAtTheSave() throws {
        try context.run { () throws in
            let order = try make("Order")
            order.setValue("Ångström", forKey: "name")
            try context.save()
            try expect(order, "canonicalName", "angstrom")
            try expect(order, "upperName", "ÅNGSTRÖM")
            order.setValue("Volta", forKey: "name")
            try context.save()
            try expect(order, "canonicalName", "volta")
            order.setValue(nil, forKey: "name")
            try context.save()
            try expect(order, "upperName", String?.none)
        }
    }

    @Test func nowIsTheTimeOfTheLastSaveThatChangedTheObject() throws {
        try context.run { () throws in
            let order = try make("Order")
            try context.save()
            let first = try #require(order.value(forKey: "changed") as? Date)
            #expect(abs(first.timeIntervalSinceNow) < 5)
            _ = try make("Tag")
            try context.save()
            expectEqual(order.value(forKey: "changed") as? Date, first)
            order.setValue("x", forKey: "name")
            try context.save()
            expectEqual((order.value(forKey: "changed") as? Date).map { $0 > first }, true)
        }
    }

    @Test func countsAndSumsFollowInsertionsMovesChangesAndDeletions() throws {
        try context.run { () throws in
            let (one, two) = (try make("Order"), try make("Order"))
            let lines = try [1.5, 2.5, 4].map { try line(one, $0) }
            try context.save()
            try expect(one, "lineCount", 3)
            try expect(one, "total", 8.0)
            try expect(two, "lineCount", 0)
            lines[0].setValue(two, forKey: "order")
            lines[1].setValue(10.0, forKey: "amount")
            try context.save()
            try expect(one, "lineCount", 2)
            try expect(one, "total", 14.0)
            try expect(two, "lineCount", 1)
            try expect(two, "total", 1.5)
            context.delete(lines[2])
            try context.save()
            try expect(one, "lineCount", 1)
            try expect(one, "total", 10.0)
        }
    }

    @Test func countsAndSumsFollowManyInsertionsOfOneSave() throws {
        try context.run { () throws in
            let order = try make("Order")
            order.setValue("many", forKey: "name")
            let lines = try (0..<100).map { try line(order, Double($0)) }
            try context.save()
            try expect(order, "lineCount", 100)
            try expect(order, "total", 4950.0)
            for line in lines { try expect(line, "orderName", "many") }
        }
    }

    @Test func countsOfManyToManyFollowToo() throws {
        try context.run { () throws in
            let order = try make("Order")
            let tags = [try make("Tag"), try make("Tag")]
            order.setValue(NSSet(array: tags), forKey: "tags")
            try context.save()
            try expect(order, "tagCount", 2)
            order.mutableSetValue(forKey: "tags").remove(tags[0])
            try context.save()
            try expect(order, "tagCount", 1)
        }
    }

    @Test func copiesFollowTheirSource() throws {
        try context.run { () throws in
            let order = try make("Order")
            order.setValue("first", forKey: "name")
            let line = try line(order, 1)
            try context.save()
            try expect(line, "orderName", "first")
            order.setValue("second", forKey: "name")
            try context.save()
            try expect(line, "orderName", "second")
            line.setValue(nil, forKey: "order")
            try context.save()
            try expect(line, "orderName", String?.none)
        }
    }

    @Test func otherContextsThatMergeShowTheValuesThatTriggersHaveSet() async throws {
        let order = try context.run { () throws in
            let order = try make("Order")
            try context.save()
            return order.objectID
        }
        let other = stack.otherContext()
        other.automaticallyMergesChangesFromParent = true
        let own = try other.performAndWait { () throws in try other.existingObject(with: order) }
        try context.run { () throws in
            _ = try line(context.existingObject(with: order), 3)
            try context.save()
        }
        await other.perform(schedule: .enqueued) { expectEqual(own.value(forKey: "lineCount") as? Int, 1) }
    }

    @Test func sumsOfManyToManyFollowPairsAndValues() throws {
        try context.run { () throws in
            let order = try make("Order")
            let tags = try [1.5, 2.5].map { weight in
                let tag = try make("Tag")
                tag.setValue(weight, forKey: "weight")
                return tag
            }
            try context.save()
            try expect(order, "weight", 0.0)
            order.setValue(NSSet(array: tags), forKey: "tags")
            try context.save()
            try expect(order, "weight", 4.0)
            tags[0].setValue(10.0, forKey: "weight")
            try context.save()
            try expect(order, "weight", 12.5)
            context.delete(tags[0])
            try context.save()
            try expect(order, "weight", 2.5)
            try expect(order, "tagCount", 1)
        }
    }

    @Test func functionsOfADestinationFollowItWhicheverSideIsSaved() throws {
        try context.run { () throws in
            let order = try make("Order")
            order.setValue("Ärger", forKey: "name")
            let line = try line(order, 1)
            try context.save()
            try expect(line, "canonicalOrder", "arger")
            order.setValue("ÉTÉ", forKey: "name")
            try context.save()
            try expect(line, "canonicalOrder", "ete")
            line.setValue(nil, forKey: "order")
            try context.save()
            try expect(line, "canonicalOrder", String?.none)
        }
    }

    @Test func longPathsFollowEachOfTheirSteps() throws {
        try context.run { () throws in
            let customers = try ["Ada", "Bob"].map { name in
                let customer = try make("Customer")
                customer.setValue(name, forKey: "name")
                return customer
            }
            let orders = try [make("Order"), make("ExpressOrder")]
            let line = try line(orders[0], 1)
            try context.save()
            try expect(line, "customerName", String?.none)
            // Set the relationship in the middle, then those at both ends.
            orders[0].setValue(customers[0], forKey: "customer")
            try context.save()
            try expect(line, "customerName", "Ada")
            try expect(line, "upperCustomer", "ADA")
            customers[0].setValue("Eve", forKey: "name")
            try context.save()
            try expect(line, "upperCustomer", "EVE")
            orders[1].setValue(customers[1], forKey: "customer")
            line.setValue(orders[1], forKey: "order")
            try context.save()
            try expect(line, "customerName", "Bob")
            // All changes in one save.
            let (customer, order) = (try make("Customer"), try make("ExpressOrder"))
            customer.setValue("Zoe", forKey: "name")
            order.setValue(customer, forKey: "customer")
            line.setValue(order, forKey: "order")
            try context.save()
            try expect(line, "upperCustomer", "ZOE")
        }
    }

    @Test func anObjectWithAnOldDestinationInMemoryDerivesFromTheStore() throws {
        let (first, second) = (stack.otherContext(), stack.otherContext())
        let identifiers = try context.run { () throws in
            let order = try make("Order")
            order.setValue("old", forKey: "name")
            let line = try line(order, 1)
            try context.save()
            return (order.objectID, line.objectID)
        }
        try first.run { () throws in
            let line = try first.existingObject(with: identifiers.1)
            expectEqual(line.value(forKeyPath: "order.name") as? String, "old")
            try second.run { () throws in
                try second.existingObject(with: identifiers.0).setValue("NEW", forKey: "name")
                try second.save()
            }
            line.setValue(nil, forKey: "order")
            line.setValue(try first.existingObject(with: identifiers.0), forKey: "order")
            line.setValue(2.0, forKey: "amount")
            first.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try first.save()
            first.refreshAllObjects()
            expectEqual(line.value(forKey: "canonicalOrder") as? String, "new")
            expectEqual(line.value(forKey: "orderName") as? String, "NEW")
        }
    }

    @Test func aValueSetInADerivedAttributeIsLostAtTheSave() throws {
        try context.run { () throws in
            let order = try make("Order")
            order.setValue("x", forKey: "name")
            for key in ["lineCount", "total"] { order.setValue(99, forKey: key) }
            for key in ["upperName", "copy"] { order.setValue("wrong", forKey: key) }
            _ = try line(order, 2)
            for _ in 0..<2 {
                try context.save()
                try expect(order, "lineCount", 1)
                try expect(order, "total", 2.0)
                try expect(order, "upperName", "X")
                try expect(order, "copy", "x")
                #expect(!order.hasChanges && !context.hasChanges)
                for key in ["lineCount", "total"] { order.setValue(99, forKey: key) }
                for key in ["upperName", "copy"] { order.setValue("wrong", forKey: key) }
            }
        }
    }

    @Test func subentitiesHaveDerivedAttributesOfTheirOwn() throws {
        try context.run { () throws in
            let (plain, express) = (try make("Order"), try make("ExpressOrder"))
            express.setValue("ANNA", forKey: "courier")
            _ = try line(express, 3)
            try context.save()
            try expect(express, "lowerCourier", "anna")
            try expect(express, "lineCount", 1)
            #expect(abs((express.value(forKey: "sent") as? Date ?? .distantPast).timeIntervalSinceNow) < 5)
            try expect(plain, "lineCount", 0)
            let sent = try stack.rows("SELECT ZSENT IS NULL FROM ZORDER ORDER BY Z_ENT")
            expectEqual(sent, [[.integer(1)], [.integer(0)]])
        }
    }

    @Test func observersOfTheSaveSeeTheDerivedValues() throws {
        try context.run { () throws in
            let order = try make("Order")
            order.setValue("x", forKey: "name")
            _ = try line(order, 2)
            nonisolated(unsafe) var seen: Int?
            nonisolated(unsafe) let savedOrder = order
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave,
                object: context,
                queue: nil
            ) { _ in seen = savedOrder.value(forKey: "lineCount") as? Int }
            defer { NotificationCenter.default.removeObserver(token) }
            try context.save()
            expectEqual(seen, 1)
        }
    }

    // "If you try to add a store to a coordinator whose model contains derived attributes of a type not supported by
    // the store, the add fails and throws an error."
    @Test(arguments: [
        "name.missing", "missing", "lines.@count.x", "length:(name)", "lines.@sum.missing", "lines.amount", "name + 1",
    ])
    func aDerivationThatTheStoreCannotComputeIsRefusedWhenTheStoreIsAdded(format: String) throws {
        let order = NSEntityDescription("Order")
        let line = NSEntityDescription("Line")
        line.properties = [NSAttributeDescription("amount", .doubleAttributeType)]
        let attribute = NSDerivedAttributeDescription()
        attribute.name = "wrong"
        attribute.attributeType = .stringAttributeType
        attribute.isOptional = true
        attribute.derivationExpression = try NSExpression(validating: format)
        order.properties = [
            NSAttributeDescription("name"), attribute,
            NSRelationshipDescription("lines", to: line, toMany: true),
        ]
        let model = NSManagedObjectModel([order, line])
        let error = #expect(throws: NSError.self) { _ = try Stack(model: model) }
        expectEqual(error?.localizedDescription.contains("Order.wrong"), true)
    }

    @Test func storesOfTheTimeUseApplesTrigger() throws {
        let statements = try stack.rows("SELECT sql FROM sqlite_master WHERE name = 'Z_DA_ZORDER_Order_changed_UPDATE'")
        expectEqual(
            statements,
            [
                [
                    .text(
                        "CREATE TRIGGER Z_DA_ZORDER_Order_changed_UPDATE AFTER UPDATE OF Z_OPT ON ZORDER FOR EACH ROW BEGIN "
                            + "UPDATE ZORDER SET ZCHANGED = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; "
                            + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZORDER', Z_ENT, Z_PK, 'changed', ZCHANGED) "
                            + "FROM ZORDER WHERE Z_PK = NEW.Z_PK; END"
                    )
                ]
            ]
        )
    }
}

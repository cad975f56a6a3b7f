// Derived attributes: computed at the save, or by triggers of the store.
import Foundation
import ManagedGraph
import Testing

@Suite struct DerivedAttributes {
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
        let order = NSEntityDescription()
        order.name = "Order"
        let line = NSEntityDescription()
        line.name = "Line"
        let tag = NSEntityDescription()
        tag.name = "Tag"
        let lines = TasksModel.relationship("lines", to: line, toMany: true, rule: .cascadeDeleteRule)
        let owner = TasksModel.relationship("order", to: order)
        lines.inverseRelationship = owner
        owner.inverseRelationship = lines
        let tags = TasksModel.relationship("tags", to: tag, toMany: true)
        let tagged = TasksModel.relationship("orders", to: order, toMany: true)
        tags.inverseRelationship = tagged
        tagged.inverseRelationship = tags
        order.properties = [
            TasksModel.attribute("name", .stringAttributeType), lines, tags,
            derived("canonicalName", .stringAttributeType, "canonical:(name)"),
            derived("upperName", .stringAttributeType, "uppercase:(name)"),
            derived("changed", .dateAttributeType, "now()"),
            derived("lineCount", .integer64AttributeType, "lines.@count"),
            derived("tagCount", .integer64AttributeType, "tags.@count"),
            derived("total", .doubleAttributeType, "lines.@sum.amount"),
        ]
        line.properties = [
            TasksModel.attribute("amount", .doubleAttributeType), owner,
            derived("orderName", .stringAttributeType, "order.name"),
        ]
        tag.properties = [tagged]
        let model = NSManagedObjectModel()
        model.entities = [order, line, tag]
        return model
    }

    private let stack: Stack
    private let context: NSManagedObjectContext

    init() throws {
        stack = try Stack(model: Self.model())
        context = stack.context
    }

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

    /// The value in memory, and as a fresh context reads it.
    private func expect<T: Equatable>(_ object: NSManagedObject, _ key: String, _ value: T?) throws {
        #expect(object.value(forKey: key) as? T == value, "\(key) in memory")
        let other = stack.otherContext()
        let stored = try other.performAndWait { () throws in
            try other.existingObject(with: object.objectID).value(forKey: key) as? T
        }
        #expect(stored == value, "\(key) in the store")
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
            #expect(order.value(forKey: "changed") as? Date == first)
            order.setValue("x", forKey: "name")
            try context.save()
            #expect((order.value(forKey: "changed") as? Date).map { $0 > first } == true)
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

    @Test func otherContextsThatMergeShowWhatTriggersHaveSet() async throws {
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
        await other.perform(schedule: .enqueued) { #expect(own.value(forKey: "lineCount") as? Int == 1) }
    }
}

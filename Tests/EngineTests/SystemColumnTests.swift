// Properties with the names of PostgreSQL's system columns, which no table can have as columns of its own.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import PostgreSQLSupport
import Testing

@Suite("Engines: names of system columns")
struct SystemColumnTests {
    /// Boxes with an attribute of each name, and shelves with relationships of such names in each form.
    private static func model() -> NSManagedObjectModel {
        let low = NSAttributeDescription("xmin", .integer64AttributeType)
        low.preservesValueInHistoryOnDeletion = true
        let box = NSEntityDescription(
            "Box",
            [
                low, NSAttributeDescription("xmax", .integer64AttributeType),
                NSAttributeDescription("cmin", .doubleAttributeType), NSAttributeDescription("cmax"),
                NSAttributeDescription("ctid"), NSAttributeDescription("tableoid", .booleanAttributeType),
                // The column that `xmin` has in a PostgreSQL store.
                NSAttributeDescription("xmin_"),
            ]
        )
        box.indexes = [
            NSFetchIndexDescription(
                name: "byLow",
                elements: [NSFetchIndexElementDescription(property: low, collationType: .binary)]
            )
        ]
        let shelf = NSEntityDescription("Shelf", [NSAttributeDescription("name")])
        // To one, with an ordered inverse; many to many, ordered; to many without an inverse.
        box.relate("row", toMany: true, to: shelf, "cmin", ordered: true)
        shelf.relate("xmax", toMany: true, to: box, "shelves", inverseToMany: true, ordered: true)
        shelf.properties.append(NSRelationshipDescription("ctid", to: box, toMany: true))
        return NSManagedObjectModel([box, shelf])
    }

    private func box(_ number: Int) -> [String: Any] {
        [
            "xmin": number, "xmax": 10 - number, "cmin": Double(number) / 2, "cmax": "c\(number)", "ctid": "t\(number)",
            "tableoid": number % 2 == 0, "xmin_": "plain \(number)",
        ]
    }

    @Test("Values are saved, found, sorted and changed", arguments: StoreType.allCases)
    func attributes(_ type: StoreType) throws {
        let stack = try EngineStack(type, model: Self.model())
        try stack.run { (context) throws in
            for number in 0..<5 { context.make("Box", box(number)) }
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            let request = context.request("Box", "xmin > 0 AND xmax > 6 AND xmin_ CONTAINS 'n'", sort: ["-xmin"])
            let objects = try context.fetch(request)
            expectEqual(objects.map { $0.value(forKey: "xmin") as? Int }, [3, 2, 1])
            for (object, number) in zip(objects, [3, 2, 1]) {
                for (key, value) in box(number) {
                    expectEqual(object.value(forKey: key) as? NSObject, value as? NSObject, "\(key)")
                }
            }
            let sums = NSFetchRequest<NSDictionary>(entityName: "Box")
            sums.resultType = .dictionaryResultType
            sums.propertiesToFetch = ["tableoid", "ctid"]
            sums.predicate = NSPredicate(format: "ctid IN {'t1', 't2'} AND cmin < 1 AND cmax == 'c1'")
            try expectEqual(context.fetch(sums).map { $0["ctid"] as? String }, ["t1"])
            objects[0].setValue(-1, forKey: "xmin")
            objects[0].setValue("changed", forKey: "xmin_")
            context.delete(objects[1])
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            let boxes = try context.fetch(context.request("Box", sort: ["xmin"]))
            expectEqual(boxes.map { $0.value(forKey: "xmin") as? Int }, [-1, 0, 1, 4])
            expectEqual(boxes[0].value(forKey: "xmin_") as? String, "changed")
            // Only these stores have a history without the option.
            guard type.isPostgreSQL else { return }
            let history = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try context.execute(history) as? NSPersistentHistoryResult
            let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
            let changes = try #require(transactions.last?.changes)
            let updated = changes.filter { $0.changeType == .update }.flatMap { $0.updatedProperties ?? [] }
            expectEqual(updated.map(\.name).sorted(), ["xmin", "xmin_"])
            let deleted = changes.filter { $0.changeType == .delete }
            expectEqual(deleted.map { ($0.tombstone?["xmin"] as? NSNumber)?.intValue }, [2])
        }
    }

    @Test("Relationships are saved and found, with their order", arguments: StoreType.allCases)
    func relationships(_ type: StoreType) throws {
        let stack = try EngineStack(type, model: Self.model())
        try stack.run { (context) throws in
            let boxes = (0..<3).map { context.make("Box", box($0)) }
            let shelves = ["s0", "s1"].map { context.make("Shelf", ["name": $0]) }
            boxes[0].setValue(NSOrderedSet(array: [shelves[1], shelves[0]]), forKey: "row")
            shelves[0].setValue(NSOrderedSet(array: [boxes[2], boxes[0], boxes[1]]), forKey: "xmax")
            shelves[1].setValue(NSSet(array: [boxes[1], boxes[2]]), forKey: "ctid")
            try context.save()
        }
        func numbers(_ object: NSManagedObject, _ key: String) -> [Int] {
            let members: [Any] =
                switch object.value(forKey: key) {
                case let set as NSOrderedSet: set.array
                case let set as NSSet: set.allObjects
                default: []
                }
            return members.compactMap { ($0 as? NSManagedObject)?.value(forKey: "xmin") as? Int }
        }
        try stack.elsewhere { (context) throws in
            let shelves = try context.fetch(context.request("Shelf"))
            expectEqual(numbers(shelves[0], "xmax"), [2, 0, 1])
            expectEqual(numbers(shelves[1], "ctid").sorted(), [1, 2])
            let first = try #require(shelves[0].value(forKey: "cmin") as? NSManagedObject)
            expectEqual(first.value(forKey: "xmin") as? Int, 0)
            let row = first.value(forKey: "row") as? NSOrderedSet
            expectEqual(row?.array.compactMap { ($0 as? NSManagedObject)?.name }, ["s1", "s0"])
            try expectEqual(context.names("Shelf", "cmin.xmin == 0 AND ANY xmax.xmax == 8"), ["s0"])
            let boxes = context.request("Box", "ANY shelves.name == 's0'", sort: ["xmin"])
            try expectEqual(context.fetch(boxes).map { $0.value(forKey: "xmin") as? Int }, [0, 1, 2])
        }
    }
}

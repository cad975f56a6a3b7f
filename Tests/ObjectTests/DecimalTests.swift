// Hashes and archives of decimal numbers, for which Foundation's own numbers fail outside Apple's platforms.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct Decimals {
    private static let half = NSDecimalNumber(string: "0.5")

    /// A stack with a location whose three tasks have two different prices; saved.
    private func prices(_ type: NSPersistentStore.StoreType = .sqlite) throws -> Stack {
        let stack = try Stack(type: type)
        try stack.context.run { () throws in
            let place = TestLocation(context: stack.context)
            for price in ["1.25", "1.25", "7"] {
                let task = stack.context.task("a")
                (task.location, task.priority) = (place, 1)
                task.setValue(NSDecimalNumber(string: price), forKey: "price")
            }
            try stack.context.save()
        }
        return stack
    }

    @Test func aKeyPathThroughAToManyRelationshipIsASetOfNumbers() throws {
        let stack = try prices()
        try stack.context.run { () throws in
            let place = try #require(stack.context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first)
            let priceSet = try #require(place.value(forKeyPath: "tasks.price") as? NSSet)
            expectEqual(priceSet.count, 2)
            let numbers = try #require(priceSet.allObjects as? [NSDecimalNumber])
            expectEqual(numbers.map(\.stringValue).sorted(), ["1.25", "7"])
            #expect(priceSet.contains(numbers[0]))
            expectEqual(Set(numbers.map(\.hash)), Set(numbers.map { NSNumber(value: $0.doubleValue).hash }))
        }
    }

    @Test(arguments: [NSPersistentStore.StoreType.sqlite, .inMemory, .xml])
    func dictionariesAreGroupedByNumbers(_ type: NSPersistentStore.StoreType) throws {
        let stack = try prices(type)
        try stack.context.run { () throws in
            let count = NSExpressionDescription()
            (count.name, count.resultType) = ("count", .integer64)
            count.expression = NSExpression(format: "count:(text)")
            let request = NSFetchRequest<NSDictionary>(entityName: "Task")
            request.resultType = .dictionaryResultType
            request.propertiesToGroupBy = ["price"]
            request.propertiesToFetch = ["price", count]
            request.sortDescriptors = [NSSortDescriptor(key: "price", ascending: true)]
            let rows = try stack.context.fetch(request)
            expectEqual(rows.map { ($0["price"] as? NSDecimalNumber)?.stringValue }, ["1.25", "7"])
            expectEqual(rows.map { $0["count"] as? Int }, [2, 1])
        }
    }

    @Test(arguments: ["plain", "secure"]) func numbersInArchivedValuesAreReadAgain(_ key: String) throws {
        let things = try Things()
        try things.make([key: ["a": Self.half, "b": [Self.half]] as [String: Any]])
        for composite in try things.values(key) {
            let value = try #require(composite as? [String: Any])
            expectEqual(value["a"] as? NSDecimalNumber, Self.half)
            expectEqual(value["b"] as? [NSDecimalNumber], [Self.half])
        }
        // Apple's name for the class, so that Apple's frameworks read it.
        guard case .blob(let data)? = try things.stack.rows("SELECT Z\(key.uppercased()) FROM ZTHING").first?.first
        else {
            Issue.record("the value is not archived")
            return
        }
        let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let objects = try #require(list?["$objects"] as? [Any])
        let names = objects.compactMap { ($0 as? [String: Any])?["$classname"] as? String }
        #expect(names.contains("NSDecimalNumberPlaceholder") && !names.contains { $0.contains(".") }, "\(names)")
    }

    @Test func aSingleNumberIsArchived() throws {
        let things = try Things()
        try things.make(["plain": Self.half])
        for value in try things.values("plain") { expectEqual(value as? NSDecimalNumber, Self.half) }
    }

    @Test func aPredicateInAnArchivedValueHasApplesNames() throws {
        let things = try Things()
        try things.make(["plain": NSPredicate(format: "name == 'a'")])
        guard case .blob(let data)? = try things.stack.rows("SELECT ZPLAIN FROM ZTHING").first?.first else {
            Issue.record("the value is not archived")
            return
        }
        expectNil(data.firstRange(of: Data("GraphPredicates.".utf8)))
        for value in try things.values("plain") {
            expectEqual((value as? NSPredicate)?.description, "name == \"a\"")
        }
    }

    @Test func aModelsDefaultValueMayBeANumber() throws {
        let attribute = NSAttributeDescription("rate", .transformableAttributeType)
        attribute.defaultValue = Self.half
        let entity = NSEntityDescription("Rate")
        entity.properties = [attribute]
        let stack = try Stack(model: NSManagedObjectModel([entity]))
        try stack.context.run { () throws in
            let rate = NSEntityDescription.insertNewObject(forEntityName: "Rate", into: stack.context)
            expectEqual(rate.value(forKey: "rate") as? NSDecimalNumber, Self.half)
            try stack.context.save()
        }
    }

    @Test func numbersOfObjectsCompareAsBefore() throws {
        let stack = try prices()
        try stack.context.run { () throws in
            let tasks = try stack.context.fetch(NSFetchRequest<TestTask>(entityName: "Task"))
            let minimum = tasks.compactMap { $0.value(forKey: "price") as? NSDecimalNumber }.first {
                $0.doubleValue < 7
            }
            let price = try #require(minimum)
            expectEqual(price, NSDecimalNumber(string: "1.25"))
            expectEqual(NSDecimalNumber(string: "1.25"), price)
            expectEqual(price, NSNumber(value: 1.25))
            expectEqual(NSNumber(value: 1.25), price)
            expectEqual(price as Decimal, 1.25)
            expectEqual(price.compare(NSDecimalNumber(string: "7")), .orderedAscending)
            tasks[0].setValue(price, forKey: "weight")
            expectEqual(tasks[0].value(forKey: "weight") as? Double, 1.25)
        }
    }

    @Test func aPropertyDeclaredAsDecimalHasTheNumberOfAnAttributeOfAnotherType() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = TestTask(context: stack.context)
            task.setValue(123_456_789, forKey: "priority")
            task.setValue(1.25, forKey: "weight")
            expectEqual(task.decimalPriority, 123_456_789)
            expectEqual(task.optionalPriority, 123_456_789)
            expectEqual(task.plainPriority, 123_456_789)
            expectEqual(task.decimalWeight, 1.25)
        }
    }
}

extension TestTask {
    fileprivate var decimalPriority: NSDecimalNumber { managedValue(for: Keys.priority) }
    fileprivate var optionalPriority: NSDecimalNumber? { managedValue(for: Keys.priority) }
    fileprivate var plainPriority: Decimal { managedValue(for: Keys.priority) }
    fileprivate var decimalWeight: NSDecimalNumber { managedValue(for: Keys.weight) }
}

// Computed columns of dictionaries: their types, sums over no rows, and sums that overflow an integer.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

private typealias NSExpression = ManagedGraph.NSExpression

@Suite("Computed columns")
struct ComputedColumnTests {
    private static func column(
        _ name: String,
        _ format: String,
        _ type: NSAttributeType = .undefinedAttributeType
    ) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(format: format)
        column.expressionResultType = type
        return column
    }

    private static func request(_ entity: String, _ columns: [Any]) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = columns
        return request
    }

    @Test("Values have the type of the expression description, from tables and in memory")
    func types() throws {
        let stack = try Stack(model: Things.model)
        try stack.context.run { () throws in
            for (long, double) in [(1, 1.5), (2, 2.25)] {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
                thing.setValue(long, forKey: "long")
                thing.setValue(double, forKey: "double")
                thing.setValue(Decimal(string: "\(double)"), forKey: "decimal")
                thing.setValue(Date(timeIntervalSinceReferenceDate: 100 * Double(long)), forKey: "date")
            }
            try stack.context.save()
            let columns = [
                Self.column("decimalAverage", "average:(decimal)", .decimalAttributeType),
                Self.column("decimalSum", "sum:(decimal)", .decimalAttributeType),
                Self.column("realSum", "sum:(long)", .doubleAttributeType),
                Self.column("floatAverage", "average:(long)", .floatAttributeType),
                Self.column("shortAverage", "average:(double)", .integer16AttributeType),
                Self.column("longMaximum", "max:(double)", .integer64AttributeType),
                Self.column("textCount", "count:(long)", .stringAttributeType),
                Self.column("anyCount", "count:(long)", .booleanAttributeType),
                Self.column("latest", "max:(date)", .dateAttributeType),
                Self.column("seconds", "max:(date)", .doubleAttributeType),
                Self.column("plain", "average:(double)"),
                Self.column("name", "max:(date)", .stringAttributeType),
            ]
            for predicate in [NSPredicate(value: true), NSPredicate { _, _ in true }] {
                let request = Self.request("Thing", columns)
                request.predicate = predicate
                let row = try #require(try stack.context.fetch(request).first as? [String: Any])
                expectEqual((row["decimalAverage"] as? NSDecimalNumber), NSDecimalNumber(string: "1.875"))
                expectEqual((row["decimalSum"] as? NSDecimalNumber), NSDecimalNumber(string: "3.75"))
                expectEqual((row["realSum"] as? NSNumber).map { String(cString: $0.objCType) }, "d")
                expectEqual((row["floatAverage"] as? NSNumber).map { String(cString: $0.objCType) }, "f")
                expectEqual((row["shortAverage"] as? NSNumber)?.doubleValue, 1)
                expectEqual((row["longMaximum"] as? NSNumber)?.doubleValue, 2)
                expectEqual(row["textCount"] as? String, "2")
                expectEqual((row["anyCount"] as? NSNumber)?.boolValue, true)
                expectEqual(row["latest"] as? Date, Date(timeIntervalSinceReferenceDate: 200))
                expectEqual((row["seconds"] as? NSNumber)?.doubleValue, 200)
                expectEqual((row["plain"] as? NSNumber)?.doubleValue, 1.875)
                // A date has no text form.
                expectEqual(row["name"] as? Date, Date(timeIntervalSinceReferenceDate: 200))
            }
        }
    }

    @Test("Empty sums are 0: without rows, of nil only, in groups, in key paths, from tables and in memory")
    func sumsOfNothing() throws {
        let stack = try Stack(model: Things.model)
        try stack.context.run { () throws in
            let columns: [Any] = [
                Self.column("whole", "sum:(long)"), Self.column("real", "sum:(double)"),
                Self.column("decimal", "sum:(decimal)"),
            ]
            func check(line: Int = #line) throws {
                for predicate in [NSPredicate(value: true), NSPredicate { _, _ in true }] {
                    let request = Self.request("Thing", columns)
                    request.predicate = predicate
                    let row = try #require(try stack.context.fetch(request).first)
                    for name in ["whole", "real", "decimal"] {
                        expectEqual((row[name] as? NSNumber)?.doubleValue, 0, "\(name), line \(line)")
                    }
                }
            }
            try check()
            for text in ["a", "b"] {
                NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
                    .setValue(text, forKey: "text")
            }
            try stack.context.save()
            try check()
            for predicate in [NSPredicate(value: true), NSPredicate { _, _ in true }] {
                let grouped = Self.request("Thing", ["text", columns[0]])
                grouped.predicate = predicate
                grouped.propertiesToGroupBy = ["text"]
                let rows = try stack.context.fetch(grouped)
                expectEqual(rows.count, 2)
                #expect(rows.allSatisfy { ($0["whole"] as? NSNumber)?.intValue == 0 })
            }
            let objects = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
            expectEqual((NSArray(array: objects).value(forKeyPath: "@sum.long") as? NSNumber)?.intValue, 0)
            expectEqual((NSArray(array: []).value(forKeyPath: "@sum.long") as? NSNumber)?.intValue, 0)
            let sum = NSExpression(format: "sum:(long)")
            expectEqual((sum.expressionValue(with: ["long": [Int]()], context: nil) as? Int), 0)
        }
    }

    @Test("An operator that begins a key path applies to the rows, of a group too, from tables and in memory")
    func operators() throws {
        let stack = try Stack(model: Things.model)
        try stack.context.run { () throws in
            for (text, long) in [("a", 1), ("a", 4), ("b", 7)] {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
                thing.setValue(text, forKey: "text")
                thing.setValue(long, forKey: "long")
            }
            try stack.context.save()
            let columns = [
                Self.column("sum", "@sum.long", .integer64AttributeType), Self.column("least", "@min.long"),
                Self.column("greatest", "@max.long"), Self.column("average", "@avg.long", .doubleAttributeType),
                Self.column("number", "@count", .integer64AttributeType),
            ]
            func numbers(_ row: NSDictionary?) -> [Double?] {
                ["sum", "least", "greatest", "average", "number"].map { (row?[$0] as? NSNumber)?.doubleValue }
            }
            for predicate in [NSPredicate(value: true), NSPredicate { _, _ in true }] {
                let request = Self.request("Thing", columns)
                request.predicate = predicate
                let all = try stack.context.fetch(request)
                expectEqual(all.count, 1)
                expectEqual(numbers(all.first), [12, 1, 7, 4, 3])
                let named = Self.request("Thing", ["@sum.long", "@count"])
                named.predicate = predicate
                let row = try #require(try stack.context.fetch(named).first)
                expectEqual((row["@sum.long"] as? NSNumber)?.intValue, 12)
                expectEqual((row["@count"] as? NSNumber)?.intValue, 3)
                let grouped = Self.request("Thing", ["text"] + columns)
                grouped.predicate = predicate
                grouped.propertiesToGroupBy = ["text"]
                grouped.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
                let groups = try stack.context.fetch(grouped)
                expectEqual(groups.map(numbers), [[5, 1, 4, 2.5, 2], [7, 7, 7, 7, 1]])
                grouped.havingPredicate = NSPredicate(format: "@sum.long > 5")
                try expectEqual(stack.context.fetch(grouped).map { $0["text"] as? String }, ["b"])
                grouped.havingPredicate = NSPredicate(format: "NOT @count < 2")
                try expectEqual(stack.context.fetch(grouped).map { $0["text"] as? String }, ["a"])
            }
        }
    }

    @Test("A sum beyond 64 bits is a floating-point number, not an error")
    func overflow() throws {
        let stack = try Stack(model: Things.model)
        try stack.context.run { () throws in
            for _ in 0..<3 {
                NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
                    .setValue(Int64.max, forKey: "long")
            }
            try stack.context.save()
            let expected = 3 * Double(Int64.max)
            for type in [NSAttributeType.undefinedAttributeType, .doubleAttributeType, .integer64AttributeType] {
                let request = Self.request("Thing", [Self.column("sum", "sum:(long)", type)])
                let row = try #require(try stack.context.fetch(request).first)
                let sum = try #require((row["sum"] as? NSNumber)?.doubleValue)
                #expect(abs(sum - expected) < expected * 1e-12)
            }
            let decimal = Self.request("Thing", [Self.column("sum", "sum:(long)", .decimalAttributeType)])
            let row = try #require(try stack.context.fetch(decimal).first)
            #expect(row["sum"] is NSDecimalNumber)
        }
    }
}

// Attributes of every type, read by the context that set them, by a fresh one, and from a reopened store.
import ExpectationSupport
import Foundation
import GraphSQL
import ManagedGraph
import Testing

@testable import StackSupport

struct AttributeTypes {
    let things: Things

    init() throws { things = try Things() }

    @Test(arguments: [Int64.min, -1, 0, Int64.max]) func integers(value: Int64) throws {
        try things.expect(value, "long")
    }
    @Test(arguments: [
        ("-9223372036854775808", Int64.min), ("9223372036854775807", .max), ("9007199254740993", 9_007_199_254_740_993),
        ("2.9", 2), ("-2.9", -2), ("9223372036854775807.5", .max),
    ]) func decimalsBecomeIntegers(text: String, expected: Int64) throws {
        let decimal = try #require(Decimal(string: text))
        try things.stack.context.run { () throws in
            let thing = try things.new(["long": NSDecimalNumber(decimal: decimal)])
            expectEqual(thing.value(forKey: "long") as? Int64, expected)
        }
    }
    @Test func realNumbersBecomeIntegersIfTheyFit() throws {
        try things.stack.context.run { () throws in
            let thing = try things.new(["long": -0x1p63, "middle": -7.9])
            expectEqual(thing.value(forKey: "long") as? Int64, .min)
            expectEqual(thing.value(forKey: "middle") as? Int32, -7)
            try things.stack.context.save()
            let tooLarge: [Any] = [0x1p63, NSDecimalNumber(string: "9223372036854775808"), Double.infinity]
            for value in tooLarge {
                thing.setValue(value, forKey: "long")
                #expect(throws: NSError.self, "\(value)") { try things.stack.context.save() }
                things.stack.context.rollback()
            }
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan]) func realNumbersWithoutADecimalBecomeNaN(value: Double) throws
    {
        try things.stack.context.run { () throws in
            let thing = try things.new(["decimal": value])
            expectEqual((thing.value(forKey: "decimal") as? NSDecimalNumber)?.decimalValue.isNaN, true)
        }
    }
    @Test(arguments: [Int32.min, Int32.max]) func middleIntegers(value: Int32) throws {
        try things.expect(value, "middle")
    }
    @Test(arguments: [Int16.min, Int16.max]) func shortIntegers(value: Int16) throws {
        try things.expect(value, "short")
    }
    @Test(arguments: [-Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, .infinity])
    func doubles(value: Double) throws { try things.expect(value, "double") }
    @Test(arguments: ["1.4305382", "-0.000516455688486027", "226823.4046400191"])
    func decimalsBecomeTheNearestDoubles(text: String) throws {
        let decimal = try #require(Decimal(string: text))
        try things.stack.context.run { () throws in
            let thing = try things.new(["double": decimal])
            expectEqual(thing.value(forKey: "double") as? Double, Double(text))
        }
    }
    @Test(arguments: [Float.greatestFiniteMagnitude, 0.1, -0.0]) func floats(value: Float) throws {
        try things.expect(value, "float")
    }
    @Test(arguments: [true, false]) func booleans(value: Bool) throws { try things.expect(value, "flag") }
    @Test(arguments: ["", "ß İ 👩‍👩‍👧 e\u{301}", "a\u{0}b", String(repeating: "long ", count: 50_000)])
    func texts(value: String) throws { try things.expect(value, "text") }
    @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0.123_456_789)])
    func dates(value: Date) throws { try things.expect(value, "date") }
    @Test(arguments: [Data(), Data([0, 1, 255]), Data(repeating: 7, count: 300_000)])
    func binaries(value: Data) throws { try things.expect(value, "data") }
    @Test func uuids() throws {
        for text in ["00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", UUID().uuidString]
        {
            let things = try Things()
            try things.expect(try #require(UUID(uuidString: text)), "uuid")
        }
    }
    @Test(arguments: ["https://example.org/ä?q=1#x", "file:///a%20b", "mailto:a@b.c", "relative/path", "urn:isbn:1"])
    func urls(text: String) throws { try things.expect(try #require(URL(string: text)), "url") }
    @Test(arguments: [-Double.infinity, .pi, 1e15, 0.000_001])
    func dateIntervals(value: Double) throws { try things.expect(Date(timeIntervalSinceReferenceDate: value), "date") }

    @Test func everyTypeTakesNil() throws {
        let names = try #require(Things.model.entitiesByName["Thing"]).attributesByName.keys
        try things.make(Dictionary(uniqueKeysWithValues: names.map { ($0, nil) }))
        for name in names { for value in try things.values(name) { expectNil(value, "\(name)") } }
    }

    @Test(arguments: [
        "0", "0.1", "12345678901.25", "-0.000001", "99999999999999", "-9223372036854775808", "9223372036854775807",
        "123456789012345", "0.123456789012345", "10000000000000000000000", "1e-100", "1e100",
    ])
    func decimals(text: String) throws {
        let value = try #require(Decimal(string: text))
        try things.make(["decimal": value])
        for stored in try things.values("decimal") { expectEqual((stored as? NSNumber)?.decimalValue, value) }
        try things.stack.context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.predicate = NSPredicate(format: "decimal == %@", argumentArray: [value])
            try expectEqual(things.stack.context.count(for: request), 1)
        }
    }

    // Apple's format stores decimals as binary numbers with 15 digits. After the save the object shows the value that
    // every other context reads.
    @Test(arguments: [
        ("1234567890.123456789012345", "1234567890.12346"), ("0.12345678901234567890", "0.123456789012346"),
        ("-12345678901234567890123", "-12345678901234600000000"), ("9223372036854775809", "9223372036854780000"),
    ])
    func decimalsBeyondTheFormatAreRoundedForEveryoneAtTheSave(text: String, rounded: String) throws {
        let expected = try #require(Decimal(string: rounded))
        let value = try #require(Decimal(string: text))
        try things.make(["decimal": value, "text": "one"])
        for stored in try things.values("decimal") { expectEqual((stored as? NSNumber)?.decimalValue, expected) }
        let context = things.stack.context
        try context.run { () throws in
            #expect(!context.hasChanges)
            let thing = try things.first(context)
            thing.setValue(value, forKey: "decimal")
            try context.save()
            expectEqual((thing.value(forKey: "decimal") as? NSNumber)?.decimalValue, expected)
            let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["decimal"]
            try expectEqual((try context.fetch(request).first?["decimal"] as? NSNumber)?.decimalValue, expected)
        }
    }

    @Test func filesOfAtomicStoresKeepAllDigitsOfDecimals() throws {
        let stack = try Stack(type: .xml)
        let value = try #require(Decimal(string: "0.1234567890123456789"))
        try stack.context.run { () throws in
            let task = stack.context.task("one")
            task.setValue(value, forKey: "price")
            try stack.context.save()
            // The object has the rounded value now, and its save keeps the digits.
            task.text = "two"
            try stack.context.save()
        }
        #expect(try String(contentsOf: stack.url, encoding: .utf8).contains("0.1234567890123456789"))
        try stack.context.run { () throws in
            try stack.context.tasks().first?.setValue(Decimal(7), forKey: "price")
            try stack.context.save()
        }
        #expect(try !String(contentsOf: stack.url, encoding: .utf8).contains("0.1234567890123456789"))
    }

    // SQLite has no NaN: it is stored as nil, and reads as nil after the save.
    @Test(arguments: ["double", "float", "date", "decimal"])
    func notANumberIsNilOnceItIsSaved(key: String) throws {
        let value: Any =
            switch key {
            case "date": Date(timeIntervalSinceReferenceDate: .nan)
            case "decimal": Decimal.nan
            default: Double.nan
            }
        try things.make([key: value])
        #expect(try things.values(key).allSatisfy { $0 == nil })
        try things.stack.context.run { () throws in
            let thing = try things.first(things.stack.context)
            thing.setValue(value, forKey: key)
            try things.stack.context.save()
            expectNil(thing.value(forKey: key))
        }
    }

    // Transient attributes may hold values of any type, which never reach the store.
    @Test func undefinedTransientsHoldValuesOfAnyType() throws {
        let context = things.stack.context
        try things.make(["note": TestColor("red"), "marks": [1, 2], "text": "x"])
        try context.run { () throws in
            let thing = try things.first(context)
            expectEqual(thing.value(forKey: "note") as? TestColor, TestColor("red"))
            expectEqual(thing.value(forKey: "marks") as? [Int], [1, 2])
            thing.setValue(5, forKey: "note")
            #expect(thing.hasChanges && !thing.hasPersistentChangedValues)
            let version = try things.stack.rows("SELECT Z_OPT FROM ZTHING")
            try context.save()
            try expectEqual(things.stack.rows("SELECT Z_OPT FROM ZTHING"), version)
            expectEqual(thing.value(forKey: "note") as? Int, 5)
        }
        let columns = try things.stack.rows("SELECT name FROM pragma_table_info('ZTHING')").joined()
        #expect(!columns.contains(.text("ZNOTE")) && !columns.contains(.text("ZMARKS")))
    }

    @Test func transientValuesStayInMemoryAndAreDroppedByFaulting() throws {
        try things.make(["note": "remember"])
        let notes = try things.values("note")
        #expect(notes[0] as? String == "remember" && notes[1] == nil && notes[2] == nil)
        try things.stack.context.run { () throws in
            let thing = try things.first(things.stack.context)
            thing.setValue("changed", forKey: "text")
            things.stack.context.refresh(thing, mergeChanges: true)
            expectEqual(thing.value(forKey: "note") as? String, "remember")
            things.stack.context.refresh(thing, mergeChanges: false)
            expectNil(thing.value(forKey: "note"))
            // A refresh of an object without changes makes a fault, but a transient value is itself a change.
            thing.setValue("new", forKey: "note")
            things.stack.context.refresh(thing, mergeChanges: true)
            expectEqual(thing.value(forKey: "note") as? String, "new")
            try things.stack.context.save()
            things.stack.context.refreshAllObjects()
            #expect(thing.isFault)
            expectNil(thing.value(forKey: "note"))
        }
    }
}

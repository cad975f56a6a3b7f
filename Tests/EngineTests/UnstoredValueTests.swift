// Values that a database cannot hold: NaN, and in PostgreSQL the character U+0000. As constants of predicates they have
// the meaning that they have in memory; NaN is stored as nil.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import PostgreSQLSupport
import Testing

@Suite("Engines: NaN and U+0000")
struct UnstoredValueTests {
    /// The stores with tables.
    private static let types = StoreType.allCases.filter { $0 != .dictionary }

    private static let day = Date(timeIntervalSinceReferenceDate: .nan)

    /// NaN for each attribute that can have it.
    private static var values: [String: Any] {
        ["double": Double.nan, "float": Float.nan, "decimal": Decimal.nan, "date": day]
    }

    /// A constant that no row has for an attribute, and one that a row has.
    private static func constants(_ key: String) -> (Any, Any) {
        switch key {
        case "date": (day, Date(timeIntervalSinceReferenceDate: 5))
        case "decimal": (Decimal.nan, Decimal(5))
        case "string": ("a\u{0}", "a")
        default: (Double.nan, 5.0)
        }
    }

    /// Five things with numbers, dates and texts, and one without values.
    private func fill(_ stack: EngineStack) throws {
        try stack.run { (context) throws in
            for (place, string) in ["", "a", "a\u{1}", "b", "ä"].enumerated() {
                let number = place * 5 - 10
                context.make(
                    "Thing",
                    [
                        "int16": place, "int32": number, "double": Double(number), "float": Float(number),
                        "decimal": Decimal(number), "date": Date(timeIntervalSinceReferenceDate: Double(number)),
                        "string": string,
                    ]
                )
            }
            context.make("Thing", ["int16": 5])
            try context.save()
        }
    }

    /// Expects a fetch to find the objects for which the predicate holds in memory.
    private func check(_ predicate: NSPredicate, _ context: NSManagedObjectContext, _ type: StoreType) throws {
        let all = try context.fetch(context.request("Thing", sort: ["int16"]))
        expectEqual(all.count, 6)
        let expected = all.filter { predicate.evaluate(with: $0) }.map { $0.value(forKey: "int16") as? Int }
        let request = context.request("Thing", sort: ["int16"])
        request.predicate = predicate
        let numbers = try context.fetch(request).map { $0.value(forKey: "int16") as? Int }
        expectEqual(numbers, expected, "\(type): \(predicate)")
        try expectEqual(context.count(for: request), expected.count, "\(type): \(predicate)")
    }

    @Test(
        "Comparisons with a constant that no row has find the objects that they find in memory",
        arguments: types,
        ["double", "float", "decimal", "date", "int32", "string"]
    )
    func comparisons(type: StoreType, key: String) throws {
        let stack = try EngineStack(type)
        try fill(stack)
        let (constant, other) = Self.constants(key)
        try stack.elsewhere { (context) throws in
            for sign in ["==", "!=", "<", "<=", ">", ">="] {
                // Twice, because the second fetch of a form is compared with the first one.
                for value in [other, constant, other] {
                    try check(NSPredicate(format: "%K \(sign) %@", argumentArray: [key, value]), context, type)
                    try check(NSPredicate(format: "NOT %K \(sign) %@", argumentArray: [key, value]), context, type)
                    try check(NSPredicate(format: "%@ \(sign) %K", argumentArray: [value, key]), context, type)
                }
            }
            let lists: [[Any]] = [[constant], [constant, other], [other, constant, other]]
            for list in lists {
                try check(NSPredicate(format: "%K IN %@", argumentArray: [key, list]), context, type)
                try check(NSPredicate(format: "NOT %K IN %@", argumentArray: [key, list]), context, type)
            }
            try check(NSPredicate(format: "%K IN {%@, %@}", argumentArray: [key, constant, other]), context, type)
            for bounds in [[constant, other], [other, constant]] as [[Any]] {
                try check(NSPredicate(format: "%K BETWEEN %@", argumentArray: [key, bounds]), context, type)
            }
            let either = "%K == %@ OR int16 == 3"
            try check(NSPredicate(format: either, argumentArray: [key, constant]), context, type)
        }
    }

    @Test("Text operators with U+0000 find the objects that they find in memory", arguments: types)
    func texts(type: StoreType) throws {
        let stack = try EngineStack(type)
        try fill(stack)
        try stack.elsewhere { (context) throws in
            for string in ["a\u{0}", "\u{0}", "Ä\u{0}b"] {
                for sign in ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "==", "!="] {
                    for options in ["", "[c]", "[cd]"] {
                        let format = "string \(sign)\(options) %@"
                        try check(NSPredicate(format: format, argumentArray: [string]), context, type)
                        try check(NSPredicate(format: "NOT \(format)", argumentArray: [string]), context, type)
                    }
                }
                try check(NSPredicate(format: "%@ CONTAINS string", argumentArray: [string]), context, type)
                try check(NSPredicate(format: "string IN %@", argumentArray: [[string, "a"]]), context, type)
                if type.isPostgreSQL {
                    // SQLite reads such a list from JSON and truncates texts at the character.
                    try check(NSPredicate(format: "string IN[cd] %@", argumentArray: [[string, "A"]]), context, type)
                }
                try check(NSPredicate(format: "string MATCHES %@", argumentArray: ["[^\(string)]*"]), context, type)
            }
        }
    }

    @Test("NaN is stored as nil, and the object that was saved has nil", arguments: types)
    func savedNaN(type: StoreType) throws {
        let stack = try EngineStack(type)
        try stack.run { (context) throws in
            let inserted = context.make("Thing", Self.values)
            let changed = context.make("Thing", ["double": 1.0, "float": 1.0, "decimal": Decimal(1), "date": Date()])
            try context.save()
            for (key, value) in Self.values { changed.setValue(value, forKey: key) }
            try context.save()
            for key in Self.values.keys {
                expectNil(inserted.value(forKey: key), "\(key)")
                expectNil(changed.value(forKey: key), "\(key)")
            }
            #expect(!context.hasChanges)
        }
        try expectNoValues(stack, count: 2, type)
    }

    @Test("Batch requests store NaN as nil", arguments: types)
    func batchesOfNaN(type: StoreType) throws {
        let stack = try EngineStack(type)
        try stack.run { (context) throws in
            let rows: [[String: Any]] = [Self.values, ["double": 7.0]]
            try context.execute(NSBatchInsertRequest(entityName: "Thing", objects: rows))
            let update = NSBatchUpdateRequest(entityName: "Thing")
            update.predicate = NSPredicate(format: "double == 7")
            update.propertiesToUpdate = Self.values
            update.resultType = .updatedObjectsCountResultType
            try expectEqual((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int, 1)
        }
        try expectNoValues(stack, count: 2, type)
    }

    private func expectNoValues(_ stack: EngineStack, count: Int, _ type: StoreType) throws {
        try stack.elsewhere { (context) throws in
            try expectEqual(context.count(for: context.request("Thing", sort: [])), count)
            for key in Self.values.keys {
                let request = context.request("Thing", "\(key) == nil", sort: [])
                try expectEqual(context.count(for: request), count, "\(type): \(key)")
                let objects = try context.fetch(request)
                #expect(objects.allSatisfy { $0.value(forKey: key) == nil }, "\(type): \(key)")
            }
            try expectEqual(context.count(for: context.request("Thing", "double > 5", sort: [])), 0)
        }
    }
}

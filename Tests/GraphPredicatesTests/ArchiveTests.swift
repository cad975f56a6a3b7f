// Tests keyed archives of predicates, expressions and sort descriptors with Foundation's archiver and unarchiver.

import CollectionSupport
import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Archives")
struct ArchiveTests {
    static let formats = [
        "a == 1 AND b != 'x'", "NOT a.b.c >= 2.5", "ANY tags.name BEGINSWITH[cd] 'é'", "ALL n ENDSWITH[n] 'y'",
        "a IN {1, 'two', nil}", "a BETWEEN {1, 10}", "a CONTAINS[c] 'x' OR a LIKE 'x*' OR a MATCHES[d] '.'",
        "TRUEPREDICATE", "FALSEPREDICATE", "a == $x OR SELF == $y.name", "SUBQUERY(n, $i, $i > a).@count > 0",
        "FUNCTION(a, 'substringFromIndex:', 2) == 'bc'", "CAST(5, 'NSDate') < now()", "ANYKEY == 'x'",
        "TERNARY(a == 1, b, c) == -2 + d * e", "{1} UNION a INTERSECT b == c MINUS d", "a[FIRST].b == c[SIZE]",
        "FETCH($r, $c, YES) > 1 AND FETCH($r, $c, NO) == {}", "($x := 2) + $x == 4", "a == YES AND b == nil",
        "a == CAST('1.25', 'NSDecimalNumber')", "a == CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')",
        "a == CAST('AQI=', 'NSData')", "a == CAST('http://x.org/?a=b', 'NSURL')", "a UTI-EQUALS 'public.text'",
        "a.@sum.b == c.@distinctUnionOfObjects.d.@count", "FUNCTION(a.b, 'valueForKey:', 'first name').c == 1",
        "a ==[l] 'x' AND a BETWEEN[c] {'a', 'b'}", "a[1][b] == c.$k", "canonical:(a) == uppercase(b)",
        "~a | b << 2 == 1",
    ]

    @Test("Apple's calls archive a predicate and decode an equal one", arguments: formats)
    func roundTrip(format: String) throws {
        let predicate = NSPredicate(format: format)
        for isSecure in [true, false] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: isSecure)
            let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data))
            expectEqual(read, predicate)
            expectEqual(printed(read), printed(predicate))
            #expect(type(of: read) == type(of: predicate))
        }
        // Within other objects, archives contain the module's own class names, which can be decoded too.
        let inside: [String: Any] = ["list": NSArray(array: [predicate, predicate])]
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSDictionary(dictionary: inside),
            requiringSecureCoding: true
        )
        for archive in [data, try PredicateArchive.withAppleNames(data)] {
            let classes = [NSDictionary.self, NSArray.self, NSString.self, NSPredicate.self]
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: archive) as? NSDictionary
            expectEqual((read?["list"] as? NSArray)?.isEqual(to: [predicate, predicate]), true)
        }
    }

    @Test("Expressions, lists and sort descriptors are archived too")
    func others() throws {
        for format in ["a.b", "SELF", "1", "'x'", "nil", "sum(a) + 2", "FETCH($r, $c, NO)", "{1, a}"] {
            let expression = NSExpression(format: format)
            let data = try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
            let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data))
            expectEqual(read, expression, "\(format)")
            expectEqual(read.description, expression.description, "\(format)")
            #expect(read is NSFetchRequestExpression == (expression is NSFetchRequestExpression))
        }
        let list = [NSPredicate(format: "a == 1"), NSPredicate(value: true), NSPredicate(value: false)]
        let data = try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
        let classes = [NSArray.self, NSPredicate.self]
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? [NSPredicate]
        expectEqual(read?.map { printed($0) }, ["a == 1", "TRUEPREDICATE", "FALSEPREDICATE"])
        for descriptor in [
            NSSortDescriptor(key: "a.b", ascending: false), NSSortDescriptor(key: nil, ascending: true),
            NSSortDescriptor(key: "a", ascending: true, selector: "localizedStandardCompare:"),
        ] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: data)
            expectEqual(read, descriptor)
            expectEqual(read?.key, descriptor.key)
            expectEqual(read?.ascending, descriptor.ascending)
        }
    }

    @Test("Inserted values survive: collections, dates, decimals, including nil")
    func values() throws {
        let values: [Any] = [
            [1, NSNull(), "a"] as [Any], Set(["x", "y"]), Date(timeIntervalSinceReferenceDate: 0.1), UInt64.max,
            Int.min, 1e300, -0.5, true, Data(), "", "\u{0}é👩‍👧", NSOrderedSet(array: [2, 1]), [[1], [2]],
        ]
        for value in values {
            let predicate = NSPredicate(format: "a == %@", argumentArray: [value])
            let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
            expectEqual(read, predicate, "\(value)")
        }
    }

    @Test("Archives have Apple's class names and keys")
    func names() throws {
        let compound = NSPredicate(
            format: "a.b ==[c] 'x' AND NOT c ENDSWITH 'y' AND d < sum:(e) AND f IN {1} OR TRUEPREDICATE"
        )
        let objects = try Self.objects(of: compound)
        let names = objects.compactMap { $0["$classname"] as? String }.sorted()
        expectEqual(
            names,
            [
                "NSAggregateExpression", "NSArray", "NSComparisonPredicate", "NSComparisonPredicateOperator",
                "NSCompoundPredicate", "NSConstantValueExpression", "NSEqualityPredicateOperator",
                "NSFunctionExpression", "NSInPredicateOperator", "NSKeyPathExpression", "NSKeyPathSpecifierExpression",
                "NSMutableArray", "NSSelfExpression", "NSSubstringPredicateOperator", "NSTruePredicate",
            ]
        )
        let chains = objects.compactMap { $0["$classes"] as? [String] }
        #expect(chains.contains(["NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject"]))
        #expect(chains.contains(["NSEqualityPredicateOperator", "NSPredicateOperator", "NSObject"]))
        #expect(chains.contains(["NSCompoundPredicate", "NSPredicate", "NSObject"]))
        #expect(chains.contains(["NSTruePredicate", "NSPredicate", "NSObject"]))
        let equality = objects.first { $0["NSOperatorType"] as? Int == 4 }
        expectEqual(equality?["NSOptions"] as? Int, 1)
        expectEqual(equality?["NSNegate"] as? Bool, false)
        let ending = objects.first { $0["NSOperatorType"] as? Int == 9 }
        expectEqual(ending?["NSFlags"] as? Int, 0)
        expectEqual(ending?["NSPosition"] as? Int, 1)
        let sort = try Self.objects(of: NSSortDescriptor(key: "a", ascending: true))
        #expect(sort.contains { Set($0.keys) == ["$class", "NSKey", "NSAscending", "NSSelector"] })
        #expect(sort.contains { $0["$classes"] as? [String] == ["NSSortDescriptor", "NSObject"] })
    }

    @Test("A securely decoded predicate is evaluated only after allowEvaluation()")
    func evaluation() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSPredicate(format: "a > 1 AND b == 2"),
            requiringSecureCoding: true
        )
        let predicate = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data))
        predicate.allowEvaluation()
        #expect(predicate.evaluate(with: ["a": 2, "b": 2]) && !predicate.evaluate(with: ["a": 1, "b": 2]))
        let insecure = try NSKeyedUnarchiver(forReadingFrom: data)
        insecure.requiresSecureCoding = false
        let read = insecure.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSPredicate
        expectEqual(read?.evaluate(with: ["a": 2, "b": 2]), true)
        let unread = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        expectEqual(unread?.evaluate(with: ["a": 2, "b": 2]), false)
    }

    @Test("A damaged or circular archive is an error")
    func damage() throws {
        let predicate = NSPredicate(format: "NOT (a == 1)")
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        for missing in ["NSSubpredicates", "NSLeftExpression", "NSPredicateOperator", "NSOperatorType", "NSKeyPath"] {
            let damaged = try Self.edit(data) { $0[missing] == nil ? $0 : $0.filter { $0.key != missing } }
            // A missing operator type is decoded as 0, `<`.
            if missing == "NSOperatorType" { continue }
            #expect(throws: (any Error).self, "\(missing)") {
                try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: damaged)
            }
        }
        // Replaces the operand of a key path with the key path itself.
        let list = try Self.list(data)
        let objects = list["$objects"] as? [Any] ?? []
        let path = objects.compactMap { ($0 as? [String: Any])?["NSLeftExpression"] }.first
        let circle = try Self.edit(data) { object in
            object["NSOperand"] == nil ? object : object.merging(["NSOperand": path as Any]) { $1 }
        }
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: circle)
        }
        #expect(throws: (any Error).self) { try PredicateArchive.withAppleNames(Data("x".utf8)) }
    }

    @Test("A fetch expression in an archive that contains itself is an error")
    func circularFetch() throws {
        let expression = NSExpression(format: "FETCH($r, $c, NO)")
        let data = try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
        let root = try #require((try Self.list(data)["$top"] as? [String: Any])?[NSKeyedArchiveRootObjectKey])
        let circle = try Self.edit(data) { object in
            object["NSFRExpression"] == nil
                ? object : object.merging(["NSFRExpression": root, "NSMOCExpression": root]) { $1 }
        }
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: circle)
        }
    }

    /// A compiled model with the predicates and derivations of its source.
    struct Compiled: CustomTestStringConvertible {
        let file: CollectedFile
        let predicates: [String]
        let rules: [String]
        let derivations: [String]
        var testDescription: String { file.name }
    }

    /// The compiler writes `plants.@count` as `count:(plants)`.
    private static let compiled =
        [
            Compiled(
                file: Collections.fixtures.file("Garden.mom"),
                predicates: ["height > $LEAST", "bed == $FETCH_SOURCE.favourite.bed"],
                rules: [
                    "SELF >= 0", "SELF <= 500", "length >= 2", "length <= 8", "SELF >= 0", "SELF <= 120",
                ],
                derivations: ["canonical:(code)", "count:(plants)"]
            )
        ]
        + [Collections.published].compactMap(\.self).map { collection in
            let resources = "compiled/SwiftGen+SwiftGen/SwiftGen.playground/Resources"
            return Compiled(
                file: collection.file("\(resources)/Model.momd/Model 2.mom"),
                predicates: ["true == true", "uuid == $UUID", "oneToOne.name == $NAME OR string == $NEEDLE"],
                rules: [],
                derivations: ["canonical:(optionalString)", "count:(oneToMany)", "now()"]
            )
        }

    @Test("Predicates of compiled models equal those of the model's source", arguments: compiled)
    func compiledModels(model: Compiled) throws {
        let data = try model.file.data()
        let predicates = try Self.parts(named: "NSPredicate", of: data).map {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: $0)
        }
        expectEqual(Set(predicates.compactMap { $0 }), Set(model.predicates.map { NSPredicate(format: $0) }))
        let expressions = try Self.parts(named: "NSDerivationExpression", of: data).map {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: $0)
        }
        expectEqual(Set(expressions.compactMap { $0 }), Set(model.derivations.map { NSExpression(format: $0) }))
        let rules = try Self.parts(named: "NSValidationPredicates", of: data).flatMap { part in
            let classes = [NSArray.self, NSPredicate.self]
            return try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: part) as? [NSPredicate] ?? []
        }
        for rule in model.rules {
            #expect(rules.contains(NSPredicate(format: rule)), "\(rule)")
        }
    }

    @Test("All archived predicates of collected models can be decoded")
    func collected() throws {
        var count = 0
        for file in Collections.files(.compiledModel) {
            for part in try Self.parts(named: "NSPredicate", of: try file.data()) {
                let predicate = try #require(
                    try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: part)
                )
                let again = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
                try expectEqual(NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: again), predicate)
                count += 1
            }
        }
        #expect(count >= Collections.least(11, fixtures: 2))
    }

    // MARK: - Property lists of archives

    private static func list(_ data: Data) throws -> [String: Any] {
        try #require(try PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any])
    }

    private static func objects(of data: Data) throws -> [[String: Any]] {
        (try list(data)["$objects"] as? [Any] ?? []).compactMap { $0 as? [String: Any] }
    }

    private static func objects(of predicate: NSPredicate) throws -> [[String: Any]] {
        try objects(of: NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true))
    }

    private static func objects(of descriptor: NSSortDescriptor) throws -> [[String: Any]] {
        try objects(of: NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true))
    }

    private static func edit(_ data: Data, _ change: ([String: Any]) -> [String: Any]) throws -> Data {
        var list = try list(data)
        list["$objects"] = (list["$objects"] as? [Any])?.map { ($0 as? [String: Any]).map(change) ?? $0 }
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }

    /// The values of a key in an archive's objects, each as a separate archive.
    private static func parts(named key: String, of data: Data) throws -> [Data] {
        var list = try list(data)

        let objects = list["$objects"] as? [Any] ?? []
        return try objects.compactMap { ($0 as? [String: Any])?[key] }.compactMap { reference in
            list["$top"] = ["root": reference]
            let part = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            // Skips references to the archive's nil.
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: part)
            unarchiver.requiresSecureCoding = false

            return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) == nil ? nil : part
        }
    }
}

// Tests every operator with values of every kind and nil, against Apple's documentation.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Operators")
struct OperatorTests {
    /// Values of each kind in ascending order, without nil.
    static var kinds: [String: [Any]] {
        [
            "whole": [1, 2], "real": [1.5, 2.5], "mixed": [1, 1.5], "bool": [false, true],
            "decimal": [Decimal(string: "1.1") ?? 0, Decimal(string: "1.2") ?? 0], "number": [NSNumber(value: 1), 2.0],
            "small": [Int16(-3), UInt8(4)], "large": [Int64.max, UInt64.max], "float": [Float(0.5), Int32(1)],
            "text": ["abc", "abd"], "bridged": [NSString(string: "a"), "b"],
            "date": [Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2)],
            "bridgedDate": [NSDate(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2)],
            "data": [Data([1]), Data([1, 2])],
            "uuid": [UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), UUID(uuid: UUID.maximum)],
        ]
    }

    @Test("Values of one kind are ordered and equal by value", arguments: kinds.keys.sorted())
    func ordering(kind: String) throws {
        let values = try #require(Self.kinds[kind])
        let table: [(op: String, same: Bool, up: Bool, down: Bool)] = [
            ("==", true, false, false), ("!=", false, true, true), ("<", false, true, false), ("<=", true, true, false),
            (">", false, false, true), (">=", true, false, true),
        ]
        for row in table {
            try expectEqual(
                holds("a \(row.op) b", on: ["a": values[0], "b": values[0]]),
                row.same,
                "\(kind) \(row.op)"
            )
            try expectEqual(holds("a \(row.op) b", on: ["a": values[0], "b": values[1]]), row.up, "\(kind) \(row.op)")
            try expectEqual(holds("a \(row.op) %@", [values[0]], on: ["a": values[1]]), row.down, "\(kind) \(row.op)")
        }
        #expect(try holds("a BETWEEN {b, c}", on: ["a": values[0], "b": values[0], "c": values[1]]))
        #expect(try holds("a BETWEEN %@", [values], on: ["a": values[1]]))
        #expect(try !holds("a BETWEEN {b, b}", on: ["a": values[0], "b": values[1]]))
        #expect(try holds("a IN %@", [values], on: ["a": values[1]]))
        #expect(try !holds("a IN {b}", on: ["a": values[0], "b": values[1]]))
        #expect(try holds("list CONTAINS %@", [values[0]], on: ["list": values]))
    }

    @Test("Nil equals only nil, has no order, and matches no text operator", arguments: kinds.keys.sorted())
    func missing(kind: String) throws {
        let value = try #require(Self.kinds[kind]?.first)
        let object: [String: Any] = ["a": value, "void": NSNull()]
        #expect(try holds("void == nil", on: object))
        #expect(try holds("absent == void", on: object))
        #expect(try !holds("void != nil", on: object))
        #expect(try holds("a != void", on: object))
        #expect(try !holds("a == void", on: object))
        for op in ["<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "IN", "LIKE", "MATCHES"] {
            #expect(try !holds("void \(op) void", on: object), "void \(op) void")
            #expect(try !holds("void \(op) a", on: object), "void \(op) \(kind)")
            #expect(try !holds("a \(op) void", on: object), "\(kind) \(op) void")
        }
        #expect(try !holds("void BETWEEN {a, a}", on: object))
        #expect(try !holds("a BETWEEN {void, a}", on: object))
        #expect(try holds("void IN {1, void}", on: object))
        #expect(try !holds("void IN {1, 2}", on: object))
    }

    @Test("Values of different kinds are unequal and unordered")
    func kindsApart() throws {
        let samples: [Any] = [1, "1", Date(timeIntervalSinceReferenceDate: 1), Data([1]), UUID(), [1]]
        for (i, a) in samples.enumerated() {
            for (j, b) in samples.enumerated() where i != j {
                let object: [String: Any] = ["a": a, "b": b]
                #expect(try !holds("a == b", on: object), "\(a) \(b)")
                #expect(try holds("a != b", on: object), "\(a) \(b)")
                for op in ["<", "<=", ">", ">=", "LIKE", "BEGINSWITH"] {
                    #expect(try !holds("a \(op) b", on: object), "\(a) \(op) \(b)")
                }
            }
        }
    }

    @Test("Numbers compare exactly, whatever their types")
    func exactNumbers() throws {
        #expect(try !holds("a == b", on: ["a": Int64(9_007_199_254_740_993), "b": 9_007_199_254_740_992.0]))
        #expect(try holds("a > b", on: ["a": Int64(9_007_199_254_740_993), "b": 9_007_199_254_740_992.0]))
        #expect(try holds("a < b", on: ["a": Int64.max, "b": 9.3e18]))
        #expect(try holds("a == b", on: ["a": 1.1, "b": Decimal(string: "1.1") ?? 0]))
        #expect(try holds("a == b", on: ["a": true, "b": NSNumber(value: 1)]))
        #expect(try !holds("a == a", on: ["a": Double.nan]))
        #expect(try !holds("a >= a", on: ["a": Double.nan]))
    }

    @Test("Texts are equal and ordered by their scalars; [c] and [d] fold them")
    func texts() throws {
        let table: [(String, String, Bool, Bool, Bool, Bool)] = [
            // text, pattern, plain, [c], [d], [cd]
            ("Résumé", "Résumé", true, true, true, true), ("Résumé", "résumé", false, true, false, true),
            ("Résumé", "Resume", false, false, true, true), ("Résumé", "resume", false, false, false, true),
            ("Straße", "STRASSE", false, true, false, true), ("ΣΊΣΥΦΟΣ", "σίσυφος", false, true, false, true),
            ("ς", "σ", false, true, false, true), ("İ", "i\u{307}", false, true, false, true),
            ("ı", "i", false, false, false, false),
            ("e\u{301}", "é", false, true, true, true), ("ø", "o", false, false, false, false),
            ("\u{1100}\u{1161}", "가", false, true, true, true),
            ("Å", "å", false, true, false, true), ("が", "か", false, false, false, false),
        ]
        for (text, other, plain, c, d, cd) in table {
            for (options, wanted) in [("", plain), ("[c]", c), ("[d]", d), ("[cd]", cd)] {
                let pairs = ["==", "BEGINSWITH", "ENDSWITH", "CONTAINS"]
                for op in pairs {
                    try expectEqual(
                        holds("a \(op)\(options) %@", [other], on: ["a": text]),
                        wanted,
                        "\(text) \(op)\(options) \(other)"
                    )
                    try expectEqual(
                        holds("a \(op)\(options) b", on: ["a": text, "b": other]),
                        wanted,
                        "\(text) \(op)\(options) \(other)"
                    )
                }
                try expectEqual(holds("a !=\(options) %@", [other], on: ["a": text]), !wanted)
                try expectEqual(holds("a IN\(options) {'zz', %@}", [other], on: ["a": text]), wanted)
                try expectEqual(holds("list CONTAINS\(options) %@", [other], on: ["list": [text]]), wanted)
                if options != "" {
                    try expectEqual(
                        holds("a LIKE\(options) %@", [other], on: ["a": text]),
                        wanted,
                        "\(text) LIKE\(options) \(other)"
                    )
                }
            }
        }
        #expect(try holds("'Z' < 'a'"))
        #expect(try holds("'Z' >[c] 'a'"))
        #expect(try holds("'\u{FFFF}' < '\u{10000}'"))
    }

    @Test("No text begins with, ends with or contains the empty text")
    func emptyText() throws {
        for op in ["BEGINSWITH", "ENDSWITH", "CONTAINS", "CONTAINS[cd]"] {
            #expect(try !holds("'abc' \(op) ''"))
            #expect(try !holds("'' \(op) ''"))
        }
        #expect(try !holds("'' IN 'abc'"))
        #expect(try holds("'' == ''"))
        #expect(try holds("'' LIKE ''"))
        #expect(try holds("'' LIKE '*'"))
        #expect(try holds("'' MATCHES '.*'"))
    }

    @Test(
        "LIKE matches the whole text with ? and *, which a backslash escapes",
        arguments: [
            ("hello", "hello", true), ("hello", "h*o", true), ("hello", "h?llo", true), ("hello", "hell", false),
            ("hello", "*", true), ("hello", "*ell*", true), ("hello", "?????", true), ("hello", "??????", false),
            ("hello", "h**o", true), ("", "?", false), ("a*b", "a\\*b", true), ("axb", "a\\*b", false),
            ("a?b", "a\\?b", true), ("a\\b", "a\\\\b", true), ("a\\", "a\\", true), ("naïve", "na?ve", true),
            ("👩‍👩‍👧", "?", true), ("aXbXc", "a*X?", true), ("mississippi", "*issip*", true), ("abc", "a*d", false),
        ] as [(String, String, Bool)]
    )
    func like(text: String, pattern: String, wanted: Bool) throws {
        try expectEqual(holds("a LIKE %@", [pattern], on: ["a": text]), wanted)
        try expectEqual(holds("a LIKE b", on: ["a": text, "b": pattern]), wanted)
    }

    @Test("A LIKE pattern with many stars does not take exponential time")
    func manyStars() throws {
        let text = String(repeating: "a", count: 2_000)
        let pattern = String(repeating: "a*", count: 30) + "b"
        #expect(try !holds("a LIKE %@", [pattern], on: ["a": text]))
    }

    @Test("Comparing large sets does not take quadratic time")
    func largeSets() throws {
        let numbers = Set(0..<100_000)
        let object: [String: Any] = ["a": numbers, "b": numbers.union([-1]), "list": [2, 1, 2], "pair": Set([1, 2])]
        #expect(try holds("a == %@", [numbers], on: object))
        #expect(try !holds("b == %@", [numbers], on: object))
        #expect(try !holds("a == b", on: object))
        #expect(try holds("list == pair", on: object))
        #expect(try holds("pair == %@", [Set([1.0, 2.0])], on: object))
        expectEqual(NSPredicate(format: "a IN %@", numbers), NSPredicate(format: "a IN %@", Set(numbers)))
    }

    @Test("CONTAINS with a long constant list does not read the list for each object")
    func manyContained() throws {
        let numbers = (0..<20_000).map { $0 }
        let predicate = NSPredicate(format: "%@ CONTAINS SELF", numbers)
        expectEqual((10_000..<30_000).map { $0 }.filtered(using: predicate).count, 10_000)
    }

    @Test("IN with options folds a long list as it does a short one", arguments: [3, 30])
    func foldedList(_ count: Int) throws {
        let list: [Any] = (0..<count).map { "É\($0)" } + [7, NSNull()]
        #expect(try holds("a IN[cd] %@", [list], on: ["a": "e2"]))
        #expect(try holds("a IN[c] %@", [list], on: ["a": "é2"]))
        #expect(try !holds("a IN[c] %@", [list], on: ["a": "e2"]))
        #expect(try !holds("a IN[cd] %@", [list], on: ["a": "7"]))
        #expect(try holds("a IN[cd] %@", [list], on: ["a": 7.0]))
        #expect(try holds("a IN[cd] %@", [list], on: ["a": NSNull()]))
    }

    @Test("MATCHES covers the whole text; an invalid pattern is an error, or false if errors cannot be thrown")
    func matches() throws {
        #expect(try holds("a MATCHES 'h[aeiou]l+o'", on: ["a": "hello"]))
        #expect(try !holds("a MATCHES 'ell'", on: ["a": "hello"]))
        #expect(try holds("a MATCHES 'a|ab'", on: ["a": "ab"]))
        #expect(try holds("a MATCHES '\\d{3}'", on: ["a": "123"]))
        #expect(try !holds("a MATCHES 'HELLO'", on: ["a": "hello"]))
        #expect(try holds("a MATCHES[c] 'HELLO'", on: ["a": "hello"]))
        #expect(try holds("a MATCHES[cd] 'RESUM.'", on: ["a": "résumé"]))
        #expect(try !holds("a MATCHES 'x'", on: ["a": "x\n"]))
        for pattern in ["[", "a)|(b", "(", "*"] {
            #expect(throws: EvaluationError.badPattern(pattern)) {
                try holds("a MATCHES %@", [pattern], on: ["a": "x"])
            }
            #expect(throws: EvaluationError.badPattern(pattern)) {
                try holds("a MATCHES b", on: ["a": "x", "b": pattern])
            }
            #expect(!NSPredicate(format: "a MATCHES %@", pattern).evaluate(with: ["a": "x"]))
            #expect(!NSPredicate(format: "NOT a MATCHES %@", pattern).evaluate(with: ["a": "x"]))
        }
    }

    @Test("IN and CONTAINS accept texts, arrays, sets, dictionaries and Foundation's collections")
    func membership() throws {
        #expect(try holds("'ell' IN 'hello'"))
        #expect(try holds("'hello' CONTAINS 'ell'"))
        #expect(try !holds("'hello' IN 'ell'"))
        let containers: [Any] = [
            ["a", "b"], Set(["a", "b"]), ["k": "a"], NSArray(array: ["a"]), NSSet(array: ["a"]),
            NSOrderedSet(array: ["a"]), NSDictionary(dictionary: ["k": "a"]), ["a", "b"][...], ContiguousArray(["a"]),
            NSMutableArray(array: ["a"]), ["a", nil] as [String?],
        ]
        for container in containers {
            #expect(try holds("'a' IN %@", [container]), "\(type(of: container))")
            #expect(try !holds("'z' IN %@", [container]), "\(type(of: container))")
            #expect(try holds("c CONTAINS 'a'", on: ["c": container]), "\(type(of: container))")
        }
        let long = (0..<1000).map { $0 }
        #expect(try holds("a IN %@", [long], on: ["a": 999.0]))
        #expect(try !holds("a IN %@", [long], on: ["a": "999"]))
        #expect(try !holds("a IN %@", [long], on: ["a": NSNull()]))
        #expect(try holds("%@ CONTAINS a", [long], on: ["a": 999.0]))
        #expect(try !holds("%@ CONTAINS a", [long], on: ["a": "999"]))
        #expect(try holds("{'É', 'x'} CONTAINS[cd] a", on: ["a": "e"]))
        #expect(try holds("ANY {'bcd', 'x'} CONTAINS a", on: ["a": "c"]))
    }

    @Test("IN a mutable collection reads its present elements, however many they are")
    func mutableMembership() {
        for count in [2, 20] {
            let list = NSMutableArray(array: (0..<count).map { $0 })
            let predicate = NSPredicate(format: "SELF IN %@", argumentArray: [list])
            #expect(predicate.evaluate(with: 0) && !predicate.evaluate(with: 100), "\(count)")
            list.add(100)
            list.removeObject(at: 0)
            #expect(!predicate.evaluate(with: 0) && predicate.evaluate(with: 100), "\(count)")
        }
    }

    @Test("ANY, ALL and NONE quantify over the collection on the left")
    func qualifiers() throws {
        let object: [String: Any] = [
            "n": [1, 2, 3], "empty": [Int](), "tags": [["name": "x"], ["name": "y"]], "one": 2,
            "groups": [["tags": [["name": "x"]]], ["tags": [["name": "z"], ["name": "w"]]]],
        ]
        let table: [(String, Bool)] = [
            ("ANY n == 2", true), ("ANY n > 3", false), ("SOME n == 3", true), ("ALL n > 0", true),
            ("ALL n > 1", false),
            ("NONE n == 4", true), ("NONE n == 2", false), ("ANY empty == 1", false), ("ALL empty == 1", true),
            ("NONE empty == 1", true), ("ANY missing == 1", false), ("ALL missing == 1", true),
            ("ANY tags.name == 'x'", true), ("ALL tags.name == 'x'", false), ("ANY tags.name IN {'q', 'y'}", true),
            ("NONE tags.name BEGINSWITH 'z'", true), ("ANY groups.tags.name == 'w'", true), ("ANY one == 2", true),
            ("ANY n BETWEEN {3, 9}", true), ("ANY tags.missing == nil", true), ("n == {1, 2, 3}", true),
            ("n == {3, 2, 1}", false), ("n != {1}", true), ("tags.name == 'x'", false),
        ]
        for (format, wanted) in table { try expectEqual(holds(format, on: object), wanted, "\(format)") }
    }

    @Test("BETWEEN without exactly two bounds is an error")
    func bounds() {
        for bounds in ["{1}", "{1, 2, 3}", "1", "'ab'"] {
            #expect(throws: EvaluationError.badBounds) { try holds("1 BETWEEN \(bounds)") }
        }
    }

    @Test("Objects are equal by identity, by isEqual, or by an identity they share")
    func objects() throws {
        let first = Record(["x": 1])
        let second = Record(["x": 1])
        #expect(try holds("owner == %@", [first], on: ["owner": first]))
        #expect(try !holds("owner == %@", [first], on: ["owner": second]))
        #expect(try holds("SELF IN %@", [[first, second]], on: second))
        #expect(try holds("SELF == %@", [first], on: first))
        #expect(try holds("owner == %@", [Reference(7)], on: ["owner": Carrier(7)]))
        #expect(try holds("owner IN %@", [(0..<20).map { Reference($0) }], on: ["owner": Carrier(7)]))
        #expect(try !holds("owner == %@", [Reference(8)], on: ["owner": Carrier(7)]))
        #expect(
            try holds(
                "u == %@",
                [URL(string: "http://x.org/a") as Any],
                on: ["u": NSURL(string: "http://x.org/a") as Any]
            )
        )
    }

    /// An object and its reference, equal by the number.
    private struct Reference: IdentityComparable {
        let number: Int
        init(_ number: Int) { self.number = number }
        var comparableIdentity: AnyHashable { number }
    }

    private final class Carrier: KeyValueReadable, IdentityComparable {
        let number: Int
        init(_ number: Int) { self.number = number }
        var comparableIdentity: AnyHashable { number }
        func value(forKey key: String) -> Any? { nil }
    }
}

extension UUID {
    fileprivate static var maximum: uuid_t {
        (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)
    }
}

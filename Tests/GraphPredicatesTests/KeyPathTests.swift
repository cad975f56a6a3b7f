// Tests key paths, collection operators, subqueries, indexes and the other forms that read an object.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Key paths and collections")
struct KeyPathTests {
    static let library: [String: any Sendable] = [
        "name": "Central", "open": true,
        "books": [
            ["title": "A", "pages": 100, "tags": ["x", "y"], "author": ["name": "Ann"]],
            ["title": "B", "pages": 250, "tags": ["y"], "author": ["name": "Bob"]],
            ["title": "C", "pages": NSNull(), "tags": [String](), "author": ["name": "Ann"]],
        ] as [[String: any Sendable]],
        "nothing": [Int](),
    ]

    @Test(
        "Key paths read objects, dictionaries and every element of collections",
        arguments: [
            ("name == 'Central'", true), ("self.name == 'Central'", true), ("missing == nil", true),
            ("missing.deeper == nil", true), ("books.title == {'A', 'B', 'C'}", true), ("books.@count == 3", true),
            ("books.tags.@count == 3", true), ("missing.@count == 0", true), ("nothing.@count == 0", true),
            ("books.@sum.pages == 350", true), ("books.@max.pages == 250", true), ("books.@min.pages == 100", true),
            ("books.@avg.pages > 116 AND books.@avg.pages < 117", true), ("nothing.@sum.self == 0", true),
            ("nothing.@avg.self == 0", true), ("nothing.@max.self == nil", true),
            ("books.@unionOfObjects.pages == {100, 250}", true),
            ("books.@distinctUnionOfObjects.author.name == {'Bob', 'Ann'}", true),
            ("books.@unionOfArrays.tags == {'x', 'y', 'y'}", true),
            ("books.@distinctUnionOfArrays.tags == {'x', 'y'}", true),
            ("books.@distinctUnionOfSets.tags == {'y', 'x'}", true), ("books.pages.@count == 3", true),
            ("name.length == 7", true), ("name.uppercaseString == 'CENTRAL'", true),
            ("books[0].title == 'A'", true), ("books[FIRST].author.name == 'Ann'", true),
            ("books[LAST].title == 'C'", true), ("books[SIZE] == 3", true), ("books[7] == nil", true),
            ("books[-1] == nil", true), ("nothing[FIRST] == nil", true), ("SELF['name'] == 'Central'", true),
            ("SUBQUERY(books, $b, $b.pages > 50).@count == 2", true),
            ("SUBQUERY(books, $b, ANY $b.tags == 'y')[SIZE] == 2", true),
            ("SUBQUERY(books, $b, $b.pages > 50).title == {'A', 'B'}", true),
            ("SUBQUERY(books, $b, $b.author.name == name).@count == 0", true),
            ("SUBQUERY(missing, $b, $b == 1).@count == 0", true),
            ("SUBQUERY(books, $b, SUBQUERY($b.tags, $t, $t == 'x').@count == 1).@count == 1", true),
            ("TERNARY(open == YES, 'o', 'c') == 'o'", true), ("TERNARY(open == NO, 'o', 'c') == 'o'", false),
            ("{1, 2} UNION {2, 3} == {1, 2, 3}", true), ("{1, 2} INTERSECT {2, 3} == {2}", true),
            ("{1, 2} MINUS {2, 3} == {1}", true), ("({1, 2} UNION {3}).@count == 3", true),
            ("ANYKEY == 'Central'", true), ("ANYKEY == 'Nowhere'", false),
            ("($x := 2) + $x == 4", true), ("name.description == 'Central'", true),
        ]
    )
    func reading(format: String, wanted: Bool) throws {
        try expectEqual(holds(format, on: Self.library), wanted)
    }

    @Test("Readable objects, and arrays and sets of them, are read like dictionaries")
    func readable() throws {
        let ann = Record(["name": "Ann", "age": 30])
        let bob = Record(["name": "Bob", "age": 20, "boss": ann])
        let team = Record(["members": NSSet(array: [1, 2]), "people": [ann, bob]])
        #expect(try holds("boss.name == 'Ann' AND age < boss.age", on: bob))
        #expect(try holds("boss == nil AND boss.name == nil", on: ann))
        #expect(try holds("ANY people.boss.name == 'Ann' AND people.@sum.age == 50", on: team))
        #expect(try holds("members.@max.self == 2", on: team))
        expectEqual([ann, bob].filtered(using: NSPredicate(format: "age > 25")).count, 1)
    }

    @Test("A key that a value cannot have is an error that names the type")
    func unknownKey() {
        #expect(throws: EvaluationError.unknownKey("wings", type: "Int")) { try holds("n.wings == 1", on: ["n": 5]) }
        #expect(throws: EvaluationError.unknownFunction("@nope")) { try holds("n.@nope.x == 1", on: ["n": [5]]) }
    }

    @Test("The integer of a number beyond 64 bits is the nearest one")
    func integers() throws {
        #expect(try holds("n.intValue == %@", [Int.max], on: ["n": 1e300]))
        #expect(try holds("n.integerValue == %@", [Int.min], on: ["n": -Double.infinity]))
        #expect(try holds("n.longLongValue == 0", on: ["n": Double.nan]))
        #expect(try holds("n.intValue == -2", on: ["n": -2.9]))
    }

    @Test("Variables are bound by the caller; NSNull is nil, and an unbound one is an error")
    func variables() throws {
        #expect(try holds("a == $x", on: ["a": 1], variables: ["x": 1]))
        #expect(try holds("$x == nil", variables: ["x": NSNull()]))
        #expect(try holds("$o.name == 'n'", variables: ["o": ["name": "n"]]))
        #expect(try holds("a.$k == 2", on: ["a": ["b": 2]], variables: ["k": "b"]))
        #expect(try holds("a[$k] == 2", on: ["a": ["b": 2]], variables: ["k": "b"]))
        #expect(throws: EvaluationError.unboundVariable("x")) { try holds("a == $x", on: ["a": 1]) }
        #expect(throws: EvaluationError.unboundVariable("x")) {
            try holds("SUBQUERY(a, $x, $x == 1).@count == $x", on: ["a": [1]])
        }
    }

    @Test("FETCH runs the request in its context")
    func fetch() throws {
        struct Context: FetchEvaluating {
            func evaluateFetch(_ request: Any, countOnly: Bool) throws -> Any? { countOnly ? 3 : ["a", "b", request] }
        }
        let variables: [String: Any] = ["r": "request", "c": Context()]
        #expect(try holds("FETCH($r, $c, YES) == 3", variables: variables))
        #expect(try holds("FETCH($r, $c, NO) == {'a', 'b', 'request'}", variables: variables))
        #expect(throws: EvaluationError.self) { try holds("FETCH(1, 2, NO) == 1") }
    }

    @Test("One prepared predicate evaluates objects on many threads")
    func threads() async {
        let predicate = NSPredicate(format: "name BEGINSWITH[cd] %@ AND SUBQUERY(n, $x, $x > 1).@count == 2", "é")
        nonisolated(unsafe) let shared = predicate
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<500).count { shared.evaluate(with: ["name": "Ende \($0)", "n": [1, 2, 3]] as [String: Any]) }
                }
            }
            for await count in group { expectEqual(count, 500) }
        }
    }
}

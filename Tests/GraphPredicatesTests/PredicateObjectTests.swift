// Tests predicate and expression objects as code for Apple's systems uses them.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Predicate objects")
struct PredicateObjectTests {
    @Test("Arguments of every kind are accepted, with and without `as CVarArg`")
    func arguments() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let uuid = UUID()
        let url = try #require(URL(string: "http://x.org"))
        let kinds: [(NSPredicate, Any)] = [
            (NSPredicate(format: "a == %@", "x"), "x"), (NSPredicate(format: "a == %@", "x" as NSString), "x"),
            (NSPredicate(format: "a == %d", 5), 5), (NSPredicate(format: "a == %ld", Int64(5)), 5),
            (NSPredicate(format: "a == %d", Int16(5)), 5), (NSPredicate(format: "a == %f", 2.5), 2.5),
            (NSPredicate(format: "a == %f", Float(2.5)), 2.5), (NSPredicate(format: "a == %@", NSNumber(value: 7)), 7),
            (NSPredicate(format: "a == %@", true), true), (NSPredicate(format: "a == %@", date as NSDate), date),
            (NSPredicate(format: "a == %@", date as CVarArg), date), (NSPredicate(format: "a == %@", date), date),
            (NSPredicate(format: "a == %@", uuid as CVarArg), uuid), (NSPredicate(format: "a == %@", uuid), uuid),
            (NSPredicate(format: "a == %@", Data([1]) as CVarArg), Data([1])),
            (NSPredicate(format: "a == %@", url as CVarArg), url), (NSPredicate(format: "a == %@", NSNull()), NSNull()),
            (NSPredicate(format: "a == %@", Decimal(3) as CVarArg), 3), (NSPredicate(format: "a == %@", CGFloat(3)), 3),
            (NSPredicate(format: "a IN %@", ["x", "y"]), "y"), (NSPredicate(format: "a IN %@", [1, 2] as CVarArg), 2),
            (NSPredicate(format: "a IN %@", Set(["x"])), "x"),
            (NSPredicate(format: "a IN %@", NSSet(array: ["x"])), "x"),
            (NSPredicate(format: "a IN %@", NSArray(array: [1])), 1), (NSPredicate(format: "a IN %@", ["k": 1]), 1),
            (NSPredicate(format: "%K == %@", argumentArray: ["a", NSNull()]), NSNull()),
            (NSPredicate(format: "a == nil", argumentArray: nil), NSNull()),
        ]
        for (predicate, value) in kinds {
            #expect(predicate.evaluate(with: ["a": value]), "\(predicate) on \(value)")
            #expect(!predicate.evaluate(with: ["a": "other"]), "\(predicate)")
        }
    }

    @Test("Values that can be arguments of a format can also be passed to other variadic functions")
    func formatting() {
        expectEqual(String(format: "%@ %d", NSString(string: "x"), 4), "x 4")
        expectEqual(String(format: "%@", NSNumber(value: 5)), "5")
    }

    @Test("Formats produce the same classes as Apple's")
    func classes() {
        #expect(NSPredicate(format: "a == 1") is NSComparisonPredicate)
        #expect(NSPredicate(format: "a == 1 AND b == 2") is NSCompoundPredicate)
        #expect(NSPredicate(format: "NOT a == 1") is NSCompoundPredicate)
        #expect(!(NSPredicate(format: "TRUEPREDICATE") is NSCompoundPredicate))
        let compound = NSPredicate(format: "a == 1 OR b == 2") as? NSCompoundPredicate
        expectEqual(compound?.compoundPredicateType, .or)
        expectEqual(compound?.subpredicates.map { printed($0) }, ["a == 1", "b == 2"])
        #expect(NSCompoundPredicate(format: "a == 1").evaluate(with: ["a": 1]))
        expectEqual(NSComparisonPredicate(format: "a == 1").predicateOperatorType, .equalTo)
    }

    @Test("Foundation's compounds, constants and blocks work together with formats")
    func foundation() throws {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "a == 1"),
            NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "b == 2")),
        ])
        #expect(both.evaluate(with: ["a": 1, "b": 3]))
        #expect(!both.evaluate(with: ["a": 1, "b": 2]))
        expectEqual(both.printedFormat, "a == 1 AND (NOT b == 2)")
        expectEqual(NSPredicate(value: true).printedFormat, "TRUEPREDICATE")
        expectEqual(NSPredicate(value: false).node, .constant(false))
        expectEqual(NSCompoundPredicate(orPredicateWithSubpredicates: []).node, .constant(false))
        let block = NSPredicate { object, variables in (object as? Int) == variables?["x"] as? Int }
        let mixed = NSCompoundPredicate(orPredicateWithSubpredicates: [block, NSPredicate(format: "SELF == $y")])
        #expect(mixed.evaluate(with: 3, substitutionVariables: ["x": 3, "y": 0]))
        #expect(mixed.evaluate(with: 0, substitutionVariables: ["x": 3, "y": 0]))
        guard case .or(let nodes) = mixed.node, case .block = nodes[0] else {
            return #expect(Bool(false), "a block stays a block")
        }
        #expect(try Evaluator(mixed.node).evaluate(3, variables: ["x": 3, "y": 0]))
        expectEqual(PredicatePrinter.print(mixed.node), "BLOCKPREDICATE(<closure>) OR SELF == $y")
    }

    @Test("Equality, hashes, copies and descriptions depend on the tree")
    func equality() {
        let first = NSPredicate(format: "a == %d AND b IN %@", 1, ["x", "y"])
        let second = NSPredicate(format: "a == TRUE && b IN {'x', 'y'}")
        expectEqual(first, second)
        expectEqual(first.hash, second.hash)
        #expect(first != NSPredicate(format: "a == 2"))
        #expect(first.copy() as? NSPredicate === first)
        expectEqual(first.description, "a == 1 AND b IN {\"x\", \"y\"}")
        expectEqual(printed(second), "a == 1 AND b IN {\"x\", \"y\"}")
        expectEqual(Set([NSPredicate(format: "a == 1"), NSPredicate(format: "a = 1.0")]).count, 1)
    }

    @Test("Substitution returns a predicate without the variables; SUBQUERY's own variable stays")
    func substitution() {
        let template = NSPredicate(
            format: "dueDate < $DATE AND owner == $OWNER AND SUBQUERY(n, $x, $x > $m).@count > 0"
        )
        let date = Date(timeIntervalSinceReferenceDate: 10)
        let values: [String: Any] = ["DATE": date, "OWNER": NSNull(), "m": 3, "x": 99]
        let bound = template.withSubstitutionVariables(values)
        expectEqual(
            printed(bound),
            "dueDate < CAST(10.000000, \"NSDate\") AND owner == nil AND SUBQUERY(n, $x, $x > 3).@count > 0"
        )
        #expect(printed(template).contains("$DATE"))
        #expect(bound.evaluate(with: ["dueDate": Date(timeIntervalSinceReferenceDate: 1), "n": [4]] as [String: Any]))
        let keyed = NSPredicate(format: "a.$k == 1").withSubstitutionVariables(["k": "b.c"])
        expectEqual(printed(keyed), "a.b.c == 1")
        let foundation = NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "a == $x")])
        #expect(foundation.withSubstitutionVariables(["x": 1]).evaluate(with: ["a": 1]))
        let partly = NSPredicate(format: "a == $x AND b == $y").withSubstitutionVariables(["x": 1])
        expectEqual(printed(partly), "a == 1 AND b == $y")
    }

    @Test("The validating initializers throw in cases in which the others trap")
    func validating() throws {
        #expect(throws: PredicateFormatError.self) { try NSPredicate(validating: "a ==") }
        #expect(throws: PredicateFormatError.self) { try NSPredicate(validating: "a == %@") }
        #expect(throws: PredicateFormatError.self) { try NSPredicate(validating: "a == %@", argumentArray: []) }
        #expect(throws: PredicateFormatError.self) { try NSExpression(validating: "1 +") }
        #expect(throws: PredicateFormatError.self) { try NSComparisonPredicate(validating: "a == 1 AND b == 1") }
        #expect(try NSPredicate(validating: "a == %@", "x").evaluate(with: ["a": "x"]))
    }

    @Test("Evaluation that is impossible is false, not a crash")
    func impossible() {
        #expect(!NSPredicate(format: "a == $x").evaluate(with: ["a": 1]))
        #expect(!NSPredicate(format: "a.wings == 1").evaluate(with: ["a": 1]))
        #expect(!NSPredicate(format: "NOT a.wings == 1").evaluate(with: ["a": 1]))
    }

    @Test("Collections are filtered, Swift's and Foundation's")
    func filtering() {
        let odd = NSPredicate(format: "modulus:by:(SELF, 2) == 1")
        expectEqual([1, 2, 3].filtered(using: odd), [1, 3])
        expectEqual(Set([1, 2, 3]).filtered(using: odd), [1, 3])
        expectEqual(NSArray(array: [1, 2, 3]).filtered(using: odd).count, 2)
        expectEqual(NSSet(array: [1, 2, 3]).filtered(using: odd).count, 2)
        expectEqual(NSOrderedSet(array: [1, 2, 3]).filtered(using: odd).count, 2)
        let mutable = NSMutableArray(array: [1, 2, 3])
        mutable.filter(using: odd)
        expectEqual(mutable.count, 2)
    }
}

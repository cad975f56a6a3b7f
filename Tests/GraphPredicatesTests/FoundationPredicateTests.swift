// Tests that predicates created with Foundation's initializers print, compare, hash, copy and archive like parsed ones.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Foundation's predicates")
struct FoundationPredicateTests {
    private let one = NSPredicate(format: "a == 1")
    private let two = NSPredicate(format: "b == 2")

    private var compounds: [(predicate: NSPredicate, format: String)] {
        [
            (NSCompoundPredicate(andPredicateWithSubpredicates: [one, two]), "a == 1 AND b == 2"),
            (NSCompoundPredicate(orPredicateWithSubpredicates: [one, two]), "a == 1 OR b == 2"),
            (NSCompoundPredicate(notPredicateWithSubpredicate: one), "NOT a == 1"),
            (NSCompoundPredicate(type: .and, subpredicates: [one, two]), "a == 1 AND b == 2"),
            (NSCompoundPredicate(type: .or, subpredicates: [one]), "a == 1"),
            (NSCompoundPredicate(andPredicateWithSubpredicates: []), "TRUEPREDICATE"),
            (NSCompoundPredicate(orPredicateWithSubpredicates: []), "FALSEPREDICATE"),
            (
                NSCompoundPredicate(andPredicateWithSubpredicates: [
                    NSCompoundPredicate(orPredicateWithSubpredicates: [one, two]), NSPredicate(value: true),
                ]),
                "(a == 1 OR b == 2) AND TRUEPREDICATE"
            ),
            (NSPredicate(value: true), "TRUEPREDICATE"), (NSPredicate(value: false), "FALSEPREDICATE"),
        ]
    }

    @Test("predicateFormat and description are the format")
    func printing() {
        for (predicate, format) in compounds {
            expectEqual(printed(predicate), format)
            expectEqual(predicate.description, format)
            expectEqual("\(predicate)", format)
        }
    }

    @Test("A predicate without a condition is a placeholder that holds for nothing")
    func placeholder() {
        var predicate = NSPredicate()
        #expect(!predicate.evaluate(with: ["a": 1]))
        #expect(!NSCompoundPredicate(andPredicateWithSubpredicates: [predicate]).evaluate(with: ["a": 1]))
        #expect(NSPredicate() != predicate)
        predicate = NSPredicate(format: "a == 1")
        #expect(predicate.evaluate(with: ["a": 1]))
    }

    @Test("Equality and hashes depend on the meaning, in both directions")
    func equality() {
        for (predicate, format) in compounds {
            let parsed = NSPredicate(format: format)
            expectEqual(predicate, parsed)
            expectEqual(parsed, predicate)
            expectEqual(predicate.hash, parsed.hash)
            for (other, text) in compounds where text != format { #expect(predicate != other) }
        }
        let block = NSPredicate { _, _ in true }
        expectEqual(block, block)
        #expect(block != NSPredicate { _, _ in true })
        expectEqual(
            NSCompoundPredicate(notPredicateWithSubpredicate: block).hash,
            NSCompoundPredicate(notPredicateWithSubpredicate: block).hash
        )
        expectEqual(
            NSCompoundPredicate(notPredicateWithSubpredicate: block),
            NSCompoundPredicate(notPredicateWithSubpredicate: block)
        )
    }

    @Test("A copy is equal and evaluates alike, and the archive decodes to an equal predicate")
    func copies() throws {
        for (predicate, format) in compounds {
            let copy = try #require(predicate.copy() as? NSPredicate)
            expectEqual(copy, predicate)
            expectEqual(printed(copy), format)
            let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
            let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data))
            expectEqual(read, predicate)
            for object in [["a": 1, "b": 2], ["a": 1, "b": 0], ["a": 0, "b": 2], ["a": 0, "b": 0]] {
                expectEqual(predicate.evaluate(with: object), NSPredicate(format: format).evaluate(with: object))
                expectEqual(copy.evaluate(with: object), predicate.evaluate(with: object))
            }
        }
    }

    private final class TypedCompound: NSCompoundPredicate {}

    private final class TypedComparison: NSComparisonPredicate {}

    private final class Opposite: NSCompoundPredicate {
        override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
            !super.evaluate(with: object, substitutionVariables: bindings)
        }
    }

    @Test("An app's subclasses are what their superclasses are")
    func subclasses() throws {
        let comparison = TypedComparison(
            leftExpression: NSExpression(forKeyPath: "a"),
            rightExpression: NSExpression(forConstantValue: 1),
            modifier: .direct,
            type: .equalTo
        )
        expectEqual(printed(comparison), "a == 1")
        // The compiler calls the methods of a final class without its table.
        let typed: NSPredicate = TypedCompound(type: .and, subpredicates: [comparison, two])
        // Whatever takes a predicate reads its tree first.
        expectEqual("\(typed.node)", "\(NSPredicate(format: "a == 1 AND b == 2").node)")
        expectEqual(printed(typed), "a == 1 AND b == 2")
        expectEqual(typed.description, "a == 1 AND b == 2")
        let equal: NSPredicate = TypedCompound(type: .and, subpredicates: [one, two])
        expectEqual(typed, equal)
        expectEqual(typed.hash, equal.hash)
        #expect(typed != TypedCompound(type: .or, subpredicates: [two]))
        #expect(typed.copy() as? NSPredicate === typed)
        expectEqual(printed(NSCompoundPredicate(notPredicateWithSubpredicate: typed)), "NOT (a == 1 AND b == 2)")
        #expect(typed.evaluate(with: ["a": 1, "b": 2]) && !typed.evaluate(with: ["a": 1, "b": 3]))
    }

    @Test("An app's subclass that evaluates by itself is a closure, also inside others")
    func evaluatingSubclasses() {
        let opposite = Opposite(type: .and, subpredicates: [one])
        let inside = NSCompoundPredicate(andPredicateWithSubpredicates: [opposite, two])
        #expect(inside.evaluate(with: ["a": 2, "b": 2]) && !inside.evaluate(with: ["a": 1, "b": 2]))
        expectEqual(printed(inside), "BLOCKPREDICATE(<closure>) AND b == 2")
        #expect(opposite.evaluate(with: ["a": 2]))
    }

    @Test("Compounds short-circuit, and pass variables and objects to their parts")
    func evaluation() {
        var calls: [String] = []
        func part(_ name: String, _ answer: Bool) -> NSPredicate {
            NSPredicate { object, variables in
                calls.append("\(name) \(object ?? 0) \(variables?["x"] ?? 0)")
                return answer
            }
        }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [part("a", false), part("b", true)])
        #expect(!both.evaluate(with: 5, substitutionVariables: ["x": 7]))
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [both, part("c", true), part("d", true)])
        #expect(either.evaluate(with: 6))
        #expect(NSCompoundPredicate(notPredicateWithSubpredicate: both).evaluate(with: 7))
        expectEqual(calls, ["a 5 7", "a 6 0", "c 6 0", "a 7 0"])
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: []).evaluate(with: 1))
        #expect(!NSCompoundPredicate(orPredicateWithSubpredicates: []).evaluate(with: 1))
    }
}

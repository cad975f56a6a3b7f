// Tests very deeply nested predicates, as code builds them by adding one condition after another.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Deep predicates")
struct DeepPredicateTests {
    private static func repeated(_ open: String, _ middle: String, _ close: String, _ levels: Int) -> String {
        String(repeating: open, count: levels) + middle + String(repeating: close, count: levels)
    }

    @Test(
        "Formats with 20,000 nested parentheses or NOTs are parsed, printed, compared, evaluated and copied",
        arguments: [
            ("(", "a == 1", ")"), ("NOT ", "a == 1", ""), ("!(", "a == 1", ")"), ("(", "a == 1", " AND b == 2)"),
            ("b == 3 OR (", "a == 1", ")"), ("((", "a", "))"), ("NOT NOT (b == 2 AND ", "a == 1", ")"),
        ]
    )
    func formats(open: String, middle: String, close: String) throws {
        let end = middle == "a" ? " == 1" : ""
        let predicate = try NSPredicate(validating: Self.repeated(open, middle, close, 20_000) + end)
        #expect(predicate.evaluate(with: ["a": 1, "b": 2]))
        #expect(!predicate.evaluate(with: ["a": 2, "b": 4]))
        let again = try NSPredicate(validating: predicate.printedFormat)
        expectEqual(again, predicate)
        expectEqual(again.hash, predicate.hash)
        expectEqual(predicate.withSubstitutionVariables(["x": 1]), predicate)
    }

    @Test("Nested parentheses of one kind are flattened, in the order of the format")
    func order() throws {
        let levels = 300
        let left = (1...levels).reduce("a == 0") { "(\($0)) AND a == \($1)" }
        let right = (0..<levels).reversed().reduce("a == \(levels)") { "a == \($1) AND (\($0))" }
        let flat = (0...levels).map { "a == \($0)" }.joined(separator: " AND ")
        try expectEqual(printed(left), flat)
        try expectEqual(printed(right), flat)
        // Few levels are not flattened.
        try expectEqual(printed("(a == 1 AND b == 2) AND c == 3"), "(a == 1 AND b == 2) AND c == 3")
    }

    @Test("More than a thousand levels of alternating ANDs and ORs are an error that says so")
    func alternating() throws {
        #expect(throws: PredicateFormatError.self) {
            try NSPredicate(validating: Self.repeated("a == 1 AND (b == 2 OR (", "c == 3", "))", 5_000))
        }
        let accepted = try NSPredicate(validating: Self.repeated("a == 1 AND (b == 3 OR (", "c == 3", "))", 400))
        #expect(accepted.evaluate(with: ["a": 1, "b": 2, "c": 3]))
        try expectEqual(NSPredicate(validating: accepted.printedFormat), accepted)
    }

    private static func compound(_ levels: Int, _ wrap: (NSPredicate, Int) -> NSPredicate) -> NSPredicate {
        var predicate = NSPredicate(format: "a == 1")
        for level in 0..<levels { predicate = wrap(predicate, level) }
        return predicate
    }

    // A recursion this deep overflows the stack of a thread; Foundation's own does when it releases about 40,000 levels.
    private static let levels = 5_000

    @Test("Compounds of one kind, nested 5,000 deep in code, are printed, compared, judged and archived")
    func compounds() throws {
        let other = NSPredicate(format: "b == 2")
        let predicates = [
            Self.compound(Self.levels) { part, _ in NSCompoundPredicate(andPredicateWithSubpredicates: [part, other]) },
            Self.compound(Self.levels) { part, _ in NSCompoundPredicate(andPredicateWithSubpredicates: [other, part]) },
            Self.compound(Self.levels) { part, _ in NSCompoundPredicate(orPredicateWithSubpredicates: [part]) },
            Self.compound(Self.levels) { part, _ in NSCompoundPredicate(notPredicateWithSubpredicate: part) },
        ]
        for predicate in predicates {
            #expect(predicate.evaluate(with: ["a": 1, "b": 2]))
            #expect(!predicate.evaluate(with: ["a": 2, "b": 2]))
            #expect(try Evaluator(predicate.node).evaluate(["a": 1, "b": 2]))
            let again = try NSPredicate(validating: predicate.printedFormat)
            expectEqual(again, predicate)
            expectEqual(predicate, again)
            let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: false)
            #expect(!data.isEmpty)
        }
    }

    @Test(
        "Compounds of alternating kinds, nested 5,000 deep, are judged in memory, and say why nothing else can be done"
    )
    func alternatingCompounds() throws {
        let predicate = Self.compound(Self.levels) { part, level in
            level.isMultiple(of: 2)
                ? NSCompoundPredicate(andPredicateWithSubpredicates: [part, NSPredicate(format: "b == 2")])
                : NSCompoundPredicate(orPredicateWithSubpredicates: [part, NSPredicate(format: "c == 3")])
        }
        #expect(predicate.evaluate(with: ["a": 1, "b": 2, "c": 0]))
        #expect(!predicate.evaluate(with: ["a": 2, "b": 2, "c": 0]))
        guard case .block(let block) = predicate.node else { throw CocoaError(.coderInvalidValue) }
        expectEqual(block.refusal?.description.contains("1000 levels"), true)
        #expect(throws: (any Error).self) {
            try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: false)
        }
    }

    @Test("The deepest accepted trees can be archived and decoded")
    func archives() throws {
        let format = Self.repeated("a == 1 AND (b == 2 OR (", "c == 3", "))", 150)
        let predicate = try NSPredicate(validating: format)
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data))
        expectEqual(read, predicate)
    }
}

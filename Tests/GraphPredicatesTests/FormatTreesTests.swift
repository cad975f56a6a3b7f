// Tests that a cached format gives the same predicates as one parsed for the first time, whatever its arguments.
import ExpectationSupport
import Foundation
import Testing

@testable import GraphPredicates

struct FormatTreesTests {
    /// A format with the same meaning that is probably not cached.
    private func fresh(_ format: String) -> String {
        String(repeating: " ", count: Int.random(in: 1...100_000) % 400) + format
    }

    private func tree(_ format: String, _ arguments: [Any?]) throws -> String {
        PredicatePrinter.print(try PredicateParser.parse(format: format, arguments: arguments))
    }

    @Test func argumentsTakeTheirPlacesEachTime() throws {
        for (format, lists) in [
            (
                "name == %@ AND age > %d",
                [["a", 1], ["b", 2], [nil, 3], [Date(timeIntervalSinceReferenceDate: 0), 4]]
            ),
            ("%K == %@", [["a", 1], ["b.c", 2], ["a", [1, 2]]]),
            ("ratio < %f OR ratio == %@", [[1, 1], [2.5, "x"]]),
            ("%2$@ == name AND %1$d == age", [[1, "a"], [2, "b"]]),
            ("SUBQUERY(pets, $p, $p.name == %@ AND $p.age > %d).@count > 0", [["a", 1], ["b", 2]]),
            ("age IN %@ AND NOT (name IN {%@, %@})", [[[1, 2], "a", "b"], [Set([3]), "c", nil]]),
            (
                "%@ == name",
                [[NSExpression(forKeyPath: "other")], ["a"], [[NSExpression(forKeyPath: "x"), "y"] as [Any]]]
            ),
        ] as [(String, [[Any?]])] {
            for arguments in lists + lists {
                try expectEqual(tree(format, arguments), tree(fresh(format), arguments), "\(format) \(arguments)")
            }
        }
    }

    @Test func castsAndKeysOfArgumentsAreFoldedEachTime() throws {
        let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        for (format, lists) in [
            ("token == CAST(%@, 'NSUUID')", [[id], ["none"], [UUID()]]),
            ("born > CAST(%f, 'NSDate')", [[1], [2.5]]),
            ("price IN {CAST(%@, 'NSDecimalNumber'), CAST(%@, 'NSURL')}", [["1.5", "a:b"], [2, 3]]),
            ("FUNCTION(owner, 'valueForKey:', %@).name == 1", [["pet"], ["first.pet"], [5], [nil]]),
            ("FUNCTION(owner, 'valueForKeyPath:', %@).name == 1", [["pet"], ["first.pet"]]),
        ] as [(String, [[Any?]])] {
            for arguments in lists + lists {
                let node = try PredicateParser.parse(format: format, arguments: arguments)
                let other = try PredicateParser.parse(format: fresh(format), arguments: arguments)
                #expect(node == other, "\(format) \(arguments)")
            }
        }
    }

    @Test func substitutedCastsAreConstants() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let parsed = NSPredicate(format: "born > CAST($start, 'NSDate')").withSubstitutionVariables(["start": 5])
        expectEqual(parsed, NSPredicate(format: "born > %@", argumentArray: [date]))
        let call = NSExpression(forFunction: "castObject:toType:", arguments: [5, "NSDate"])
        expectEqual(call, NSExpression(forConstantValue: date))
    }

    @Test func aPredicateAmongTheArgumentsIsPartOfTheTree() throws {
        let format = "%@ AND age > %d"
        for text in ["a == 1", "b == 2", "a == 1"] {
            let part = NSPredicate(format: text)
            try expectEqual(tree(format, [part, 7]), "\(text) AND age > 7")
        }
        try expectEqual(tree("%@", [true]), "TRUEPREDICATE")
        try expectEqual(tree("%@", [false]), "FALSEPREDICATE")
    }

    @Test func missingArgumentsAndWrongKeysAreRefusedAsEver() throws {
        let format = "first == %@ AND second == %@"
        _ = try tree(format, [1, 2])
        #expect(throws: PredicateFormatError.self) { try tree(format, [1]) }
        _ = try tree("%K > 1", ["a"])
        #expect(throws: PredicateFormatError.self) { try tree("%K > 1", ["a..b"]) }
        #expect(throws: PredicateFormatError.self) { try tree("%K > 1", [5]) }
        try expectEqual(tree("%K > 1", ["c"]), "c > 1")
    }

    @Test func equivalentTextsAreNotTheSameFormat() throws {
        // É as one character, and as a letter with a combining mark.
        for text in ["\u{C9}", "E\u{301}", "\u{C9}", "E\u{301}"] {
            let predicate = try #require(
                NSPredicate(format: "name == '\(text)'") as? NSComparisonPredicate
            )
            let constant = try #require(predicate.rightExpression.constantValue as? String)
            #expect(constant.utf8.elementsEqual(text.utf8))
            // A regular expression distinguishes canonically equivalent characters.
            for subject in ["\u{C9}", "E\u{301}"] {
                let matches = NSPredicate(format: "%@ MATCHES %@", subject, text).evaluate(with: nil)
                expectEqual(matches, subject.utf8.elementsEqual(text.utf8))
            }
        }
    }

    @Test func manyFormatsAreForgotten() throws {
        for number in 0..<2_000 { _ = try tree("age == \(number) AND name == %@", ["a"]) }
        #expect(FormatTrees.shared.count <= 256)
    }
}

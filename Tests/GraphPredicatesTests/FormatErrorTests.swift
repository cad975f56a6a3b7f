// Tests invalid formats: the error gives the position and the expected token, and long or deep formats do not crash.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Format errors")
struct FormatErrorTests {
    static let wrong: [(format: String, position: Int, expected: String)] = [
        ("", 0, "an expression"),
        ("a", 1, "an operator"),
        ("a ==", 4, "an expression"),
        ("a == 1 AND", 10, "an expression"),
        ("a == 1 b == 2", 7, "AND, OR or the end"),
        ("(a == 1", 7, "\")\""),
        ("a == 1)", 6, "AND, OR or the end"),
        ("a == {1, 2", 10, "\"}\""),
        ("a == 'x", 5, "a closing quotation mark"),
        ("a === 1", 4, "an expression"),
        ("a == [x]", 6, "options"),
        ("a ==[x] 1", 5, "options"),
        ("a ==[c 1", 7, "\"]\""),
        ("a AND b == 1", 2, "an operator"),
        ("like == 1", 0, "#like"),
        ("a == 07_15", 7, "a space or an operator"),
        ("a == 0xZZ", 5, "digits"),
        ("a == “x”", 5, "a straight quotation mark"),
        ("größe == “x”", 9, "a straight quotation mark"),
        ("a == #“x", 6, "a straight quotation mark"),
        ("a.@ma\u{E000}x == 1", 5, "an operator, a key or a value"),
        ("a == ?", 5, "an operator, a key or a value"),
        ("a == $", 5, "a variable's name"),
        ("a == %", 5, "%@, %K"),
        ("a == %q", 5, "%@, %K"),
        ("a == %@", 5, "one argument for each %"),
        ("a %% 2 == 1", 2, "modulus:by:"),
        ("a. == 1", 3, "a key after the dot"),
        ("a[1 == 2", 4, "\"]\""),
        ("foo(a) == 1", 0, "a function such as"),
        ("uppercase:(a, b) == 1", 0, ""),
        ("SUBQUERY(a, x, b == 1).@count == 1", 12, "a variable"),
        ("SUBQUERY(a, $x, b).@count == 1", 17, "an operator"),
        ("FUNCTION(a, b) == 1", 12, "a method's name"),
        ("FETCH($a, $b, 'x') == 1", 14, "YES to count"),
        ("(a == 1) + 2 == 3", 0, "an expression"),
        ("1 + (a == 1) == 3", 4, "an expression"),
        ("1 < 2 < 3", 6, "AND, OR or the end"),
        ("ANY a", 5, "an operator"),
        ("NOT a", 5, "an operator"),
        ("a == 1\nAND b = = 2", 15, "an expression"),
    ]

    @Test("The error gives the position and the expected token", arguments: wrong)
    func position(format: String, position: Int, expected: String) throws {
        let error = try #require(throws: PredicateFormatError.self) {
            try PredicateParser.parse(format: format, arguments: [])
        }
        expectEqual(error.position, position, "\(error)")
        #expect(expected.isEmpty || error.expected.contains(expected), "\(error)")
        expectEqual(error.format, format)
    }

    @Test("The description marks the position under the line of the format")
    func caret() throws {
        let error = try #require(throws: PredicateFormatError.self) {
            try PredicateParser.parse(format: "größe == 1\nAND b = = 2", arguments: [])
        }
        let lines = error.description.split(separator: "\n").map(String.init)
        try #require(lines.count == 3)
        #expect(lines[0].contains("at character 19"))
        expectEqual(lines[1], "    AND b = = 2")
        expectEqual(lines[2], "            ^")
    }

    @Test("A key path argument must be a string of keys", arguments: [3, nil, "", "a..b", ".a"] as [(any Sendable)?])
    func keyPathArgument(argument: (any Sendable)?) {
        #expect(throws: PredicateFormatError.self) {
            try PredicateParser.parse(format: "%K == 1", arguments: [argument])
        }
    }

    @Test(
        "Too deep a nesting is an error, not a crash",
        arguments: [
            ("-(", "1", ")"), ("ANY (", "a == 1", ")"), ("1 == (", "1", ")"), ("-", "1 == 1", ""), ("{", "", "}"),
            ("a[", "1", "]"), ("abs:(", "1", ")"), ("TERNARY(a == ", "1", ", 1, 2)"), ("2 ** ", "1", ""),
            ("SUBQUERY(", "a", ", $x, $x == 1)"), ("~", "1", ""), ("$x := ", "1", ""), ("FUNCTION(", "a", ", 'b')"),
        ]
    )
    func nesting(open: String, middle: String, close: String) {
        let levels = 20_000
        let format = String(repeating: open, count: levels) + middle + String(repeating: close, count: levels)
        #expect(throws: PredicateFormatError.self) { try PredicateParser.parse(format: format, arguments: []) }
    }

    @Test("Too high a tree is an error, not a crash", arguments: [" + a", " - 1", "[1]", ".$x", " UNION b"])
    func height(part: String) {
        let chain = "a" + String(repeating: part, count: 20_000)
        #expect(throws: PredicateFormatError.self) { try PredicateParser.parse(format: chain + " == 1", arguments: []) }
    }

    @Test("Width is not limited: thousands of alternatives, list elements and keys are parsed, printed and evaluated")
    func width() throws {
        let count = 20_000
        let alternatives = (0..<count).map { "a == \($0)" }.joined(separator: " OR ")
        let node = try PredicateParser.parse(format: alternatives, arguments: [])
        try expectEqual(PredicateParser.parse(format: PredicatePrinter.print(node), arguments: []), node)
        #expect(try Evaluator(node).evaluate(["a": count - 1]))
        let list = "a IN {" + (0..<count).map(String.init).joined(separator: ",") + "}"
        #expect(try holds(list, on: ["a": count - 1]))
        #expect(try !holds(list, on: ["a": count]))
    }

    @Test("A text from outside of the program is refused if it is too long, with the remedy")
    func longInput() throws {
        let allowed = "a == 1 OR b == '" + String(repeating: "x", count: PredicateParser.inputLimit - 20) + "'"
        _ = try NSPredicate(validating: allowed)
        for input in [String(repeating: "a == 1 OR ", count: 1_000_000) + "a == 2", allowed + "     "] {
            let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(validating: input) }
            expectEqual(error?.message.contains("IN %@"), true)
            #expect(throws: PredicateFormatError.self) { try NSExpression(validating: input) }
        }
    }

    @Test("The deepest allowed formats can be printed, compared and evaluated")
    func deepest() throws {
        let chain = String(repeating: "1 + ", count: 990) + "1 == 991"
        let node = try PredicateParser.parse(format: chain, arguments: [])
        #expect(try Evaluator(node).evaluate(nil))
        try expectEqual(PredicateParser.parse(format: PredicatePrinter.print(node), arguments: []), node)
        let nested = String(repeating: "NOT (", count: 70) + "1 == 1" + String(repeating: ")", count: 70)
        #expect(try holds(nested))
    }
    @Test(
        "Printed forms of accepted formats are accepted, though printing adds parentheses and calls",
        arguments: [
            ("-", "a", "", " == 1"), ("NOT ", "a == 1", "", ""),
            ("TERNARY(a == 1 OR NONE b == 1 AND NOT 1 == ", "1", ", 1, 2)", " == 1"),
            ("b - ", "a", "", " == 1"), ("#1st.", "#1st", "", " == 1"), ("{-", "1", "}", " == 1"),
        ]
    )
    func printedDepth(open: String, middle: String, close: String, end: String) throws {
        var accepted = 0
        for levels in 1...160 {
            let format = String(repeating: open, count: levels) + middle + String(repeating: close, count: levels) + end
            guard let node = try? PredicateParser.parse(format: format, arguments: []) else { continue }
            accepted += 1
            let again = try PredicateParser.parse(format: PredicatePrinter.print(node), arguments: [])
            expectEqual(again, node, "\(levels) levels")
        }
        #expect(accepted > 10)
    }

    @Test("A message about a long format shows only the text near the error")
    func longFormats() throws {
        let part = String(repeating: "é == 1 AND ", count: 1_000)
        let error = try #require(throws: PredicateFormatError.self) {
            try PredicateParser.parse(format: "\(part)\n\(part) ? \(part)", arguments: [])
        }
        let lines = error.description.split(separator: "\n")
        try #require(lines.count == 3 && lines[1].count < 220)
        #expect(lines[1].hasPrefix("    …") && lines[1].hasSuffix("…"))
        let column = lines[2].count - 1
        expectEqual(lines[1].dropFirst(column).first, "?")
    }
}

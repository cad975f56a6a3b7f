// Tests the grammar, production by production: the printed form of each, and the precedence of operators.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Grammar")
struct GrammarTests {
    /// Formats of each production, with their printed forms.
    private static let productions: [(String, String)] = [
        // Comparison operators and their spellings.
        ("a = 1", "a == 1"), ("a == 1", "a == 1"), ("a != 1", "a != 1"), ("a <> 1", "a != 1"),
        ("a < 1", "a < 1"), ("a <= 1", "a <= 1"), ("a =< 1", "a <= 1"), ("a > 1", "a > 1"),
        ("a >= 1", "a >= 1"), ("a => 1", "a >= 1"),
        ("a between {1, 2}", "a BETWEEN {1, 2}"), ("a in {1}", "a IN {1}"), ("a in {}", "a IN {}"),
        ("a contains 'x'", "a CONTAINS \"x\""), ("a beginswith 'x'", "a BEGINSWITH \"x\""),
        ("a endsWith 'x'", "a ENDSWITH \"x\""), ("a like 'x*'", "a LIKE \"x*\""),
        ("a matches 'x.'", "a MATCHES \"x.\""), ("a UTI-EQUALS 'b'", "a UTI-EQUALS \"b\""),
        ("a uti-conforms-to 'b'", "a UTI-CONFORMS-TO \"b\""),
        // Options.
        ("a ==[c] 'x'", "a ==[c] \"x\""), ("a ==[DC] 'x'", "a ==[cd] \"x\""), ("a == [n] 'x'", "a ==[n] \"x\""),
        ("a <[l] 'x'", "a <[l] \"x\""), ("a CONTAINS[cdl] 'x'", "a CONTAINS[cdl] \"x\""),
        // Qualifiers.
        ("any a == 1", "ANY a == 1"), ("some a == 1", "ANY a == 1"), ("all a == 1", "ALL a == 1"),
        ("none a == 1", "NOT ANY a == 1"),
        // Compounds.
        ("a == 1 && b == 2", "a == 1 AND b == 2"), ("a == 1 || b == 2", "a == 1 OR b == 2"),
        ("!a == 1", "NOT a == 1"), ("not (a == 1)", "NOT a == 1"),
        ("a == 1 and b == 2 and c == 3", "a == 1 AND b == 2 AND c == 3"),
        ("(a == 1 and b == 2) and c == 3", "(a == 1 AND b == 2) AND c == 3"),
        ("a == 1 or b == 2 and c == 3", "a == 1 OR (b == 2 AND c == 3)"),
        ("text == 'x' and (a == 1 or b == 2)", "text == \"x\" AND (a == 1 OR b == 2)"),
        ("not a == 1 and b == 2", "(NOT a == 1) AND b == 2"),
        ("not not a == 1", "NOT (NOT a == 1)"),
        ("truepredicate", "TRUEPREDICATE"), ("FALSEPREDICATE", "FALSEPREDICATE"), ("YES", "TRUEPREDICATE"),
        ("((((a == 1))))", "a == 1"),
        // Literals.
        ("a == NULL", "a == nil"), ("a == nil", "a == nil"), ("a == YES", "a == 1"), ("a == no", "a == 0"),
        ("a == 0x1F", "a == 31"), ("a == 0o17", "a == 15"), ("a == 0b101", "a == 5"),
        ("a == 1.5e3", "a == 1500"), ("a == .5", "a == 0.5"), ("a == -5", "a == -5"), ("a == - 5", "a == -5"),
        ("a == 1.25", "a == 1.25"), ("a == 5.0", "a == 5"), ("a == 1e-3", "a == 0.001"),
        ("a == 'it\\'s'", "a == \"it's\""), ("a == \"say \\\"x\\\"\"", "a == \"say \\\"x\\\"\""),
        ("a == 'x\\ny'", "a == \"x\\ny\""), ("a == '\\u00e9'", "a == \"é\""), ("a == '\\d'", "a == \"\\\\d\""),
        ("a == '\\u+041'", "a == \"\\\\u+041\""),
        ("a == {1, 'b', c}", "a == {1, \"b\", c}"),
        // Key paths.
        ("SELF == 1", "SELF == 1"), ("self.a.b == 1", "a.b == 1"), ("a.b.c == 1", "a.b.c == 1"),
        ("a.@count == 3", "a.@count == 3"), ("a.@sum.b == 3", "a.@sum.b == 3"), ("@sum.b == 3", "@sum.b == 3"),
        ("#in == 1", "#in == 1"), ("a.in == 1", "a.#in == 1"), ("size == 2", "#size == 2"),
        ("größe.名 == 1", "größe.名 == 1"),
        ("$x == 1", "$x == 1"), ("$x.a.b == 1", "$x.a.b == 1"), ("a.$x == 1", "a.$x == 1"),
        ("a[1] == 1", "a[1] == 1"), ("a[first].b == 1", "a[FIRST].b == 1"), ("a[LAST] == 1", "a[LAST] == 1"),
        ("a[size] == 1", "a[SIZE] == 1"), ("a[b + 1] == 1", "a[b + 1] == 1"), ("a[1][2] == 1", "a[1][2] == 1"),
        // Call-like forms.
        ("sum(a) == 1", "sum:(a) == 1"), ("now() > a", "now() > a"),
        ("canonical:(a) == 'x'", "canonical:(a) == \"x\""),
        ("modulus:by:(a, 2) == 0", "modulus:by:(a, 2) == 0"), ("add(a, 2) == 0", "a + 2 == 0"),
        ("sum:(1, 2) == 3", "sum:(1, 2) == 3"),
        ("FUNCTION(a, 'b:c:', 1, 2) == 3", "FUNCTION(a, \"b:c:\" , 1, 2) == 3"),
        ("FUNCTION(a, 'valueForKey:', 'b') == 3", "a.b == 3"),
        ("CAST(5, 'NSDate') == a", "CAST(5.000000, \"NSDate\") == a"),
        ("CAST(a, 'NSNumber') == 1", "CAST(a, \"NSNumber\") == 1"),
        ("SUBQUERY(a, $x, $x.b == 1).@count == 1", "SUBQUERY(a, $x, $x.b == 1).@count == 1"),
        ("SUBQUERY(a, $x, $x > 1 OR $x < b)[SIZE] = 1", "SUBQUERY(a, $x, $x > 1 OR $x < b)[SIZE] == 1"),
        ("TERNARY(a == 1, 'x', 'y') == 'x'", "TERNARY(a == 1, \"x\", \"y\") == \"x\""),
        ("FETCH($r, $c, YES) == 1", "FETCH($r, $c, YES) == 1"), ("ANYKEY == 'x'", "ANYKEY == \"x\""),
        ("$x := a + 1 == 2", "$x := a + 1 == 2"),
        // Sets.
        ("a UNION {'b'} = {'a'}", "a UNION {\"b\"} == {\"a\"}"),
        ("a intersect b minus c == d", "a INTERSECT b MINUS c == d"),
        ("a intersect (b minus c) == d", "a INTERSECT (b MINUS c) == d"),
    ]

    @Test("Every production is parsed and printed in Apple's spelling", arguments: productions)
    func production(format: String, wanted: String) throws {
        try expectEqual(printed(format), wanted)
        let node = try PredicateParser.parse(format: format, arguments: [])
        try expectEqual(PredicateParser.parse(format: wanted, arguments: []), node)
    }

    @Test(
        "Operators bind in the documented order",
        arguments: [
            ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("2 ** 3 ** 2", 512), ("-2 ** 2", 4), ("10 - 3 - 2", 5),
            ("100 / 10 / 5", 2), ("2 * 3 ** 2", 18), ("1 << 2 + 1", 8), ("7 & 3 << 1", 6), ("1 | 2 ^ 3 & 1", 3),
            ("6 ^ 2 | 1", 5), ("~0 & 5", 5), ("- - 3", 3), ("+ 3", 3), ("-(3 + 1)", -4), ("2 + -3", -1), ("7 / 2", 3),
            ("2 * -3", -6), ("16 >> 2 - 1", 8),
        ]
    )
    func precedence(format: String, wanted: Int) throws {
        #expect(try value(format).isEqual(to: .integer(Int64(wanted))), "\(format)")
    }

    @Test("Arguments replace their specifiers")
    func arguments() throws {
        let date = Date(timeIntervalSinceReferenceDate: 479_299_200)
        try expectEqual(printed("%K == %@", ["a.b", "x"]), "a.b == \"x\"")
        try expectEqual(printed("%K.%K > %d", ["a", "b.c", 3]), "a.b.c > 3")
        try expectEqual(printed("$x.%K == %@", ["a", nil]), "$x.a == nil")
        try expectEqual(printed("a == '%@' AND b == \"%K $x\"", []), "a == \"%@\" AND b == \"%K $x\"")
        try expectEqual(printed("a IN %@", [["x", "y"]]), "a IN {\"x\", \"y\"}")
        try expectEqual(printed("a IN %@", [Set(["y", "x"])]), "a IN {\"x\", \"y\"}")
        try expectEqual(printed("a > %@", [date]), "a > CAST(479299200.000000, \"NSDate\")")
        try expectEqual(printed("a == %@", [NSNull()]), "a == nil")
        try expectEqual(printed("a == %@", [NSNumber(value: 2.5)]), "a == 2.5")
        try expectEqual(printed("a == %@", [true]), "a == 1")
        try expectEqual(printed("a == %f", [2]), "a == 2")
        let numbers: [Any?] = [1, 2, 3, 4, 5, 6, 7, 8, 9, UInt64.max]
        let wanted = "a IN {1, 2, 3, 4, 5, 6, 7, 8, 9, CAST(\"18446744073709551615\", \"NSDecimalNumber\")}"
        try expectEqual(printed("a IN {%d, %i, %u, %x, %c, %ld, %lld, %lu, %hhd, %llu}", numbers), wanted)
        try expectEqual(printed("a == %lud AND b == %hdd", [1, true]), "a == 1 AND b == 1")
        try expectEqual(printed("a == %dOR b == %di", [1, 2]), "a == 1 OR b == 2")
        try expectEqual(printed("%2$K == %1$@ AND %K == 1", ["x", "a"].reversed()), "x == \"a\" AND a == 1")
        try expectEqual(printed("%K == 1", ["SELF"]), "SELF == 1")
        try expectEqual(printed("%K == 1", ["self.name"]), "name == 1")
        // As on Apple's platforms, so that a text around it has the variable.
        let path = NSExpression(forKeyPath: "$tag.name")
        expectEqual(path.description, "$tag.name")
        expectEqual(
            "\(NSPredicate(format: "SUBQUERY(tags, $tag, \(path) == 1).@count > 0"))",
            "SUBQUERY(tags, $tag, $tag.name == 1).@count > 0"
        )
        try expectEqual(printed("%K == 1", ["first name"]), "FUNCTION(SELF, \"valueForKey:\" , \"first name\") == 1")
    }

    @Test("A compound of one predicate has parentheses inside another, and none alone")
    func compoundsOfOne() {
        let one = NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "a == 1")])
        let two = NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(format: "b == 2")])
        expectEqual("\(one)", "a == 1")
        expectEqual("\(NSCompoundPredicate(andPredicateWithSubpredicates: [one, two]))", "(a == 1) AND (b == 2)")
        expectEqual("\(NSCompoundPredicate(notPredicateWithSubpredicate: one))", "NOT (a == 1)")
    }

    @Test(
        "Keys that the language cannot spell survive printing",
        arguments: ["first name", "a-b", "“x”", "1st", "self", "a.b", ""]
    )
    func oddKeys(key: String) throws {
        let node = PredicateNode.comparison(
            ComparisonNode(left: .keyPath([key, "x"]), right: .constant(1), op: .equal)
        )
        try expectEqual(PredicateParser.parse(format: PredicatePrinter.print(node), arguments: []), node)
    }

    @Test("Values without a literal are printed as casts that can be parsed")
    func casts() throws {
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let values: [Any] = [
            uuid, Data([1, 2, 255]), try #require(URL(string: "https://example.org/a?b=c")),
            try #require(Decimal(string: "1234567890.123456789")), Date(timeIntervalSinceReferenceDate: 1.0 / 3),
            Double.infinity, -Double.infinity, Double.greatestFiniteMagnitude, Double.leastNonzeroMagnitude, 0.1 + 0.2,
            Int.min, Int.max,
        ]
        for value in values {
            let node = try PredicateParser.parse(format: "a == %@", arguments: [value])
            let text = PredicatePrinter.print(node)
            try expectEqual(PredicateParser.parse(format: text, arguments: []), node, "\(text)")
        }
        try expectEqual(printed("a == %@", [uuid]), "a == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")")
    }
}

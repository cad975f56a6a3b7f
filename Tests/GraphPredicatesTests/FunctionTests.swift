// Tests the functions of NSExpression: their documented values, and their handling of nil and misuse.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Functions")
struct FunctionTests {
    static var object: [String: Any] {
        ["n": [4, 1, 3, 1], "e": [Int](), "t": "Café", "void": NSNull(), "r": [1.5, 2.5]]
    }

    /// Expressions with the printed forms of their values.
    private static let results: [(String, String)] = [
        ("sum(n)", "9"), ("average(n)", "2.25"), ("count(n)", "4"), ("min(n)", "1"), ("max(n)", "4"),
        ("median(n)", "2"), ("mode(n)", "{1}"), ("stddev(r)", "0.5"), ("sum(r)", "4"), ("sum({1, 2.5})", "3.5"),
        ("sum(e)", "0"), ("average(e)", "0"), ("max(e)", "nil"), ("median(e)", "nil"), ("count(void)", "0"),
        ("min(1, 2, 3)", "1"), ("average:(1, 2)", "1.5"), ("max({'a', 'c', 'b'})", "\"c\""),
        ("add:to:(1, 2)", "3"), ("from:subtract:(5, 2)", "3"), ("multiply:by:(3, 4)", "12"),
        ("divide:by:(7, 2)", "3"), ("7.0 / 2", "3.5"), ("divide:by:(7, 0)", "nil"), ("7.0 / 0", "nil"),
        ("modulus:by:(7, 3)", "1"), ("modulus:by:(-7, 3)", "-1"), ("raise:toPower:(2, 10)", "1024"),
        ("2 ** -1", "0.5"), ("9223372036854775807 + 1", "9.223372036854776e+18"),
        ("CAST('0.1', 'NSDecimalNumber') + CAST('0.2', 'NSDecimalNumber')", "CAST(\"0.3\", \"NSDecimalNumber\")"),
        ("(-8) ** 0.5", "nil"), ("(-8) ** 3", "-512"), ("exp(1000) - exp(1000)", "nil"), ("exp(1000) * 0", "nil"),
        ("average({exp(1000), -1 * exp(1000)})", "nil"), ("sum({exp(1000), 1})", "CAST(\"inf\", \"NSNumber\")"),
        ("sqrt(16)", "4"), ("sqrt(-1)", "nil"), ("log(1000)", "3"), ("ln(exp(2))", "2"), ("floor(1.7)", "1"),
        ("floor(-1.2)", "-2"), ("ceiling(1.2)", "2"), ("abs(-3)", "3"), ("abs(-2.5)", "2.5"), ("trunc(-1.7)", "-1"),
        ("bitwiseAnd:with:(6, 3)", "2"), ("bitwiseOr:with:(6, 3)", "7"), ("bitwiseXor:with:(6, 3)", "5"),
        ("leftshift:by:(1, 4)", "16"), ("rightshift:by:(16, 2)", "4"), ("onesComplement:(0)", "-1"),
        ("uppercase(t)", "\"CAFÉ\""), ("lowercase(t)", "\"café\""), ("canonical(t)", "\"cafe\""),
        ("length(t)", "4"), ("tokenize:using:('a,b;c', ',;')", "{\"a\", \"b\", \"c\"}"),
        ("CAST('12', 'NSNumber')", "12"), ("CAST(12, 'NSString')", "\"12\""), ("CAST(n, 'NSDate')", "nil"),
        ("CAST(CAST(5, 'NSDate'), 'NSNumber')", "5"), ("noindex:(t)", "\"Café\""), ("distinct:(n)", "{4, 1, 3}"),
        ("objectFrom:withIndex:(n, 2)", "3"), ("uppercase(void)", "nil"),
        ("1 + void", "nil"), ("abs(void)", "nil"), ("uppercase({'a', 'b'})", "{\"A\", \"B\"}"),
        ("FUNCTION(t, 'substringFromIndex:', 2)", "\"fé\""), ("FUNCTION(t, 'substringToIndex:', 9)", "nil"),
        ("FUNCTION(t, 'stringByAppendingString:', 's')", "\"Cafés\""), ("FUNCTION(n, 'count')", "4"),
        ("FUNCTION(void, 'anything:', 1)", "nil"), ("FUNCTION(2, 'sqrt')", "1.4142135623730951"),
        ("FUNCTION(2, 'isEqualToNumber:', 2)", "1"), ("FUNCTION(1, 'compare:', 2)", "-1"),
        ("FUNCTION({'a', 'b'}, 'componentsJoinedByString:', '+')", "\"a+b\""),
    ]

    @Test("Functions have their documented values", arguments: results)
    func values(format: String, wanted: String) throws {
        let result = try value(format, of: Self.object)
        expectEqual(PredicatePrinter.print(.constant(result.anyValue)), wanted)
    }

    @Test(
        "Texts that Foundation's methods stop the program for have values",
        arguments: [
            ("FUNCTION('😀a', 'substringFromIndex:', 1)", "\"\u{FFFD}a\""),
            ("FUNCTION('😀a', 'substringToIndex:', 1)", "\"\u{FFFD}\""),
            ("FUNCTION('😀a', 'substringFromIndex:', 2)", "\"a\""), ("FUNCTION('😀a', 'substringToIndex:', 3)", "\"😀a\""),
            ("t.integerValue", "0"), ("t.doubleValue", "0"), ("five.integerValue", "5"), ("five.doubleValue", "5.25"),
            ("huge.integerValue", "-9223372036854775808"), ("huge.doubleValue", "-1e+20"), ("void.integerValue", "nil"),
            ("t.stringByDeletingLastPathComponent", "\"\""), ("letter.stringByDeletingLastPathComponent", "\"\""),
            ("odd.pathExtension", "\"\""), ("odd.lastPathComponent", "\"٣\""),
            ("odd.stringByDeletingPathExtension", "\"é;/٣\""), ("file.pathExtension", "\"tiff\""),
            ("file.stringByDeletingPathExtension", "\"/a/.b.\""), ("file.lastPathComponent", "\".b..tiff\""),
            ("hidden.pathExtension", "\"\""), ("hidden.stringByDeletingPathExtension", "\".b\""),
            ("root.lastPathComponent", "\"/\""), ("root.stringByDeletingLastPathComponent", "\"/\""),
            ("path.stringByDeletingLastPathComponent", "\"/a\""),
            ("CAST(CAST('nan', 'NSDate'), 'NSString')", "\"nan\""), ("CAST('nan', 'NSDate').description", "\"nan\""),
        ]
    )
    func unusualTexts(format: String, wanted: String) throws {
        let object: [String: Any] = [
            "t": "😀", "five": " 5.25😀", "huge": "-100000000000000000000", "letter": "y", "path": "/a/😀/", "root": "/",
            "odd": "é;//٣//", "file": "/a/.b..tiff", "hidden": ".b",
        ]
        let result = try value(format, of: object)
        expectEqual(PredicatePrinter.print(.constant(result.anyValue)), wanted)
    }

    @Test("now, random and distances")
    func others() throws {
        let before = Date()
        guard case .date(let now) = try value("now()") else { return #expect(Bool(false), "now() is a date") }
        #expect(now >= before && now <= Date())
        for _ in 0..<50 {
            let whole = try #require(try value("random(6)").integerValue)
            #expect((0..<6).contains(whole))
            let real = try #require(try value("random()").doubleValue)
            #expect((0..<1).contains(real))
        }
        let places = ["a": ["latitude": 52.52, "longitude": 13.405], "b": ["latitude": 48.137, "longitude": 11.575]]
        let distance = try value("distanceToLocation:fromLocation:(a, b)", of: places).doubleValue ?? 0
        #expect(abs(distance - 504_000) < 2_000)
    }

    @Test("A misused or unknown function is an error, or false if errors cannot be thrown")
    func misuse() throws {
        for format in [
            "'a' + 1 == 2", "uppercase(1) == 'A'", "sum({'a'}) == 1", "CAST(1, 'NSFoo') == 1", "abs('x') == 1",
        ] {
            #expect(throws: EvaluationError.self, "\(format)") { try holds(format) }
            #expect(!NSPredicate(format: format).evaluate(with: nil))
        }
        #expect(throws: EvaluationError.unknownFunction("factorial")) { try value("FUNCTION(4.2, 'factorial')") }
        expectNil(NSExpression(forFunction: "nope:", arguments: []).expressionValue(with: nil, context: nil))
    }

    @Test("Every function can be called by its full name and parsed as printed")
    func fullNames() throws {
        for function in FunctionName.allCases {
            let arguments = (0..<function.argumentCount).map { ExpressionNode.keyPath(["k\($0)"]) }
            let node = ExpressionNode.function(name: function.rawValue, target: nil, arguments: arguments)
            let text = "\(function.rawValue)(\(arguments.map { PredicatePrinter.print($0) }.joined(separator: ", ")))"
            try expectEqual(PredicateParser.parseExpression(format: text, arguments: []), node)
            try expectEqual(PredicateParser.parseExpression(format: PredicatePrinter.print(node), arguments: []), node)
        }
    }
}

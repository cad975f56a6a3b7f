// Exhaustive tables: each operator with each kind of value and nil, each option with each operator, each argument
// specifier, each function, each reserved word, each operator of key paths.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Language tables")
struct LanguageTableTests {
    /// One value of each kind; a text first.
    static var values: [(name: String, value: Any)] {
        [
            ("text", "ab"), ("whole", 7), ("real", 7.5), ("boolean", true), ("decimal", Decimal(7)),
            ("date", Date(timeIntervalSinceReferenceDate: 7)), ("data", Data([7])), ("uuid", UUID()),
            ("url", URL(fileURLWithPath: "/ab")), ("list", ["ab", "cd"]), ("set", Set([7])),
            ("dictionary", ["k": "ab"]),
            ("object", Record(["k": "ab"])), ("nil", NSNull()),
        ]
    }

    static let operators = [
        "==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "CONTAINS", "IN", "BETWEEN",
    ]

    /// The expected result of an operator for two values of the table, derived only from their names.
    private static func expected(_ op: String, _ a: String, _ b: String) -> Bool? {
        let numbers: Set<String> = ["whole", "boolean", "decimal", "real"]
        let same = a == b || Set([a, b]) == ["whole", "decimal"]
        switch op {
        case "==": return same
        case "!=": return !same
        case "<=" where same: return ["nil", "list", "set", "dictionary", "object"].contains(a) ? false : true
        case ">=" where same: return ["nil", "list", "set", "dictionary", "object"].contains(a) ? false : true
        case "<", ">": if same { return false }
        case "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES": return a == "text" && b == "text"
        case "CONTAINS": return expected("IN", b, a)
        case "IN":
            switch b {
            case "text": return a == "text"
            case "list", "dictionary": return a == "text"
            case "set": return a == "whole" || a == "decimal"
            default: return false
            }
        default: break
        }
        // Numbers are ordered among each other; values of different kinds are not.
        return numbers.contains(a) && numbers.contains(b) ? nil : false
    }

    @Test("Every operator has a value for every pair of kinds, including nil", arguments: operators)
    func matrix(op: String) throws {
        // Created once, as each object and identifier is equal only to itself.
        let values = Self.values
        for (a, left) in values {
            for (b, right) in values {
                let object: [String: Any] = ["a": left, "b": right]
                if op == "BETWEEN" {
                    let inside = try holds("a BETWEEN {b, b}", on: object)
                    #expect(
                        inside == Self.expected("<=", a, b) || Self.expected("<=", a, b) == nil,
                        "\(a) BETWEEN \(b)"
                    )
                    continue
                }
                // The pattern must be a valid regular expression, such as the text of the table.
                let result = try holds("a \(op) b", on: object)
                let constant = try holds("a \(op) %@", [right], on: object)
                expectEqual(result, constant, "\(a) \(op) \(b) differs for a constant")
                if let wanted = Self.expected(op, a, b) { expectEqual(result, wanted, "\(a) \(op) \(b)") }
                // With a qualifier, a single value counts as a collection of one; a dictionary as its values.
                if !["list", "set", "dictionary", "nil"].contains(a) {
                    try expectEqual(holds("ANY a \(op) b", on: object), result, "ANY \(a) \(op) \(b)")
                    try expectEqual(holds("ALL a \(op) b", on: object), result, "ALL \(a) \(op) \(b)")
                    try expectEqual(holds("NONE a \(op) b", on: object), !result, "NONE \(a) \(op) \(b)")
                }
                try expectEqual(holds("NOT a \(op) b", on: object), !result)
            }
        }
    }

    @Test("Every option is allowed after every operator, is kept, and has its effect")
    func options() throws {
        let all = ["c", "d", "n", "l", "cd", "cn", "dl", "cdn", "cdl", "cdnl"]
        for op in Self.operators {
            for option in all {
                let right = op == "BETWEEN" ? "{'x', 'y'}" : "'x'"
                let text = "a \(op)[\(option)] \(right.replacingOccurrences(of: "'", with: "\""))"
                try expectEqual(printed("a \(op)[\(String(option.reversed()).uppercased())] \(right)"), text)
            }
        }
        for op in ["==", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "CONTAINS", "IN"] {
            #expect(try !holds("'É' \(op) 'e'") && !holds("'É' \(op)[n] 'e'"), "\(op)")
            #expect(try !holds("'É' \(op)[c] 'e'") && !holds("'É' \(op)[d] 'e'"), "\(op)")
            #expect(try holds("'É' \(op)[c] 'é'") && holds("'É' \(op)[d] 'E'"), "\(op)")
            #expect(try holds("'É' \(op)[cd] 'e'") && holds("'É' \(op)[cdl] 'e'"), "\(op)")
        }
        #expect(try holds("'É' !=[c] 'e'") && !holds("'É' !=[cd] 'e'"))
        #expect(try holds("'b' >[c] 'A'") && holds("'É' BETWEEN[cd] {'d', 'f'}") && !holds("'É' BETWEEN {'d', 'f'}"))
        // Locale order puts é between e and f; scalar order puts it after z.
        #expect(try holds("'é' > 'f'") && holds("'é' <[l] 'f'"))
    }

    @Test(
        "Every argument specifier accepts a number or text as in C",
        arguments: [
            "d", "D", "i", "u", "U", "x", "X", "o", "O", "c", "C", "hd", "hi", "hu", "hhd", "hhu", "hhx", "ld", "li",
            "lu",
            "lx", "lld", "lli", "llu", "llx", "qd", "qu", "zd", "zu", "td", "jd", "5d", "-5d", "05d", "+d", "5.3d",
            "1$d",
        ]
    )
    func integers(specifier: String) throws {
        try expectEqual(printed("a == %\(specifier)", [42]), "a == 42")
        try expectEqual(printed("a == %\(specifier)", [Int8(-3)]), "a == -3")
        try expectEqual(printed("a == %\(specifier)", [nil]), "a == nil")
        try expectEqual(printed("a IN {%\(specifier)}", [UInt32.max]), "a IN {4294967295}")
    }

    @Test(
        "Specifiers of reals convert whole numbers to reals",
        arguments: ["f", "F", "e", "E", "g", "G", "a", "A", "lf", "Lf", "5.2f", "-8.3e", "1$f"]
    )
    func reals(specifier: String) throws {
        try expectEqual(printed("a == %\(specifier)", [2.5]), "a == 2.5")
        try expectEqual(printed("a == %\(specifier) / 2", [1]), "a == 1.0 / 2")
    }

    @Test("Specifiers of objects and texts accept any value", arguments: ["@", "s", "S", "p", "1$@"])
    func objects(specifier: String) throws {
        try expectEqual(printed("a == %\(specifier)", ["x"]), "a == \"x\"")
        try expectEqual(printed("a IN %\(specifier)", [[1, 2]]), "a IN {1, 2}")
    }

    @Test("Every function of the language has a value", arguments: FunctionName.allCases)
    func functions(function: FunctionName) throws {
        let wanted = try #require(Self.functions[function], "\(function.rawValue) has no example")
        let object: [String: Any] = [
            "n": [4, 1, 3, 1], "here": ["latitude": 1, "longitude": 1], "d": ["k": "v"],
        ]
        for example in wanted {
            let result = try value(example.format, of: object)
            expectEqual(PredicatePrinter.print(.constant(result.anyValue)), example.value, "\(example.format)")
            let node = try PredicateParser.parseExpression(format: example.format, arguments: [])
            let again = try PredicateParser.parseExpression(format: PredicatePrinter.print(node), arguments: [])
            expectEqual(again, node, "\(example.format)")
        }
    }

    private static let functions: [FunctionName: [(format: String, value: String)]] = [
        .average: [("average:(n)", "2.25"), ("average(n)", "2.25")], .sum: [("sum:(n)", "9"), ("sum(n)", "9")],
        .count: [("count:(n)", "4")], .min: [("min:(n)", "1")], .max: [("max:(n)", "4")],
        .median: [("median:(n)", "2")], .mode: [("mode:(n)", "{1}")],
        .standardDeviation: [("stddev:({2, 4, 4, 4, 5, 5, 7, 9})", "2")],
        .add: [("add:to:(1, 2)", "3"), ("1 + 2", "3")], .subtract: [("from:subtract:(5, 2)", "3"), ("5 - 2", "3")],
        .multiply: [("multiply:by:(3, 4)", "12"), ("3 * 4", "12")],
        .divide: [("divide:by:(8, 2)", "4"), ("8 / 2", "4")], .modulus: [("modulus:by:(7, 4)", "3")],
        .raise: [("raise:toPower:(2, 5)", "32"), ("2 ** 5", "32")], .squareRoot: [("sqrt:(9)", "3")],
        .log: [("log:(100)", "2")], .naturalLog: [("ln:(1)", "0")], .exponential: [("exp:(0)", "1")],
        .floor: [("floor:(1.5)", "1")], .ceiling: [("ceiling:(1.5)", "2")], .absolute: [("abs:(-4)", "4")],
        .truncate: [("trunc:(-1.5)", "-1")], .random: [("floor:(random())", "0")],
        .randomBelow: [("random:(1)", "0")], .randomN: [("randomn:(1)", "0")],
        .now: [("TERNARY(now() > CAST(0, 'NSDate'), 1, 0)", "1")],
        .bitAnd: [("bitwiseAnd:with:(6, 3)", "2"), ("6 & 3", "2")],
        .bitOr: [("bitwiseOr:with:(6, 3)", "7"), ("6 | 3", "7")],
        .bitXor: [("bitwiseXor:with:(6, 3)", "5"), ("6 ^ 3", "5")],
        .shiftLeft: [("leftshift:by:(1, 3)", "8"), ("1 << 3", "8")],
        .shiftRight: [("rightshift:by:(8, 3)", "1"), ("8 >> 3", "1")],
        .onesComplement: [("onesComplement:(5)", "-6"), ("~5", "-6")],
        .uppercase: [("uppercase:('aé')", "\"AÉ\"")], .lowercase: [("lowercase:('AÉ')", "\"aé\"")],
        .canonical: [("canonical:('AÉ')", "\"ae\"")], .length: [("length:('añ')", "2")],
        .tokenize: [("tokenize:using:('a b', ' ')", "{\"a\", \"b\"}")],
        .cast: [("castObject:toType:('12', 'NSNumber')", "12"), ("CAST('12', 'NSNumber')", "12")],
        .distance: [("distanceToLocation:fromLocation:(here, here)", "0")], .noIndex: [("noindex:(n)", "{4, 1, 3, 1}")],
        .objectAtIndex: [("objectFrom:withIndex:(n, 0)", "4"), ("n[0]", "4"), ("d['k']", "\"v\"")],
        .indexed: [("indexed:by:(n, 2)", "3")], .distinct: [("distinct:(n)", "{4, 1, 3}")],
    ]

    @Test(
        "A reserved word in any case is a key after #, in a path, and as %K",
        arguments: [
            "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES",
            "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "TRUE", "YES", "FALSE", "NO", "FIRST",
            "LAST", "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE", "TERNARY",
            "FUNCTION", "UNION", "INTERSECT", "MINUS",
        ]
    )
    func reserved(word: String) throws {
        for key in [word, word.lowercased(), word.capitalized] {
            try expectEqual(printed("#\(key) == 1"), "#\(key) == 1")
            try expectEqual(printed("%K == 1", [key]), "#\(key) == 1")
            try expectEqual(printed("a.\(key).b == 1"), "a.#\(key).b == 1")
            #expect(try holds("#\(key) == 1 AND a.#\(key) == 2", on: [key: 1, "a": [key: 2]]))
        }
    }

    @Test("The constants of key path operators name working operators")
    func keyPathOperators() throws {
        let object: [String: Any] = [
            "o": [["n": 1], ["n": 3], ["n": 3]], "lists": [["n": [1, 2]], ["n": [2]]],
            "sets": [["n": Set([1])], ["n": Set([1])]],
        ]
        let table: [(NSKeyValueOperator, String, String)] = [
            (.averageKeyValueOperator, "o.@%.n * 3", "7"), (.countKeyValueOperator, "o.@%", "3"),
            (.distinctUnionOfArraysKeyValueOperator, "lists.@%.n", "{1, 2}"),
            (.distinctUnionOfObjectsKeyValueOperator, "o.@%.n", "{1, 3}"),
            (.distinctUnionOfSetsKeyValueOperator, "sets.@%.n", "{1}"), (.maximumKeyValueOperator, "o.@%.n", "3"),
            (.minimumKeyValueOperator, "o.@%.n", "1"), (.sumKeyValueOperator, "o.@%.n", "7"),
            (.unionOfArraysKeyValueOperator, "lists.@%.n", "{1, 2, 2}"),
            (.unionOfObjectsKeyValueOperator, "o.@%.n", "{1, 3, 3}"),
            (.unionOfSetsKeyValueOperator, "sets.@%.n", "{1, 1}"),
        ]
        for (name, path, wanted) in table {
            let format = path.replacingOccurrences(of: "%", with: name.rawValue)
            let result = try value(format, of: object)
            expectEqual(PredicatePrinter.print(.constant(result.anyValue)), wanted, "\(format)")
        }
    }
}

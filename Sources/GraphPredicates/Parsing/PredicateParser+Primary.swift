// The rules for single values: literals, keys, variables, parentheses, aggregates, and the call-like forms (functions,
// SUBQUERY, FUNCTION, CAST, TERNARY, FETCH).

extension PredicateParser {
    mutating func primary() throws -> Parsed {
        let token = current
        switch token.kind {
        case .value(let value):
            advance()
            return inserted(value)
        case .number(let literal):
            advance()
            return simple(.constant(literal.value))
        case .keyPath(let keys):
            advance()
            return simple(.path(keys))
        case .collectionOperator(let name):
            advance()
            return simple(.keyPath([name]))
        case .variable(let name):
            advance()
            return try variable(name)
        case .functionName(let name):
            advance()
            try expect(.openParenthesis, "after a function's name")
            return try call(name, at: token.offset)
        case .symbol(.openParenthesis):
            advance()
            return try nested { parser in
                let inner = try parser.disjunction()
                try parser.expect(.closeParenthesis, "to close the parenthesis")
                return inner
            }
        case .symbol(.openBrace):
            advance()
            return try aggregate()
        case .word(let name, escaped: true):
            advance()
            return simple(.keyPath([name]))
        case .word(let name, escaped: false): return try word(name, token)
        default: throw unexpected("an expression")
        }
    }

    private func simple(_ node: ExpressionNode) -> Parsed { Parsed(term: .expression(node), height: 1) }

    /// An argument of the format: an expression is inserted as such, also in a list.
    private func inserted(_ value: Any?) -> Parsed { simple(Self.node(of: value)) }

    /// The node of an argument.
    static func node(of value: Any?) -> ExpressionNode {
        guard let value else { return .constant(nil) }
        if PlainValue.isPlain(value) { return .constant(value) }
        switch value {
        case let expression as NSExpression: return expression.node
        case let list as [NSExpression] where !list.isEmpty: return .aggregate(list.map(\.node))
        // A list of another type cannot contain expressions, so skip its elements.
        case let list as [Any] where type(of: value) == [Any].self && list.contains(where: { $0 is NSExpression }):
            let nodes = list.map { element in
                (element as? NSExpression)?.node ?? .constant(FormatArguments.plain(element))
            }
            return .aggregate(nodes)
        default: return .constant(value)
        }
    }

    /// `$name`, `$name := value`.
    private mutating func variable(_ name: String) throws -> Parsed {
        guard take(.assign) else { return simple(.variable(name)) }
        let (value, height) = try argument()
        return Parsed(term: .expression(.assignment(name, value)), height: try self.height(height))
    }

    /// `{a, b}`, after the brace.
    private mutating func aggregate() throws -> Parsed {
        let (elements, tallest) = try arguments(until: .closeBrace, "to close the list")
        return Parsed(term: .expression(.aggregate(elements)), height: try height(tallest))
    }

    /// Expressions separated by commas, and the symbol after them.
    private mutating func arguments(
        until end: Symbol,
        _ purpose: String
    ) throws -> (nodes: [ExpressionNode], height: Int) {
        var nodes: [ExpressionNode] = []
        var tallest = 0
        if !current.isSymbol(end) {
            repeat {
                let (node, height) = try argument()
                nodes.append(node)
                tallest = max(tallest, height)
            } while take(.comma)
        }
        try expect(end, purpose)
        return (nodes, tallest)
    }

    private mutating func argument() throws -> (node: ExpressionNode, height: Int) {
        try nested { parser in
            let place = parser.current.offset
            let inner = try parser.operand()
            return try parser.expression(inner, at: place)
        }
    }

    private mutating func word(_ name: String, _ token: Token) throws -> Parsed {
        let keyword = token.keyword
        advance()
        switch keyword {
        case "NULL", "NIL": return simple(.constant(nil))
        case "TRUE", "YES": return simple(.constant(true))
        case "FALSE", "NO": return simple(.constant(false))
        case "SELF": return simple(.evaluatedObject)
        case "ANYKEY": return simple(.anyKey)
        case "TRUEPREDICATE": return Parsed(term: .predicate(.constant(true)), height: 1)
        case "FALSEPREDICATE": return Parsed(term: .predicate(.constant(false)), height: 1)
        case "SUBQUERY"?, "FUNCTION"?, "CAST"?, "TERNARY"?, "FETCH"?:
            let keyword = name.uppercased()
            try expect(.openParenthesis, "after \(keyword)")
            return try nested { try $0.special(keyword) }
        default:
            if take(.openParenthesis) { return try call(name, at: token.offset) }
            if let keyword, ReservedWords.strict.contains(keyword) {
                throw error(
                    "\"\(name)\" is a reserved word.",
                    at: token.offset,
                    expected: "an expression; a key of that name is written #\(name)"
                )
            }
            return simple(.keyPath([name]))
        }
    }

    /// The arguments of a function, after the parenthesis.
    private mutating func call(_ name: String, at offset: Int) throws -> Parsed {
        let (arguments, tallest) = try arguments(until: .closeParenthesis, "to close the function's arguments")
        guard let function = FunctionName.named(name, argumentCount: arguments.count) else {
            throw error(
                "There is no function \"\(name)\".",
                at: offset,
                expected: "a function such as sum:, add:to: or now, or FUNCTION(object, 'name', …)"
            )
        }
        let fits = function.argumentCount == arguments.count || (function.isAggregate && !arguments.isEmpty)
        guard fits else {
            let count = function.argumentCount
            throw error(
                "\"\(function.rawValue)\" takes \(count) argument\(count == 1 ? "" : "s"), not \(arguments.count).",
                at: offset
            )
        }
        let node = ExpressionNode.calling(function.rawValue, arguments)
        return Parsed(term: .expression(node), height: try height(tallest))
    }

    // MARK: - Forms with rules of their own

    private mutating func special(_ keyword: String) throws -> Parsed {
        let parsed: Parsed
        switch keyword {
        case "SUBQUERY": parsed = try subquery()
        case "FUNCTION": parsed = try functionCall()
        case "CAST": parsed = try cast()
        case "TERNARY": parsed = try ternary()
        default: parsed = try fetch()
        }
        try expect(.closeParenthesis, "to close \(keyword)")
        return parsed
    }

    private mutating func subquery() throws -> Parsed {
        let (collection, collectionHeight) = try argument()
        try expect(.comma, "after the collection of SUBQUERY")
        guard case .variable(let name) = current.kind else { throw unexpected("a variable such as $x") }
        advance()
        try expect(.comma, "after the variable of SUBQUERY")
        let (predicate, predicateHeight) = try predicateArgument()
        let node = ExpressionNode.subquery(collection: collection, variable: name, predicate: predicate)
        return Parsed(term: .expression(node), height: try height(collectionHeight, predicateHeight))
    }

    private mutating func predicateArgument() throws -> (node: PredicateNode, height: Int) {
        let inner = try disjunction()
        return try predicate(inner)
    }

    private mutating func functionCall() throws -> Parsed {
        let (target, targetHeight) = try argument()
        try expect(.comma, "after the object of FUNCTION")
        guard case .value(let value) = current.kind, let selector = EvaluatedValue(value).text, !selector.isEmpty else {
            throw unexpected("a method's name in quotes")
        }
        advance()
        var arguments: [ExpressionNode] = []
        var tallest = targetHeight
        while take(.comma) {
            let (node, height) = try argument()
            arguments.append(node)
            tallest = max(tallest, height)
        }
        let node = ExpressionNode.call(target: target, selector: selector, arguments: arguments)
        return Parsed(term: .expression(node), height: try height(tallest))
    }

    private mutating func cast() throws -> Parsed {
        let (value, valueHeight) = try argument()
        try expect(.comma, "after the value of CAST")
        let (name, nameHeight) = try argument()
        return Parsed(term: .expression(.cast(value, to: name)), height: try height(valueHeight, nameHeight))
    }

    private mutating func ternary() throws -> Parsed {
        let (predicate, first) = try predicateArgument()
        try expect(.comma, "after the predicate of TERNARY")
        let (yes, second) = try argument()
        try expect(.comma, "after the first value of TERNARY")
        let (no, third) = try argument()
        return Parsed(term: .expression(.conditional(predicate, yes, no)), height: try height(first, second, third))
    }

    private mutating func fetch() throws -> Parsed {
        let (request, first) = try argument()
        try expect(.comma, "after the request of FETCH")
        let (context, second) = try argument()
        try expect(.comma, "after the context of FETCH")
        let place = current.offset
        guard case .constant(let value) = try argument().node, let countOnly = EvaluatedValue(value).truth else {
            throw error("FETCH ends with YES or NO.", at: place, expected: "YES to count, NO to fetch")
        }
        let node = ExpressionNode.fetch(request: request, context: context, countOnly: countOnly)
        return Parsed(term: .expression(node), height: try height(first, second))
    }
}

// The rules for predicates: OR, AND, NOT, qualifiers and comparisons, loosest first.

extension PredicateParser {
    /// `a OR b OR c`.
    mutating func disjunction() throws -> Parsed {
        try chain(.or, "OR", PredicateNode.or) { try $0.conjunction() }
    }

    /// `a AND b AND c`.
    private mutating func conjunction() throws -> Parsed {
        try chain(.and, "AND", PredicateNode.and) { try $0.negation() }
    }

    private mutating func chain(
        _ symbol: Symbol,
        _ keyword: String,
        _ make: ([PredicateNode]) -> PredicateNode,
        _ part: (inout PredicateParser) throws -> Parsed
    ) throws -> Parsed {
        let start = current.offset
        let first = try part(&self)
        guard current.isSymbol(symbol) || current.keyword == keyword else { return first }
        var (node, tallest) = try predicate(first, at: start)
        var parts = [node]
        while current.isSymbol(symbol) || current.keyword == keyword {
            advance()
            let place = current.offset
            let height: Int
            let next = try part(&self)
            (node, height) = try predicate(next, at: place)
            parts.append(node)
            tallest = max(tallest, height)
        }
        return Parsed(term: .predicate(make(parts)), height: try height(tallest))
    }

    /// `NOT a`.
    private mutating func negation() throws -> Parsed {
        guard current.isSymbol(.not) || current.keyword == "NOT" else { return try comparison() }
        advance()
        return try nested { parser in
            let place = parser.current.offset
            let inner = try parser.negation()
            let (node, height) = try parser.predicate(inner, at: place)
            return Parsed(term: .predicate(.not(node)), height: try parser.height(height))
        }
    }

    /// `[ANY] a == b`, or an expression alone.
    private mutating func comparison() throws -> Parsed {
        let qualifier = takeQualifier()
        let start = current.offset
        let left = try operand()
        guard let found = try takeOperator() else {
            guard qualifier == nil else { throw unexpected("an operator such as == or CONTAINS") }
            return left
        }
        let place = current.offset
        let (leftNode, leftHeight) = try expression(left, at: start)
        let right = try operand()
        let (rightNode, rightHeight) = try expression(right, at: place)
        let node = PredicateNode.comparison(
            ComparisonNode(
                left: leftNode,
                right: rightNode,
                modifier: qualifier?.modifier ?? .direct,
                op: found.op,
                options: found.options,
                selector: found.selector
            )
        )
        let total = try height(leftHeight, rightHeight)
        guard qualifier?.isNegated == true else { return Parsed(term: .predicate(node), height: total) }
        return Parsed(term: .predicate(.not(node)), height: try height(total))
    }

    private mutating func takeQualifier() -> (modifier: ComparisonModifier, isNegated: Bool)? {
        switch current.keyword {
        case "ANY", "SOME":
            advance()
            return (.any, false)
        case "ALL":
            advance()
            return (.all, false)
        case "NONE":
            advance()
            return (.any, true)
        default: return nil
        }
    }

    private struct FoundOperator {
        var op: ComparisonOperator
        var options: ComparisonOptions = []
        var selector: String?
    }

    private mutating func takeOperator() throws -> FoundOperator? {
        var found: FoundOperator
        switch current.kind {
        case .symbol(let symbol):
            guard let op = PredicateParser.symbolOperators[symbol] else { return nil }
            found = FoundOperator(op: op)
        case .word(_, escaped: false):
            guard let keyword = current.keyword else { return nil }
            if keyword.hasPrefix("UTI-") {
                found = FoundOperator(op: .customSelector, selector: keyword)
            } else if let op = PredicateParser.wordOperators[keyword] {
                found = FoundOperator(op: op)
            } else {
                return nil
            }
        default: return nil
        }
        advance()
        found.options = try takeOptions()
        return found
    }

    private static let symbolOperators: [Symbol: ComparisonOperator] = [
        .equal: .equal, .notEqual: .notEqual, .less: .lessThan, .lessOrEqual: .lessThanOrEqual,
        .greater: .greaterThan, .greaterOrEqual: .greaterThanOrEqual,
    ]

    private static let wordOperators: [String: ComparisonOperator] = [
        "IN": .in, "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "LIKE": .like,
        "MATCHES": .matches, "BETWEEN": .between,
    ]

    /// `[cd]`.
    private mutating func takeOptions() throws -> ComparisonOptions {
        guard take(.openBracket) else { return [] }
        guard case .word(let letters, escaped: false) = current.kind else {
            throw unexpected("options: c, d, n or l")
        }
        var options: ComparisonOptions = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n": options.insert(.normalized)
            case "l": options.insert(.localeSensitive)
            default:
                let message = "\"\(letter)\" is not an option."
                throw error(message, at: current.offset, expected: "options: c, d, n or l")
            }
        }
        advance()
        try expect(.closeBracket, "behind the options")
        return options
    }
}

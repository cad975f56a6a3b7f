// The rules for predicates: OR, AND, NOT, qualifiers and comparisons, from the loosest on.

extension PredicateParser {
    /// A parenthesis, or the whole format, whose parts are being parsed.
    private struct Level {
        let offset: Int
        /// The number of NOTs before the current part.
        var negations = 0
        private var alternatives: CompoundParts
        private var conjunction: CompoundParts
        private let isFlattening: Bool

        init(at offset: Int, flattening: Bool) {
            self.offset = offset
            isFlattening = flattening
            alternatives = CompoundParts(.or, flattening: flattening)
            conjunction = CompoundParts(.and, flattening: flattening)
        }

        /// Whether the level has no operators before its only part.
        var isPlain: Bool { negations == 0 && conjunction.isEmpty && alternatives.isEmpty }

        mutating func append(_ part: CompoundPart) {
            var part = part
            for _ in 0..<negations { part = part.negated(flattening: isFlattening) }
            negations = 0
            conjunction.append(part)
        }

        /// Ends an AND list, before OR or at the end.
        mutating func endConjunction() {
            if let part = conjunction.result { alternatives.append(part) }
            conjunction = CompoundParts(.and, flattening: isFlattening)
        }

        var result: CompoundPart? { alternatives.result }
    }

    /// A parsed term, or a compound that may still join one around it.
    private enum Operand {
        case term(Parsed)
        case compound(CompoundPart)
    }

    /// `a OR b AND NOT (c OR d)`: comparisons and the operators that join them.
    ///
    /// Not recursive: the nesting of parentheses and NOTs is limited only by the length of the format.
    mutating func disjunction() throws -> Parsed {
        var levels = [Level(at: current.offset, flattening: isFlattening)]
        while true {
            while current.isSymbol(.not) || current.keyword == "NOT" {
                levels[levels.count - 1].negations += 1
                advance()
            }
            if current.isSymbol(.openParenthesis) {
                levels.append(Level(at: current.offset, flattening: isFlattening))
                advance()
                continue
            }
            var operand = Operand.term(try comparison())
            while true {
                let last = levels.count - 1
                if isUpcoming(.and, "AND") {
                    levels[last].append(try part(operand))
                    advance()
                    break
                }
                if isUpcoming(.or, "OR") {
                    levels[last].append(try part(operand))
                    levels[last].endConjunction()
                    advance()
                    break
                }
                let level = levels.removeLast()
                operand = try whole(level, operand)
                guard !levels.isEmpty else { return try parsed(operand) }
                try expect(.closeParenthesis, "to close the parenthesis")
                operand = try continued(operand, at: level.offset)
            }
        }
    }

    private func isUpcoming(_ symbol: Symbol, _ keyword: String) -> Bool {
        current.isSymbol(symbol) || current.keyword == keyword
    }

    private func part(_ operand: Operand) throws -> CompoundPart {
        switch operand {
        case .compound(let part): return part
        case .term(let parsed):
            let (node, height) = try predicate(parsed)
            return .node(node, height: height)
        }
    }

    private func parsed(_ operand: Operand) throws -> Parsed {
        switch operand {
        case .term(let parsed): return parsed
        case .compound(let part): return Parsed(term: .predicate(part.node), height: try height(part.height - 1))
        }
    }

    /// The result of a level at its end.
    private func whole(_ level: Level, _ last: Operand) throws -> Operand {
        if level.isPlain { return last }
        var level = level
        level.append(try part(last))
        level.endConjunction()
        guard let part = level.result else { return last }
        _ = try height(part.height - 1)
        return .compound(part)
    }

    /// A parenthesized operand, followed by operators if it is an expression.
    private mutating func continued(_ operand: Operand, at offset: Int) throws -> Operand {
        switch current.kind {
        case .end, .symbol(.closeParenthesis), .symbol(.and), .symbol(.or): return operand
        default: break
        }
        if current.keyword == "AND" || current.keyword == "OR" { return operand }
        return .term(try comparison(behind: try parsed(operand), at: offset))
    }

    /// `[ANY] a == b`, or an expression alone.
    private mutating func comparison(behind first: Parsed? = nil, at offset: Int? = nil) throws -> Parsed {
        let qualifier = first == nil ? takeQualifier() : nil
        let start = offset ?? current.offset
        let left = try operand(behind: first, at: start)
        guard let comparison = try takeOperator() else {
            guard qualifier == nil else { throw unexpected("an operator such as == or CONTAINS") }
            return left
        }
        let place = current.offset
        let (leftNode, leftHeight) = try expression(left, at: start)
        let right = try operand()
        let (rightNode, rightHeight) = try expression(right, at: place)
        var modifier = qualifier?.modifier ?? .direct
        // A negation swaps the modifiers: some element is not in a list if and only if not every element is in it.
        if comparison.isNegated { modifier = modifier == .any ? .all : modifier == .all ? .any : .direct }
        let node = PredicateNode.comparison(
            ComparisonNode(
                left: leftNode,
                right: rightNode,
                modifier: modifier,
                op: comparison.op,
                options: comparison.options,
                selector: comparison.selector
            )
        )
        let total = try height(leftHeight, rightHeight)
        guard (qualifier?.isNegated == true) != comparison.isNegated else {
            return Parsed(term: .predicate(node), height: total)
        }
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
        /// Whether NOT precedes the operator, `a NOT IN b`.
        var isNegated = false
    }

    private mutating func takeOperator() throws -> FoundOperator? {
        var result: FoundOperator
        let isNegated = current.keyword == "NOT" && following.keyword.map { Self.wordOperators[$0] != nil } == true
        if isNegated { advance() }
        switch current.kind {
        case .symbol(let symbol):
            guard let op = PredicateParser.symbolOperators[symbol] else { return nil }
            result = FoundOperator(op: op)
        case .word(_, escaped: false):
            guard let keyword = current.keyword else { return nil }
            if keyword.hasPrefix("UTI-") {
                result = FoundOperator(op: .customSelector, selector: keyword)
            } else if let op = PredicateParser.wordOperators[keyword] {
                result = FoundOperator(op: op)
            } else {
                return nil
            }
        default: return nil
        }
        advance()
        result.isNegated = isNegated
        result.options = try takeOptions()
        return result
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
        try expect(.closeBracket, "after the options")
        return options
    }
}

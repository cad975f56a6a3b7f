// The rules for expressions with operators: infix operators by precedence, prefixes, and the keys and indexes that may
// follow a value.

extension PredicateParser {
    /// A whole expression.
    mutating func operand() throws -> Parsed { try infix(atLeast: InfixOperator.setPrecedence) }

    /// A whole expression whose parenthesized first part has been parsed.
    mutating func operand(behind first: Parsed?, at offset: Int) throws -> Parsed {
        guard let first else { return try operand() }
        let whole = try postfixed(behind: first, at: offset)
        return try infix(atLeast: InfixOperator.setPrecedence, from: whole, at: offset)
    }

    private enum Infix {
        case function(InfixOperator)
        case set((ExpressionNode, ExpressionNode) -> ExpressionNode)

        var precedence: Int {
            switch self {
            case .function(let infix): return infix.precedence
            case .set: return InfixOperator.setPrecedence
            }
        }
    }

    private var upcomingInfix: Infix? {
        switch current.kind {
        case .symbol(let symbol): return PredicateParser.infixes[symbol].map(Infix.function)
        case .word(_, escaped: false):
            switch current.keyword {
            case "UNION": return .set(ExpressionNode.union)
            case "INTERSECT": return .set(ExpressionNode.intersect)
            case "MINUS": return .set(ExpressionNode.minus)
            default: return nil
            }
        default: return nil
        }
    }

    private static let infixes: [Symbol: InfixOperator] = Dictionary(
        uniqueKeysWithValues: InfixOperator.all.compactMap { infix in
            Symbol(rawValue: infix.text).map { ($0, infix) }
        }
    )

    private mutating func infix(atLeast precedence: Int) throws -> Parsed {
        let start = current.offset
        return try infix(atLeast: precedence, from: try prefixed(), at: start)
    }

    private mutating func infix(atLeast precedence: Int, from first: Parsed, at start: Int) throws -> Parsed {
        var left = first
        while let infix = upcomingInfix, infix.precedence >= precedence {
            advance()
            let place = current.offset
            var tighter = infix.precedence + 1
            if case .function(let function) = infix, function.isRightAssociative { tighter -= 1 }
            let (leftNode, leftHeight) = try expression(left, at: start)
            let right = try nested { try $0.infix(atLeast: tighter) }
            let (rightNode, rightHeight) = try expression(right, at: place)
            let node: ExpressionNode
            switch infix {
            case .function(let infix):
                node = .function(name: infix.function.rawValue, target: nil, arguments: [leftNode, rightNode])
            case .set(let make): node = make(leftNode, rightNode)
            }
            left = Parsed(term: .expression(node), height: try height(leftHeight, rightHeight))
        }
        return left
    }

    /// `-a`, `+a`, `~a`.
    private mutating func prefixed() throws -> Parsed {
        guard case .symbol(let symbol) = current.kind, [.minus, .plus, .complement].contains(symbol) else {
            return try postfixed()
        }
        advance()
        if symbol == .minus, case .number(let literal) = current.kind, let negative = literal.negated {
            advance()
            return Parsed(term: .expression(.constant(negative.value)), height: 1)
        }
        return try nested { parser in
            let place = parser.current.offset
            let inner = try parser.prefixed()
            let (node, height) = try parser.expression(inner, at: place)
            let result: ExpressionNode
            switch symbol {
            case .minus:
                let zero = ExpressionNode.constant(0)
                result = .function(name: FunctionName.subtract.rawValue, target: nil, arguments: [zero, node])
            case .complement:
                result = .function(name: FunctionName.onesComplement.rawValue, target: nil, arguments: [node])
            default: result = node
            }
            return Parsed(term: .expression(result), height: try parser.height(height))
        }
    }

    /// `a.b.@count`, `a[1]`, `a[FIRST].b`.
    private mutating func postfixed() throws -> Parsed {
        let start = current.offset
        return try postfixed(behind: try primary(), at: start)
    }

    private mutating func postfixed(behind first: Parsed, at start: Int) throws -> Parsed {
        var parsed = first
        while true {
            if take(.dot) {
                let (node, base) = try expression(parsed, at: start)
                let (result, grows) = try key(behind: node)
                parsed = Parsed(term: .expression(result), height: grows ? try height(base) : base)
            } else if current.isSymbol(.openBracket) {
                let (node, base) = try expression(parsed, at: start)
                advance()
                let (index, indexHeight) = try index()
                try expect(.closeBracket, "after the index")
                let result = ExpressionNode.function(
                    name: FunctionName.objectAtIndex.rawValue,
                    target: nil,
                    arguments: [node, index]
                )
                parsed = Parsed(term: .expression(result), height: try height(base, indexHeight))
            } else {
                return parsed
            }
        }
    }

    private mutating func key(behind node: ExpressionNode) throws -> (ExpressionNode, grows: Bool) {
        let result: ExpressionNode
        var grows = true
        switch current.kind {
        case .word(let name, _):
            // After a dot, any word is a key. `a.self` is `a`.
            result = name.lowercased() == "self" ? node : node.appending(keys: [name])
            if case .keyPath = node { grows = false }
            if case .keyPathOf = node { grows = false }
        case .collectionOperator(let name): result = node.appending(keys: [name])
        case .keyPath(let keys):
            result = node.appending(keys: keys)
        case .variable(let name):
            result = .function(name: ExpressionNode.valueForKeyPath, target: node, arguments: [.variable(name)])
        default: throw unexpected("a key after the dot")
        }
        advance()
        return (result, grows)
    }

    private mutating func index() throws -> (ExpressionNode, Int) {
        if let keyword = current.keyword, let symbolic = SymbolicIndex(rawValue: keyword),
            following.isSymbol(.closeBracket)
        {
            advance()
            return (.symbolicIndex(symbolic), 1)
        }
        return try nested { parser in
            let place = parser.current.offset
            let inner = try parser.operand()
            return try parser.expression(inner, at: place)
        }
    }
}

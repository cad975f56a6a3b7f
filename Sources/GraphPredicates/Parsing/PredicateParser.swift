// Parses formats to trees: the entry points and the handling of tokens and depth. Called by the predicate and
// expression objects. Parentheses may hold a predicate or an expression; the recursive descent parses neither twice.

import Foundation

/// Parses predicate and expression formats.
package struct PredicateParser {
    /// The maximum nesting of parentheses, brackets and prefixes in an expression; parentheses around predicates are
    /// not limited.
    static let maximumNesting = 150
    /// The maximum height of the tree.
    static let maximumHeight = 1000

    let format: String
    private let tokens: [Token]
    /// Whether nested compounds of one kind become one, which is required for very deep nesting.
    let isFlattening: Bool
    private var index = 0
    private var nesting = 0
    /// The deepest nesting so far, and its offset.
    private var deepest = (nesting: 0, offset: 0)

    /// Parses a predicate.
    ///
    /// - Parameters:
    ///   - format: The text, in the language of Apple's "Predicate Format String Syntax".
    ///   - arguments: The values for `%@`, `%K` and the number specifiers, in order; nil to parse the format without
    ///     them: the tree then contains the specifiers, and can be printed but not evaluated.
    /// - Returns: The tree.
    /// - Throws: `PredicateFormatError`.
    package static func parse(format: String, arguments: [Any?]?) throws -> PredicateNode {
        guard let arguments else { return try PredicateParser(format, arguments).readPredicate() }
        let answer = FormatTrees.shared.predicate(format, arguments)
        if case .predicate(let predicate) = answer { return predicate }
        let node = try PredicateParser(format, arguments).readPredicate()
        guard case .unknown = answer else { return node }
        FormatTrees.shared.note(format, arguments) { keyIndexes, needed in
            let template = try Lexer.template(of: format, arguments: arguments)
            (keyIndexes, needed) = (template.keyIndexes, template.needed)
            return try PredicateParser(format, template.tokens).readPredicate()
        }
        return node
    }

    private consuming func readPredicate() throws -> PredicateNode {
        var parser = self
        let parsed = try parser.disjunction()
        try parser.expectEnd(after: parsed.term)
        let node = try parser.predicate(parsed).node
        try parser.checkPrinted(nesting: PredicatePrinter.nesting(of: node))
        return node
    }

    /// The most bytes of a format from outside of the program: parsing takes up to 150 bytes of memory for each.
    package static let inputLimit = 512 << 10

    /// Parses a format from outside of the program, such as the text of a search field, whose length is limited.
    ///
    /// - Throws: `PredicateFormatError`.
    package static func parse(input: String, arguments: [Any?]?) throws -> PredicateNode {
        try requireBounded(input)
        return try parse(format: input, arguments: arguments)
    }

    /// Refuses a format from outside of the program that is too long.
    static func requireBounded(_ input: String) throws {
        guard input.utf8.count > inputLimit else { return }
        throw PredicateFormatError(
            message: "The format has \(input.utf8.count) bytes; at most \(inputLimit) are parsed. Pass long lists and "
                + "texts as arguments, for example id IN %@.",
            position: 0,
            format: String(input.prefix(80))
        )
    }

    /// Parses an expression.
    ///
    /// - Throws: `PredicateFormatError`.
    package static func parseExpression(format: String, arguments: [Any?]) throws -> ExpressionNode {
        var parser = try PredicateParser(format, arguments)
        let parsed = try parser.disjunction()
        try parser.expectEnd(after: parsed.term)
        let node = try parser.expression(parsed, at: 0).node
        try parser.checkPrinted(nesting: PredicatePrinter.nesting(of: node))
        return node
    }

    private init(_ format: String, _ arguments: [Any?]?) throws {
        self.init(format, try Lexer.tokens(of: format, arguments: arguments))
    }

    private init(_ format: String, _ tokens: [Token]) {
        self.format = format
        self.tokens = tokens
        isFlattening = Self.isNestedDeep(tokens)
    }

    private static func isNestedDeep(_ tokens: [Token]) -> Bool {
        var (depth, negations) = (0, 0)
        for token in tokens {
            if token.isSymbol(.openParenthesis) { depth += 1 }
            if token.isSymbol(.closeParenthesis) { depth -= 1 }
            let isNegation = token.isSymbol(.not) || token.keyword == "NOT"
            negations = isNegation ? negations + 1 : 0
            if depth > maximumNesting || negations > maximumNesting { return true }
        }
        return false
    }

    // MARK: - Tokens

    var current: Token { tokens[index] }

    var following: Token { tokens[min(index + 1, tokens.count - 1)] }

    mutating func advance() { if index < tokens.count - 1 { index += 1 } }

    /// Consumes a symbol if it is next.
    mutating func take(_ symbol: Symbol) -> Bool {
        guard current.isSymbol(symbol) else { return false }
        advance()
        return true
    }

    /// Consumes a reserved word if it is next.
    mutating func take(keyword: String) -> Bool {
        guard current.keyword == keyword else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: Symbol, _ purpose: String) throws {
        guard take(symbol) else { throw unexpected("\"\(symbol.rawValue)\" \(purpose)") }
    }

    private func expectEnd(after term: Term) throws {
        if case .end = current.kind { return }
        switch term {
        case .predicate: throw unexpected("AND, OR or the end of the format")
        case .expression: throw unexpected("an operator such as == or CONTAINS")
        }
    }

    // MARK: - Errors

    func unexpected(_ expected: String) -> PredicateFormatError {
        let message: String
        if case .end = current.kind {
            message = "The format ends too early."
        } else {
            message = "\(spelling(of: current)) has no meaning here."
        }
        return error(message, at: current.offset, expected: expected)
    }

    func error(_ message: String, at offset: Int, expected: String = "") -> PredicateFormatError {
        PredicateFormatError(message: message, offset: offset, expected: expected, format: format)
    }

    private func spelling(of token: Token) -> String {
        let bytes = format.utf8.dropFirst(token.offset).prefix(token.end - token.offset)
        let excerpt = String(decoding: bytes.prefix(40), as: UTF8.self)
        return excerpt.hasPrefix("\"") ? excerpt : "\"\(excerpt)\""
    }

    // MARK: - Depth

    /// Runs a nested rule, or fails if the nesting is too deep.
    mutating func nested<Result>(_ rule: (inout PredicateParser) throws -> Result) throws -> Result {
        guard nesting < PredicateParser.maximumNesting else { throw nestedTooDeep(at: current.offset) }
        nesting += 1
        if nesting > deepest.nesting { deepest = (nesting, current.offset) }
        defer { nesting -= 1 }
        return try rule(&self)
    }

    private func nestedTooDeep(at offset: Int) -> PredicateFormatError {
        error(
            "The format is nested more than \(PredicateParser.maximumNesting) levels deep.",
            at: offset,
            expected: "a flatter format; use IN for many alternatives"
        )
    }

    /// Checks the printed form: an accepted format must parse again after printing.
    private func checkPrinted(nesting: Int) throws {
        guard nesting > PredicateParser.maximumNesting else { return }
        throw nestedTooDeep(at: deepest.offset)
    }

    /// One more than the height of the highest part.
    func height(_ parts: Int...) throws -> Int {
        let height = (parts.max() ?? 0) + 1
        guard height <= PredicateParser.maximumHeight else {
            throw error(
                "The format joins more than \(PredicateParser.maximumHeight) operators.",
                at: current.offset,
                expected: "a shorter format; use IN for many alternatives"
            )
        }
        return height
    }

    // MARK: - Terms

    /// The result of a rule: in parentheses both are possible until an operator follows.
    enum Term {
        case predicate(PredicateNode)
        case expression(ExpressionNode)
    }

    struct Parsed {
        let term: Term
        let height: Int
    }

    // These read the current position, so the rule that returned `parsed` must run in an earlier statement.

    func predicate(_ parsed: Parsed) throws -> (node: PredicateNode, height: Int) {
        switch parsed.term {
        case .predicate(let node): return (node, parsed.height)
        case .expression(.constant(let value as Bool)): return (.constant(value), parsed.height)
        case .expression(.constant(let value as NSPredicate)): return (value.node, parsed.height)
        case .expression: throw unexpected("an operator such as == or CONTAINS")
        }
    }

    func expression(_ parsed: Parsed, at offset: Int) throws -> (node: ExpressionNode, height: Int) {
        switch parsed.term {
        case .expression(let node): return (node, parsed.height)
        case .predicate:
            throw error("A value is expected here, not a predicate.", at: offset, expected: "an expression")
        }
    }
}

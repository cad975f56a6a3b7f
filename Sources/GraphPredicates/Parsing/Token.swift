// The tokens of the format language. Created by Lexer, parsed by PredicateParser.

/// One token of a format.
struct Token {
    enum Kind {
        /// An identifier or reserved word as written; `escaped` if it followed `#`.
        case word(String, escaped: Bool)
        /// A function in its full spelling, `add:to:`.
        case functionName(String)
        /// A collection operator such as `@count`, with the `@`.
        case collectionOperator(String)
        /// `$name`, without the `$`.
        case variable(String)
        /// A number, a quoted text, or an argument's value.
        case value(Any?)
        /// A number literal; a preceding minus becomes part of it.
        case number(NumberLiteral)
        /// The argument of `%K`.
        case keyPath([String])
        case symbol(Symbol)
        case end
    }

    let kind: Kind
    /// The offset of the first UTF-8 byte.
    let offset: Int
    /// The offset after the last UTF-8 byte.
    let end: Int

    /// The upper-case spelling if this is a reserved word without an escape.
    let keyword: String?

    init(kind: Kind, offset: Int, end: Int) {
        self.kind = kind
        self.offset = offset
        self.end = end
        if case .word(let text, escaped: false) = kind { keyword = ReservedWords.keyword(text) } else { keyword = nil }
    }

    func isSymbol(_ symbol: Symbol) -> Bool {
        if case .symbol(symbol) = kind { return true }
        return false
    }
}

/// A number in a format.
enum NumberLiteral {
    case integer(Int)
    case real(Double)

    var value: Any {
        switch self {
        case .integer(let value): return value
        case .real(let value): return value
        }
    }

    /// The number with the opposite sign; nil if it overflows.
    var negated: NumberLiteral? {
        switch self {
        case .integer(let value):
            let (result, overflow) = Int(0).subtractingReportingOverflow(value)
            return overflow ? nil : .integer(result)
        case .real(let value): return .real(-value)
        }
    }
}

/// Punctuation; the raw value is the spelling in messages.
enum Symbol: String {
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case dot = "."
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case power = "**"
    case bitAnd = "&"
    case bitOr = "|"
    case bitXor = "^"
    case complement = "~"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case and = "&&"
    case or = "||"
    case not = "!"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case assign = ":="
}

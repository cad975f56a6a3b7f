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
        if case .word(let word, escaped: false) = kind { keyword = ReservedWords.keyword(word) } else { keyword = nil }
    }

    func isSymbol(_ symbol: Symbol) -> Bool {
        if case .symbol(symbol) = kind { return true }
        return false
    }
}

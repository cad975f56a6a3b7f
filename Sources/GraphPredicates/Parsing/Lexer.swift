// Splits a format into tokens and inserts the arguments. Called by PredicateParser only; it does not depend on grammar.

import Foundation

struct Lexer {
    private let format: String
    private let bytes: [UInt8]
    private var arguments: FormatArguments
    /// Whether there are no arguments, and tokens hold placeholders instead.
    private let isOpen: Bool
    /// Whether tokens hold holes instead of arguments, except for keys.
    private let leavesHoles: Bool
    /// The indexes of the arguments that are keys.
    private(set) var keyIndexes: [Int] = []
    private var offset = 0
    private var tokens: [Token] = []

    /// All tokens of a format; the last one is `end`.
    ///
    /// Without arguments (nil) the tokens hold placeholders instead.
    static func tokens(of format: String, arguments: [Any?]?) throws -> [Token] {
        var lexer = Lexer(format, arguments)
        try lexer.run()
        return lexer.tokens
    }

    /// All tokens of a format with holes, the indexes of arguments that are keys, and the number of arguments needed.
    static func template(of format: String, arguments: [Any?]) throws -> (
        tokens: [Token], keyIndexes: [Int], needed: Int
    ) {
        var lexer = Lexer(format, arguments, leavesHoles: true)
        try lexer.run()
        return (lexer.tokens, lexer.keyIndexes, lexer.arguments.needed)
    }

    private init(_ format: String, _ arguments: [Any?]?, leavesHoles: Bool = false) {
        self.leavesHoles = leavesHoles
        self.format = format
        self.bytes = Array(format.utf8)
        self.arguments = FormatArguments(arguments ?? [])
        isOpen = arguments == nil
    }

    private mutating func run() throws {
        while true {
            while let byte = peek(), Lexer.isSpace(byte) { offset += 1 }
            guard let byte = peek() else { break }
            let start = offset
            let kind = try token(beginningWith: byte)
            tokens.append(Token(kind: kind, offset: start, end: offset))
        }
        tokens.append(Token(kind: .end, offset: bytes.count, end: bytes.count))
    }

    private mutating func token(beginningWith byte: UInt8) throws -> Token.Kind {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .value(try quotedText(byte))
        case UInt8(ascii: "%"): return try argument()
        case UInt8(ascii: "$"): return .variable(try name(after: "$", "a variable's name"))
        case UInt8(ascii: "#"): return .word(try name(after: "#", "a key"), escaped: true)
        case UInt8(ascii: "@"): return .collectionOperator("@" + (try name(after: "@", "an operator such as count")))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "."):
            // `.5` is a number, unless the dot may continue the previous token.
            if let digit = peek(1), Lexer.isDigit(digit), !dotContinuesToken { return .number(try number()) }
            return try symbol(byte)
        default:
            return Lexer.isNameStart(byte) ? try word() : try symbol(byte)
        }
    }

    private var dotContinuesToken: Bool {
        switch tokens.last?.kind {
        case .none, .symbol(.openParenthesis), .symbol(.openBrace), .symbol(.comma): return false
        case .symbol(.closeParenthesis), .symbol(.closeBracket), .symbol(.closeBrace): return true
        case .symbol: return false
        default: return tokens.last?.end == offset
        }
    }

    // MARK: - Bytes

    private func peek(_ distance: Int = 0) -> UInt8? {
        let index = offset + distance
        return index < bytes.count ? bytes[index] : nil
    }

    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private func error(_ message: String, at place: Int, expected: String = "") -> PredicateFormatError {
        PredicateFormatError(message: message, offset: place, expected: expected, format: format)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 || byte >= 128
    }

    private static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }

    /// Whether a text is a valid key without quotes.
    static func isName(_ word: String) -> Bool {
        guard let first = word.utf8.first, isNameStart(first) else { return false }
        return word.utf8.allSatisfy(isNamePart) && word.unicodeScalars.allSatisfy(isNameScalar)
    }

    /// Whether a scalar may be part of a name: beyond ASCII, all but spaces, punctuation and invisible ones.
    ///
    /// Typographic quotation marks must not slip into a key.
    private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .otherSymbol, .modifierSymbol,
            .currencySymbol, .connectorPunctuation:
            return true
        default: return scalar.value == 0x200D || scalar.value == 0x200C
        }
    }

    // MARK: - Words

    private mutating func name(after mark: String, _ expected: String) throws -> String {
        let start = offset
        offset += 1
        let begin = offset
        while let byte = peek(), Lexer.isNamePart(byte) { offset += 1 }
        guard offset > begin else {
            throw error("\"\(mark)\" is incomplete.", at: start, expected: "\(expected) after it")
        }
        try checkName(from: begin)
        return text(from: begin)
    }

    /// Rejects invalid characters in a name.
    private func checkName(from start: Int) throws {
        let name = text(from: start)
        guard let wrong = name.unicodeScalars.first(where: { !Lexer.isNameScalar($0) }) else { return }
        let before = name.unicodeScalars.prefix { $0 != wrong }
        let place = start + String(String.UnicodeScalarView(before)).utf8.count
        let isQuote = [.initialPunctuation, .finalPunctuation].contains(wrong.properties.generalCategory)
        let remedy = isQuote ? "a straight quotation mark" : "an operator, a key or a value"
        throw error("\"\(wrong)\" has no meaning here.", at: place, expected: remedy)
    }

    private mutating func word() throws -> Token.Kind {
        let start = offset
        while let byte = peek(), Lexer.isNamePart(byte) { offset += 1 }
        try checkName(from: start)
        if text(from: start).uppercased() == "UTI" {
            for suffix in ["-CONFORMS-TO", "-EQUALS"] where upcoming(suffix.utf8.count).uppercased() == suffix {
                offset += suffix.utf8.count
                return .word(text(from: start), escaped: false)
            }
        }
        // `add:to:(…)`: a colon that is not part of `:=` makes the word a function's full name.
        if peek() == UInt8(ascii: ":"), peek(1) != UInt8(ascii: "=") {
            while let byte = peek(), Lexer.isNamePart(byte) || byte == UInt8(ascii: ":") { offset += 1 }
            return .functionName(text(from: start))
        }
        return .word(text(from: start), escaped: false)
    }

    private func upcoming(_ count: Int) -> String {
        let end = min(offset + count, bytes.count)
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    // MARK: - Symbols

    private mutating func symbol(_ byte: UInt8) throws -> Token.Kind {
        let pair = upcoming(2)
        if let symbol = Lexer.longSymbols[pair] {
            offset += 2
            return .symbol(symbol)
        }
        let single = byte < 128 ? String(UnicodeScalar(byte)) : ""
        guard let symbol = single == "=" ? .equal : Symbol(rawValue: single) else {
            let character =
                format[format.utf8.index(format.startIndex, offsetBy: offset)...].first.map(String.init) ?? ""
            throw error("\"\(character)\" has no meaning here.", at: offset, expected: "an operator, a key or a value")
        }
        offset += 1
        return .symbol(symbol)
    }

    private static let longSymbols: [String: Symbol] = [
        "==": .equal, "!=": .notEqual, "<>": .notEqual, "<=": .lessOrEqual, "=<": .lessOrEqual,
        ">=": .greaterOrEqual, "=>": .greaterOrEqual, "<<": .shiftLeft, ">>": .shiftRight, "&&": .and, "||": .or,
        "**": .power, ":=": .assign,
    ]

    // MARK: - Numbers

    private mutating func number() throws -> NumberLiteral {
        let start = offset
        if peek() == UInt8(ascii: "0"), let mark = peek(1), let radix = Lexer.radixes[mark | 32] {
            offset += 2
            let begin = offset
            while let byte = peek(), Lexer.isNamePart(byte) { offset += 1 }
            guard let value = Int(text(from: begin), radix: radix) else {
                throw error("\"\(text(from: start))\" is not a number.", at: start, expected: "digits of base \(radix)")
            }
            return .integer(value)
        }
        var isReal = false
        skipDigits()
        if peek() == UInt8(ascii: "."), let digit = peek(1), Lexer.isDigit(digit) {
            isReal = true
            offset += 1
            skipDigits()
        }
        if let mark = peek(), mark | 32 == UInt8(ascii: "e") {
            let signed = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            if let digit = peek(signed ? 2 : 1), Lexer.isDigit(digit) {
                isReal = true
                offset += signed ? 2 : 1
                skipDigits()
            }
        }
        if let byte = peek(), Lexer.isNamePart(byte) {
            throw error(
                "A number cannot be followed by letters.",
                at: offset,
                expected: "a space or an operator; quote texts as in \"07_15\""
            )
        }
        let digits = text(from: start)
        if !isReal, let value = Int(digits) { return .integer(value) }
        guard let value = Double(digits) else { throw error("\"\(digits)\" is not a number.", at: start) }
        return .real(value)
    }

    private static let radixes: [UInt8: Int] = [
        UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2,
    ]

    private mutating func skipDigits() {
        while let byte = peek(), Lexer.isDigit(byte) { offset += 1 }
    }

    // MARK: - Quoted text

    private mutating func quotedText(_ quote: UInt8) throws -> String {
        let start = offset
        offset += 1
        var content: [UInt8] = []
        while let byte = peek() {
            offset += 1
            if byte == quote { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                content += escapedText()
            } else {
                content.append(byte)
            }
        }
        throw error("The text that begins here has no end.", at: start, expected: "a closing quotation mark")
    }

    /// The characters that an escape sequence represents.
    ///
    /// An unknown escape keeps its backslash, so that a regular expression such as `\d` survives.
    private mutating func escapedText() -> [UInt8] {
        guard let byte = peek() else { return [UInt8(ascii: "\\")] }
        offset += 1
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return [byte]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            let count = byte == UInt8(ascii: "u") ? 4 : 8
            let digits = upcoming(count)
            // A sign would be read as part of the number.
            if digits.utf8.count == count, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16),
                let scalar = UnicodeScalar(value)
            {
                offset += count
                return Array(String(Character(scalar)).utf8)
            }
            return [UInt8(ascii: "\\"), byte]
        default: return [UInt8(ascii: "\\"), byte]
        }
    }

    // MARK: - Arguments

    private mutating func argument() throws -> Token.Kind {
        let start = offset
        offset += 1
        let position = explicitPosition()
        while let byte = peek(), Lexer.isDigit(byte) || ".+-".utf8.contains(byte) { offset += 1 }
        while let byte = peek(), "hlqLzjt".utf8.contains(byte) { offset += 1 }
        guard let conversion = peek() else {
            throw error("\"%\" is at the end.", at: start, expected: "%@, %K or a number specifier such as %d")
        }
        offset += 1
        switch conversion {
        case UInt8(ascii: "@"), UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "p"):
            return .value(try argumentValue(start, position))
        case UInt8(ascii: "K"):
            return .keyPath(try keyPathArgument(start, position))
        case _ where "dDiuUxXoOcC".utf8.contains(conversion):
            skipRepeatedConversion()
            return .value(try argumentValue(start, position))
        case _ where "fFeEgGaA".utf8.contains(conversion):
            let value = try argumentValue(start, position, isReal: true)
            return .value((value as? any BinaryInteger).map { Double($0) } ?? value)
        case UInt8(ascii: "%"):
            let remedy = "modulus:by:(a, b) for a remainder"
            throw error("\"%%\" has no meaning outside quotes.", at: start, expected: remedy)
        default:
            let remedy = "%@, %K or a number specifier such as %d"
            throw error("An unknown argument specifier.", at: start, expected: remedy)
        }
    }

    /// Skips the last letter of `%lud` and `%hdd`.
    ///
    /// Shipped apps use such specifiers, and Apple's platforms accept them. A longer word, such as the `OR` of `%dOR`, stays.
    private mutating func skipRepeatedConversion() {
        guard let byte = peek(), "diu".utf8.contains(byte) else { return }
        if let next = peek(1), Lexer.isNamePart(next) { return }
        offset += 1
    }

    /// The `2$` of `%2$@`.
    private mutating func explicitPosition() -> Int? {
        var length = 0
        while let byte = peek(length), Lexer.isDigit(byte) { length += 1 }
        guard length > 0, peek(length) == UInt8(ascii: "$") else { return nil }
        let position = Int(upcoming(length))
        offset += length + 1
        return position
    }

    private mutating func argumentValue(
        _ start: Int,
        _ position: Int?,
        isKey: Bool = false,
        isReal: Bool = false
    ) throws -> Any? {
        if isOpen { return FormatPlaceholder(text: String(decoding: bytes[start..<offset], as: UTF8.self)) }
        guard let index = arguments.take(position: position) else {
            let message = "The format has \(arguments.count) argument\(arguments.count == 1 ? "" : "s")."
            throw error(message, at: start, expected: "one argument for each %")
        }
        if isKey { keyIndexes.append(index) }
        return leavesHoles && !isKey ? FormatHole(index: index, isReal: isReal) : arguments[index]
    }

    private mutating func keyPathArgument(_ start: Int, _ position: Int?) throws -> [String] {
        let value = try argumentValue(start, position, isKey: true)
        if let placeholder = value as? FormatPlaceholder { return [placeholder.text] }
        guard let keyPath = EvaluatedValue(value).text else {
            throw error("The argument of %K is not a text.", at: start, expected: "a key path such as \"owner.name\"")
        }
        let path = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !path.contains("") else {
            let message = "The argument of %K, \"\(keyPath)\", is not a key path."
            throw error(message, at: start, expected: "keys with one dot between")
        }
        return path
    }
}

// Parses the regular expressions that a table of states can decide: sets of characters, groups, choices and
// repetitions. Rejects all syntax that might mean something else in NSRegularExpression. Called by ASCIIExpression.

struct ASCIIExpressionParser {
    private static let maximumDepth = 50
    private static let maximumCount = 100

    private let pattern: [UInt8]
    private let ignoresCase: Bool
    private var place = 0
    private var depth = 0
    /// Whether the meaning of a part is uncertain for characters outside ASCII.
    private var knowsASCIIOnly = false

    /// Parses a pattern that must match the whole text; nil if it contains unsupported syntax.
    static func parse(
        _ pattern: String,
        ignoresCase: Bool
    ) -> (tree: ASCIIExpressionTree, knowsASCIIOnly: Bool)? {
        let bytes = Array(pattern.utf8)
        guard bytes.count <= 200, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        var parser = ASCIIExpressionParser(pattern: bytes, ignoresCase: ignoresCase)
        guard let tree = parser.choice(), parser.place == bytes.count else { return nil }
        return (tree, parser.knowsASCIIOnly)
    }

    private init(pattern: [UInt8], ignoresCase: Bool) {
        self.pattern = pattern
        self.ignoresCase = ignoresCase
    }

    private var byte: UInt8? { place < pattern.count ? pattern[place] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func choice() -> ASCIIExpressionTree? {
        var parts: [ASCIIExpressionTree] = []
        repeat {
            guard let part = sequence() else { return nil }
            parts.append(part)
        } while skip("|")
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() -> ASCIIExpressionTree? {
        var parts: [ASCIIExpressionTree] = []
        // The expression has to match the whole text, so anchors at its ends change nothing.
        if depth == 0, skip("^") {}
        while let byte, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            if depth == 0, skip("$") {
                guard self.byte == nil || self.byte == UInt8(ascii: "|") else { return nil }
                break
            }
            guard let part = atom(), let repeated = repetition(of: part) else { return nil }
            parts.append(repeated)
        }
        return .sequence(parts)
    }

    private mutating func repetition(of part: ASCIIExpressionTree) -> ASCIIExpressionTree? {
        let range: (Int, Int?)
        if skip("*") {
            range = (0, nil)
        } else if skip("+") {
            range = (1, nil)
        } else if skip("?") {
            range = (0, 1)
        } else if skip("{") {
            guard let least = number() else { return nil }
            if skip("}") {
                range = (least, least)
            } else {
                guard skip(",") else { return nil }
                let most = number()
                guard skip("}"), most.map({ $0 >= least }) ?? true else { return nil }
                range = (least, most)
            }
        } else {
            return part
        }
        // Greedy and lazy repetitions match the same whole texts.
        _ = skip("?")
        if let byte, "*+?{".utf8.contains(byte) { return nil }
        if part.coversNothing { return nil }
        return .repeated(part, least: range.0, most: range.1)
    }

    private mutating func number() -> Int? {
        var result: Int?
        while let byte, ASCIISet.digits.contains(byte), (result ?? 0) <= Self.maximumCount {
            result = (result ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
            place += 1
        }
        return result.flatMap { $0 <= Self.maximumCount ? $0 : nil }
    }

    private mutating func atom() -> ASCIIExpressionTree? {
        guard let byte else { return nil }
        switch byte {
        case UInt8(ascii: "."):
            place += 1
            return .set(.dot)
        case UInt8(ascii: "("): return group()
        case UInt8(ascii: "["): return bracket().map { .set($0) }
        case UInt8(ascii: "\\"): return escape().map { .set(folded($0)) }
        case _ where "^$*+?{}]".utf8.contains(byte) || byte < 0x20: return nil
        default:
            place += 1
            return .set(folded(ASCIISet(byte...byte)))
        }
    }

    private mutating func group() -> ASCIIExpressionTree? {
        guard skip("("), depth < Self.maximumDepth else { return nil }
        if skip("?") {
            guard skip(":") else { return nil }
        }
        depth += 1
        guard let tree = choice(), skip(")") else { return nil }
        depth -= 1
        return tree
    }

    private mutating func escape() -> ASCIISet? {
        guard skip("\\"), let byte else { return nil }
        place += 1
        // Unicode has more digits, word characters and spaces than ASCII.
        if "dDwWsS".utf8.contains(byte) { knowsASCIIOnly = true }
        switch byte {
        case UInt8(ascii: "d"): return .digits
        case UInt8(ascii: "D"): return .digits.inverted
        case UInt8(ascii: "w"): return .word
        case UInt8(ascii: "W"): return .word.inverted
        case UInt8(ascii: "s"): return .space
        case UInt8(ascii: "S"): return .space.inverted
        case _ where ".*+?()[]{}|^$\\/-".utf8.contains(byte): return ASCIISet(byte...byte)
        default: return nil
        }
    }

    /// A bracketed set of letters, digits and marks without a special meaning there.
    private mutating func bracket() -> ASCIISet? {
        guard skip("[") else { return nil }
        let isInverted = skip("^")
        var set = ASCIISet()
        var isEmpty = true
        while !skip("]") {
            guard let byte else { return nil }
            isEmpty = false
            if byte == UInt8(ascii: "\\") {
                guard let escaped = escape() else { return nil }
                set = set.union(escaped)
                // Reject a range that begins or ends with a class.
                if self.byte == UInt8(ascii: "-") { return nil }
                continue
            }
            if byte == UInt8(ascii: "-") {
                // A hyphen at the end is a literal.
                place += 1
                guard self.byte == UInt8(ascii: "]") else { return nil }
                set.insert(byte)
                continue
            }
            guard Self.isPlainInBrackets(byte) else { return nil }
            place += 1
            guard self.byte == UInt8(ascii: "-"), place + 1 < pattern.count, pattern[place + 1] != UInt8(ascii: "]")
            else {
                set.insert(byte)
                continue
            }
            let upper = pattern[place + 1]
            guard ASCIISet.word.contains(byte), ASCIISet.word.contains(upper), byte <= upper else { return nil }
            set = set.union(ASCIISet(byte...upper))
            place += 2
        }
        guard !isEmpty else { return nil }
        set = folded(set)
        return isInverted ? set.inverted : set
    }

    private static func isPlainInBrackets(_ byte: UInt8) -> Bool {
        ASCIISet.word.contains(byte) || ".,%+@!/'".utf8.contains(byte)
    }

    private func folded(_ set: ASCIISet) -> ASCIISet { ignoresCase ? set.withBothCases : set }
}

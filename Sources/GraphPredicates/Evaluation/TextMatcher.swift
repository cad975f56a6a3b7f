// A comparison of texts with its pattern prepared: one statement asks it for very many rows, whose texts come as bytes. Its
// answers are those of TextOrder and WildcardPattern over folded texts. Made and called by GraphSQL's functions.
import Foundation

/// A pattern that texts are compared with.
package final class TextMatcher: Sendable {
    /// How a text is compared with the pattern.
    package enum Kind: Sendable { case contains, beginsWith, endsWith, equals, like, matches }

    private let kind: Kind
    private let options: ComparisonOptions
    /// The folded pattern.
    private let text: String
    private let bytes: ContiguousArray<UInt8>
    private let wildcards: WildcardPattern?
    private let expression: RegularExpressions.Compiled?

    /// Prepares a pattern.
    ///
    /// Throws for a regular expression with a mistake in it.
    package init(_ kind: Kind, _ pattern: String, _ options: ComparisonOptions) throws {
        self.kind = kind
        self.options = options
        text = TextFolding.fold(pattern, options)
        bytes = ContiguousArray(text.utf8)
        wildcards = kind == .like ? WildcardPattern(pattern, options: options) : nil
        expression = kind == .matches ? try RegularExpressions.compiled(pattern, options: options) : nil
    }

    /// Whether a text, as UTF-8 bytes, satisfies the comparison; folds nothing where it is plain ASCII.
    package func holds(_ whole: UnsafeBufferPointer<UInt8>) -> Bool {
        if let expression { return expression.matches(String(decoding: whole, as: UTF8.self)) }
        if let wildcards {
            return wildcards.matches(ascii: whole) ?? wildcards.matches(String(decoding: whole, as: UTF8.self))
        }
        if !options.folds { return bytes.withUnsafeBufferPointer { compare(whole, $0, lower: 0) } }
        // The case of an ASCII letter is one bit.
        if Self.isASCII(whole) {
            let lowersCase = options.contains(.caseInsensitive)
            return bytes.withUnsafeBufferPointer { compare(whole, $0, lower: lowersCase ? 32 : 0) }
        }
        var folded = TextFolding.fold(String(decoding: whole, as: UTF8.self), options)
        return folded.withUTF8 { folded in
            bytes.withUnsafeBufferPointer { compare(folded, $0, lower: 0) }
        }
    }

    package func holds(_ whole: String) -> Bool {
        var whole = whole
        return whole.withUTF8 { holds($0) }
    }

    private func compare(
        _ whole: UnsafeBufferPointer<UInt8>,
        _ part: UnsafeBufferPointer<UInt8>,
        lower: UInt8
    ) -> Bool {
        switch kind {
        case .equals: return whole.count == part.count && Self.isAt(0, whole, part, lower)
        // Nothing begins with, ends with or contains the empty text.
        case .beginsWith: return !part.isEmpty && whole.count >= part.count && Self.isAt(0, whole, part, lower)
        case .endsWith:
            return !part.isEmpty && whole.count >= part.count
                && Self.isAt(whole.count - part.count, whole, part, lower)
        default:
            guard let first = part.first, whole.count >= part.count else { return false }
            for start in 0...(whole.count - part.count)
            where Self.folded(whole[start], lower) == first && Self.isAt(start, whole, part, lower) {
                return true
            }
            return false
        }
    }

    @inline(__always)
    private static func isAt(
        _ start: Int,
        _ whole: UnsafeBufferPointer<UInt8>,
        _ part: UnsafeBufferPointer<UInt8>,
        _ lower: UInt8
    ) -> Bool {
        for place in 0..<part.count where folded(whole[start + place], lower) != part[place] { return false }
        return true
    }

    @inline(__always)
    static func folded(_ byte: UInt8, _ lower: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | lower : byte
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 128
    }
}

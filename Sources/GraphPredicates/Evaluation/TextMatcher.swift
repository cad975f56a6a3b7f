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
    /// What the letters of texts are folded to.
    private let letters: FoldedLetters?

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
        // Case in a regular expression is up to the expression.
        let folding = kind == .matches ? options.intersection(.diacriticInsensitive) : options
        letters = folding.folds ? TextFolding.letters(folding) : nil
    }

    /// Whether a text, as UTF-8 bytes, satisfies the comparison.
    ///
    /// Texts of ASCII, and of Latin, Greek and Cyrillic letters, are compared without a String.
    package func holds(_ whole: UnsafeBufferPointer<UInt8>) -> Bool {
        quickAnswer(whole) ?? holdsInGeneral(String(decoding: whole, as: UTF8.self))
    }

    /// The answer that the bytes tell; nil if they do not.
    @inline(__always)
    private func quickAnswer(_ whole: UnsafeBufferPointer<UInt8>) -> Bool? {
        switch kind {
        case .equals, .beginsWith:
            return bytes.withUnsafeBufferPointer { part in
                letters.map { begins(whole, part, $0) } ?? compare(whole, part, lower: 0)
            }
        case .contains, .endsWith:
            return bytes.withUnsafeBufferPointer { part in
                guard let letters else { return compare(whole, part, lower: 0) }
                // The case of an ASCII letter is one bit.
                if Self.isASCII(whole) {
                    return compare(whole, part, lower: options.contains(.caseInsensitive) ? 32 : 0)
                }
                return folded(whole, letters) { compare($0, part, lower: 0) }
            }
        case .like:
            if let answer = wildcards?.matches(ascii: whole) { return answer }
            guard let letters else { return wildcards?.matches(folded: whole) }
            return folded(whole, letters) { wildcards?.matches(folded: $0) }
        case .matches:
            guard let quick = expression?.quick else { return nil }
            guard let letters, !Self.isASCII(whole) else { return quick.answer(whole) }
            return folded(whole, letters) { quick.answer($0) }
        }
    }

    /// Asks the folded bytes of a text; nil if it has letters that must be folded in general.
    @inline(__always)
    private func folded(
        _ whole: UnsafeBufferPointer<UInt8>,
        _ letters: FoldedLetters,
        _ answer: (UnsafeBufferPointer<UInt8>) -> Bool?
    ) -> Bool? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: whole.count * 2) { memory in
            letters.fold(whole, into: memory).flatMap { answer(UnsafeBufferPointer(rebasing: memory[..<$0])) }
        }
    }

    /// Whether a text, folded letter by letter, begins with the pattern or equals it; nil if that is not certain.
    @inline(__always)
    private func begins(
        _ whole: UnsafeBufferPointer<UInt8>,
        _ part: UnsafeBufferPointer<UInt8>,
        _ letters: FoldedLetters
    ) -> Bool? {
        var (place, matched) = (0, 0)
        while matched < part.count {
            guard place < whole.count else { return false }
            let (form, length) = letters.form(whole, place)
            guard form != 0 else { return nil }
            place += length
            var bytes = form << 8
            for _ in 0..<form >> 24 {
                // A letter of several bytes ends behind the pattern.
                guard matched < part.count else { return nil }
                // A mark could follow and change the letter.
                if UInt8(truncatingIfNeeded: bytes >> 24) != part[matched] {
                    return letters.isLetter(whole, place) ? false : nil
                }
                matched += 1
                bytes <<= 8
            }
        }
        guard letters.isLetter(whole, place) else { return nil }
        // Nothing begins with the empty text.
        return kind == .equals ? place == whole.count : !part.isEmpty
    }

    /// The answer by the definition of the operators.
    package func holdsInGeneral(_ whole: String) -> Bool {
        if let expression { return expression.matches(whole) }
        if let wildcards { return wildcards.matches(whole) }
        let folded = TextFolding.fold(whole, options)
        switch kind {
        case .contains: return TextOrder.contains(folded, text)
        case .beginsWith: return TextOrder.hasPrefix(folded, text)
        case .endsWith: return TextOrder.hasSuffix(folded, text)
        default: return TextOrder.areEqual(folded, text)
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

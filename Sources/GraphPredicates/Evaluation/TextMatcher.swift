// A text comparison with a prepared pattern: one statement calls it for many rows, whose texts are passed as bytes. Its
// results equal those of TextOrder and WildcardPattern on folded texts. Used by GraphSQL's functions.
import Foundation

/// A pattern to compare texts with.
package final class TextMatcher: Sendable {
    /// The operator that compares a text with the pattern.
    package enum Kind: Sendable { case contains, beginsWith, endsWith, equals, like, matches }

    private let kind: Kind
    private let options: ComparisonOptions
    private let pattern: String
    /// The folded pattern.
    private let text: String
    // Immutable; an array would be retained for each row.
    private nonisolated(unsafe) let part: UnsafeBufferPointer<UInt8>
    private let wildcards: WildcardPattern?
    private let expression: RegularExpressions.Compiled?
    /// The table that folds the letters of texts.
    private let letters: FoldedLetters?

    /// Prepares a pattern.
    ///
    /// Throws if a regular expression is invalid.
    package init(_ kind: Kind, _ pattern: String, _ options: ComparisonOptions) throws {
        self.kind = kind
        self.options = options
        self.pattern = pattern
        text = TextFolding.fold(pattern, options)
        wildcards = kind == .like ? WildcardPattern(pattern, options: options) : nil
        expression = kind == .matches ? try RegularExpressions.compiled(pattern, options: options) : nil
        // The regular expression handles case.
        let folding = kind == .matches ? options.intersection(.diacriticInsensitive) : options
        letters = folding.folds ? TextFolding.letters(folding) : nil
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        part = UnsafeBufferPointer(bytes)
    }

    deinit { part.deallocate() }

    /// Whether a text, as UTF-8 bytes, satisfies the comparison; nil if a regular expression takes too long.
    ///
    /// Texts of ASCII, and of Latin, Greek and Cyrillic letters, are compared without a String.
    package func answer(_ whole: UnsafeBufferPointer<UInt8>) -> Bool? {
        quickAnswer(whole) ?? answerInGeneral(String(decoding: whole, as: UTF8.self))
    }

    /// The answer from the bytes alone; nil if they are not sufficient.
    @inline(__always)
    private func quickAnswer(_ whole: UnsafeBufferPointer<UInt8>) -> Bool? {
        switch kind {
        case .equals, .beginsWith:
            guard let letters else { return compare(whole, lower: 0) }
            return begins(whole, letters)
        case .contains, .endsWith:
            guard let letters else { return compare(whole, lower: 0) }
            // The case of an ASCII letter is one bit.
            if Self.isASCII(whole) { return compare(whole, lower: options.contains(.caseInsensitive) ? 32 : 0) }
            return folded(whole, letters) { compare($0, lower: 0) }
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

    /// Evaluates the folded bytes of a text; nil if it has letters that need the general folding.
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

    /// Whether a text, folded letter by letter, begins with the pattern or equals it; nil if that is uncertain.
    @inline(__always)
    private func begins(_ whole: UnsafeBufferPointer<UInt8>, _ letters: FoldedLetters) -> Bool? {
        var (place, matched) = (0, 0)
        while matched < part.count {
            guard place < whole.count else { return false }
            let (form, length) = letters.form(whole, place)
            guard form != 0 else { return nil }
            place += length
            var bytes = form << 8
            for _ in 0..<form >> 24 {
                // The pattern ends within the bytes of a letter.
                guard matched < part.count else { return nil }
                // A combining mark could follow and change the letter.
                if UInt8(truncatingIfNeeded: bytes >> 24) != part[matched] {
                    return letters.isLetter(whole, place) ? false : nil
                }
                matched += 1
                bytes <<= 8
            }
        }
        guard letters.isLetter(whole, place) else { return nil }
        // No text begins with the empty text.
        return kind == .equals ? place == whole.count : !part.isEmpty
    }

    /// Evaluates the operator by its definition; nil if a regular expression takes too long.
    package func answerInGeneral(_ whole: String) -> Bool? {
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

    /// Whether a text satisfies the comparison; nil if a regular expression takes too long.
    package func answer(_ whole: String) -> Bool? {
        var whole = whole
        return whole.withUTF8 { answer($0) }
    }

    /// Whether a text satisfies the comparison.
    ///
    /// - Throws: `EvaluationError.slowPattern` if a regular expression takes too long.
    package func holds(_ whole: String) throws -> Bool {
        guard let answer = answer(whole) else { throw EvaluationError.slowPattern(pattern) }
        return answer
    }

    private func compare(_ whole: UnsafeBufferPointer<UInt8>, lower: UInt8) -> Bool {
        // No text begins with, ends with or contains the empty text.
        if kind == .equals { return whole.count == part.count && isPart(of: whole, at: 0, lower) }
        guard let first = part.first, whole.count >= part.count, let start = whole.baseAddress else { return false }
        let last = whole.count - part.count
        switch kind {
        case .beginsWith: return isPart(of: whole, at: 0, lower)
        case .endsWith: return isPart(of: whole, at: last, lower)
        default: break
        }
        if lower != 0 {
            // A folded letter is lowercase.
            let mask: UInt8 = first &- UInt8(ascii: "a") < 26 ? lower : 0
            for place in 0...last where whole[place] | mask == first {
                if isPart(of: whole, at: place, lower) { return true }
            }
            return false
        }
        var place = 0
        while place <= last, let match = memchr(start + place, Int32(first), last - place + 1) {
            place = UnsafeRawPointer(match) - UnsafeRawPointer(start)
            if isPart(of: whole, at: place, 0) { return true }
            place += 1
        }
        return false
    }

    /// Whether the pattern occurs at an offset of a text that is long enough.
    @inline(__always)
    private func isPart(of whole: UnsafeBufferPointer<UInt8>, at start: Int, _ lower: UInt8) -> Bool {
        for place in 0..<part.count where Self.folded(whole[start + place], lower) != part[place] { return false }
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

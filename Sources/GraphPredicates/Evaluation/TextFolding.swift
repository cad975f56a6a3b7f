// The only definition of case- and diacritic-insensitive text. Used by the evaluator in memory and, as a function, by
// SQL: both must agree on every text.

import Foundation

/// Converts texts to a form in which those that differ only in case or diacritics are equal.
package enum TextFolding {
    /// The folded form.
    ///
    /// Case: every scalar's full Unicode case folding, so that `ß` is `ss`, `ς` is `σ` and `İ` is `i` with a dot above.
    /// Diacritics: the combining marks of the canonical decomposition are removed. The result is composed, so that a
    /// letter with a mark does not begin with the bare letter.
    package static func fold(_ text: String, caseInsensitive: Bool, diacriticInsensitive: Bool) -> String {
        guard caseInsensitive || diacriticInsensitive else { return text }
        if let ascii = foldASCII(text, caseInsensitive: caseInsensitive) { return ascii }
        let letters = caseInsensitive ? (diacriticInsensitive ? bothLetters : caseLetters) : diacriticLetters
        return foldSimple(text, letters) ?? foldAny(text, caseInsensitive, diacriticInsensitive)
    }

    /// The general algorithm, which also generates the tables.
    private static func foldAny(_ text: String, _ caseInsensitive: Bool, _ diacriticInsensitive: Bool) -> String {
        var decomposed = text.decomposedStringWithCanonicalMapping
        if caseInsensitive {
            var folded = ""
            folded.reserveCapacity(decomposed.utf8.count)
            for scalar in decomposed.unicodeScalars { folded += foldCase(scalar) }
            decomposed = folded
        }
        guard diacriticInsensitive else { return decomposed.precomposedStringWithCanonicalMapping }
        if caseInsensitive { decomposed = decomposed.decomposedStringWithCanonicalMapping }
        var plain = String.UnicodeScalarView()
        for scalar in decomposed.unicodeScalars where !isMark(scalar) { plain.append(scalar) }
        return String(plain).precomposedStringWithCanonicalMapping
    }

    /// Folds by the options of a comparison.
    package static func fold(_ text: String, _ options: ComparisonOptions) -> String {
        fold(
            text,
            caseInsensitive: options.contains(.caseInsensitive),
            diacriticInsensitive: options.contains(.diacriticInsensitive)
        )
    }

    /// The folded text if it is plain ASCII, which requires neither tables nor decomposition.
    private static func foldASCII(_ text: String, caseInsensitive: Bool) -> String? {
        var hasUpper = false
        for byte in text.utf8 {
            if byte >= 128 { return nil }
            if byte >= 65, byte <= 90 { hasUpper = true }
        }
        guard caseInsensitive, hasUpper else { return text }
        return String(unsafeUninitializedCapacity: text.utf8.count) { buffer in
            var index = 0
            for byte in text.utf8 {
                buffer[index] = byte >= 65 && byte <= 90 ? byte | 32 : byte
                index += 1
            }
            return index
        }
    }

    // MARK: - Tables

    private static let caseLetters = letters(caseInsensitive: true, diacriticInsensitive: false)
    private static let diacriticLetters = letters(caseInsensitive: false, diacriticInsensitive: true)
    private static let bothLetters = letters(caseInsensitive: true, diacriticInsensitive: true)

    private static func letters(caseInsensitive: Bool, diacriticInsensitive: Bool) -> FoldedLetters {
        FoldedLetters { scalar in
            guard scalar.properties.canonicalCombiningClass == .notReordered else { return nil }
            return Array(foldAny(String(scalar), caseInsensitive, diacriticInsensitive).utf8)
        }
    }

    /// The table for the options, at least one of which must be set.
    static func letters(_ options: ComparisonOptions) -> FoldedLetters {
        guard options.contains(.caseInsensitive) else { return diacriticLetters }
        return options.contains(.diacriticInsensitive) ? bothLetters : caseLetters
    }

    /// Folds letter by letter, which is correct unless a combining mark could join the previous letter.
    private static func foldSimple(_ text: String, _ letters: FoldedLetters) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            var isSimple = true
            let folded = String(unsafeUninitializedCapacity: bytes.count * 2) { memory in
                guard let count = letters.fold(bytes, into: memory) else {
                    isSimple = false
                    return 0
                }
                return count
            }
            return isSimple ? folded : nil
        }
    }

    // MARK: - Scalars

    /// Lower, upper and lower again: the result of Unicode's full case folding, from the mappings that Swift has.
    ///
    /// The dotless `ı` is the only letter that this would fold to another (`i`).
    private static func foldCase(_ scalar: Unicode.Scalar) -> String {
        guard scalar.value != 0x131, scalar.properties.changesWhenCaseMapped || scalar.value == 0x345 else {
            return String(scalar)
        }
        let lower = scalar.properties.lowercaseMapping
        var result = ""
        for part in lower.unicodeScalars {
            for upper in part.properties.uppercaseMapping.unicodeScalars {
                result += upper.properties.lowercaseMapping
            }
        }
        return result
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        // The voicing marks of kana make different letters, in Foundation too.
        guard scalar.value >= 0x300, scalar.value != 0x3099, scalar.value != 0x309A else { return false }
        let properties = scalar.properties
        return properties.canonicalCombiningClass != .notReordered && properties.generalCategory == .nonspacingMark
    }
}

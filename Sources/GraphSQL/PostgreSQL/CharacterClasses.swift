// How scalars join to characters, found by trial, as a regular expression.

/// The classes of scalars that decide at which scalar a character ends.
struct CharacterClasses: Sendable {
    private var controls = ScalarRanges()
    private var extenders = ScalarRanges()
    private var prefixes = ScalarRanges()
    private var pictures = ScalarRanges()
    private var consonants = ScalarRanges()
    private var linkers = ScalarRanges()
    private var conjoined = ScalarRanges()
    private var pictureMarks = ScalarRanges()

    /// Notes a scalar's class, and returns whether it is a character by itself beside all others that are such.
    mutating func add(_ scalar: Unicode.Scalar) -> Bool {
        let character = String(scalar)
        if Self.joins("a", character) {
            extenders.append(scalar)
            if ("\u{2764}" + character + "\u{200D}\u{2764}").count == 1 { pictureMarks.append(scalar) }
            // A consonant of an Indic script is joined to the next one by a linker.
            if ("\u{915}" + character + "\u{915}").count == 1 { linkers.append(scalar) }
            if ("\u{915}\u{94D}" + character + "\u{915}").count == 1 { conjoined.append(scalar) }
            return false
        }
        if !Self.joins(character, "\u{301}") {
            controls.append(scalar)
            return scalar.value != 0xD && scalar.value != 0xA
        }
        if Self.joins(character, "a") {
            prefixes.append(scalar)
            return false
        }
        if (character + "\u{200D}\u{2764}").count == 1 { pictures.append(scalar) }
        if (character + "\u{94D}\u{915}").count == 1 { consonants.append(scalar) }
        // Flags, and the letters that make up Korean syllables.
        return !Self.joins(character, "\u{1F1E6}") && !Self.joins("\u{1100}", character)
            && !Self.joins(character, "\u{11A8}")
            || (0xAC00...0xD7A3).contains(scalar.value)
    }

    private static func joins(_ first: String, _ second: String) -> Bool { (first + second).count == 1 }

    /// The longest text of one character.
    var pattern: String {
        let (leading, vowel, trailing) = (
            "[\\u1100-\\u115f\\ua960-\\ua97c]", "[\\u1160-\\u11a7\\ud7b0-\\ud7c6]", "[\\u11a8-\\u11ff\\ud7cb-\\ud7fb]"
        )
        let extended = "[\(extenders.pattern)]*"
        let joined = "[\(conjoined.pattern)]*"
        let bases = [
            "[\\U0001f1e6-\\U0001f1ff]{2}",
            "\(leading)*(?:[\\uac00-\\ud7a3]\(vowel)*|\(vowel)+)\(trailing)*", "\(leading)+", "\(trailing)+",
            "[\(pictures.pattern)](?:[\(pictureMarks.pattern)]*\\u200d[\(pictures.pattern)])*",
            "[\(consonants.pattern)](?:\(joined)[\(linkers.pattern)]\(joined)[\(consonants.pattern)])*",
            "[^\(controls.pattern)]",
        ]
        return
            "\\u000d\\u000a|[\(controls.pattern)]|[\(prefixes.pattern)]*(?:\(bases.joined(separator: "|")))\(extended)"
    }
}

// How scalars join to characters, as a regular expression.

/// The classes of scalars that decide at which scalar a character ends.
package struct CharacterClasses: Sendable, Equatable {
    package var controls = ScalarRanges()
    package var extenders = ScalarRanges()
    package var prefixes = ScalarRanges()
    package var pictures = ScalarRanges()
    package var consonants = ScalarRanges()
    package var linkers = ScalarRanges()
    package var conjoined = ScalarRanges()
    package var pictureMarks = ScalarRanges()

    package init() {}

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

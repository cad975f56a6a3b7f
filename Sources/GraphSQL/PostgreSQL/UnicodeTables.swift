// Tables of Unicode for PostgreSQL's functions, read from the text in UnicodeTables+Recorded. They are those of Swift's
// properties of scalars when the text was written; a test compares them with the ones of today.

/// Classes and mappings of scalars.
package struct UnicodeTables: Sendable, Equatable {
    package static let shared = UnicodeTables(text: recorded)

    /// Letters in decomposed texts and their folded forms.
    package var foldedLetters = LetterMapping()
    package var uppercase = LetterMapping()
    package var lowercase = LetterMapping()
    /// The marks that a comparison without accents overlooks.
    package var marks = ScalarRanges()
    /// The same without those that have a case, which folding makes letters.
    package var marksButCased = ScalarRanges()
    /// Scalars of which each is a character whatever its neighbours of this class are, and equals no other text.
    package var plain = ScalarRanges()
    /// The rules by which scalars form characters.
    package var characters = CharacterClasses()

    package init() {}

    /// Reads the tables from a text: a table in each line, in the order of `ranges` and `mappings`.
    package init(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (line, table) in zip(lines, Self.ranges) { self[keyPath: table] = ScalarRanges(text: line) }
        for (line, table) in zip(lines.dropFirst(Self.ranges.count), Self.mappings) {
            self[keyPath: table] = LetterMapping(text: line)
        }
    }

    /// The tables as a text for `init(text:)`.
    package var text: String {
        (Self.ranges.map { self[keyPath: $0].text } + Self.mappings.map { self[keyPath: $0].text })
            .joined(separator: "\n")
    }

    private static var ranges: [WritableKeyPath<Self, ScalarRanges>] {
        [
            \.marks, \.marksButCased, \.plain, \.characters.controls, \.characters.extenders, \.characters.prefixes,
            \.characters.pictures, \.characters.consonants, \.characters.linkers, \.characters.conjoined,
            \.characters.pictureMarks,
        ]
    }

    private static var mappings: [WritableKeyPath<Self, LetterMapping>] {
        [\.foldedLetters, \.uppercase, \.lowercase]
    }
}

extension String {
    /// The scalars as ranges of a regular expression.
    var ranges: String {
        var ranges = ScalarRanges()
        for scalar in unicodeScalars.sorted() { ranges.append(scalar) }
        return ranges.pattern
    }
}

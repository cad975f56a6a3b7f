// Tables of Unicode for PostgreSQL's functions, made once a process of Swift's properties of scalars. How scalars join to
// characters is found by trial, for no property says it.
import Foundation
import GraphPredicates

/// Classes and mappings of scalars.
struct UnicodeTables: Sendable {
    static let shared = UnicodeTables()

    /// Letters in decomposed texts and their folded forms.
    private(set) var foldedLetters = LetterMapping()
    private(set) var uppercase = LetterMapping()
    private(set) var lowercase = LetterMapping()
    /// The marks that a comparison without accents overlooks, as ranges of a regular expression.
    let marks: String
    /// The same without those that have a case, which folding makes letters.
    let marksButCased: String
    /// Scalars of which each is a character whatever its neighbours of this class are, and equals no other text.
    let plain: String
    /// The regular expression of one character.
    let character: String

    private init() {
        var marks = ScalarRanges()
        var marksButCased = ScalarRanges()
        var plain = ScalarRanges()
        var characters = CharacterClasses()
        var forms = NormalForms(Self.scalars.filter { !Self.isUniform($0) })
        for scalar in Self.scalars {
            guard let form = forms.next(scalar) else {
                if Self.isAlone(scalar) || characters.add(scalar) { plain.append(scalar) }
                continue
            }
            let character = String(scalar)
            if form.isDecomposed {
                if TextFolding.fold(character, caseInsensitive: false, diacriticInsensitive: true).isEmpty {
                    marks.append(scalar)
                    if TextFolding.fold(character, caseInsensitive: true, diacriticInsensitive: true).isEmpty {
                        marksButCased.append(scalar)
                    }
                }
                if !scalar.isASCII {
                    let folded = TextFolding.fold(character, caseInsensitive: true, diacriticInsensitive: false)
                    if !TextOrder.areEqual(folded, character) {
                        foldedLetters.add(scalar, folded.decomposedStringWithCanonicalMapping)
                    }
                }
            }
            if !scalar.isASCII {
                uppercase.add(scalar, scalar.properties.uppercaseMapping)
                lowercase.add(scalar, scalar.properties.lowercaseMapping)
            }
            let isAlone = characters.add(scalar)
            if isAlone, form.isPrecomposed { plain.append(scalar) }
        }
        self.marks = marks.pattern
        self.marksButCased = marksButCased.pattern
        self.plain = plain.pattern
        character = characters.pattern
    }

    /// The scalars with properties: the planes behind have ideographs only, and those between are empty.
    private static var scalars: some Sequence<Unicode.Scalar> {
        [0x1...0xD7FF, 0xE000...0x1FFFF, 0xE0000...0xE0FFF].joined().lazy.compactMap { Unicode.Scalar(UInt32($0)) }
    }

    /// Whether a scalar surely is a character beside any other one.
    private static func isAlone(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isUnifiedIdeograph || scalar.properties.generalCategory == .privateUse
    }

    /// Whether a scalar surely has neither cases nor decompositions, and is no mark; three of four are of this kind.
    private static func isUniform(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isUnifiedIdeograph { return true }
        switch properties.generalCategory {
        case .unassigned, .privateUse: return true
        default: return false
        }
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

// The tables of Unicode as Swift's properties of scalars give them.
import Foundation
import GraphPredicates
import GraphSQL

extension UnicodeTables {
    /// Makes the tables of each scalar's properties.
    static func ofProperties() -> UnicodeTables {
        var tables = UnicodeTables()
        var forms = NormalForms(scalars.filter { !isUniform($0) })
        for scalar in scalars {
            guard let form = forms.next(scalar) else {
                if isAlone(scalar) || tables.characters.add(scalar) { tables.plain.append(scalar) }
                continue
            }
            let character = String(scalar)
            if form.isDecomposed {
                if TextFolding.fold(character, caseInsensitive: false, diacriticInsensitive: true).isEmpty {
                    tables.marks.append(scalar)
                    if TextFolding.fold(character, caseInsensitive: true, diacriticInsensitive: true).isEmpty {
                        tables.marksButCased.append(scalar)
                    }
                }
                if !scalar.isASCII {
                    let folded = TextFolding.fold(character, caseInsensitive: true, diacriticInsensitive: false)
                    if !TextOrder.areEqual(folded, character) {
                        tables.foldedLetters.add(scalar, folded.decomposedStringWithCanonicalMapping)
                    }
                }
            }
            if !scalar.isASCII {
                tables.uppercase.add(scalar, scalar.properties.uppercaseMapping)
                tables.lowercase.add(scalar, scalar.properties.lowercaseMapping)
            }
            let isAlone = tables.characters.add(scalar)
            if isAlone, form.isPrecomposed { tables.plain.append(scalar) }
        }
        return tables
    }

    /// The scalars with properties: the later planes have ideographs only, and those between are empty.
    private static var scalars: some Sequence<Unicode.Scalar> {
        [0x1...0xD7FF, 0xE000...0x1FFFF, 0xE0000...0xE0FFF].joined().lazy.compactMap { Unicode.Scalar(UInt32($0)) }
    }

    /// Whether a scalar surely is a character beside any other one.
    private static func isAlone(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isUnifiedIdeograph || scalar.properties.generalCategory == .privateUse
    }

    /// Whether a scalar surely has neither cases nor decompositions, and is not a mark; three of four are of this kind.
    private static func isUniform(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isUnifiedIdeograph { return true }
        switch properties.generalCategory {
        case .unassigned, .privateUse: return true
        default: return false
        }
    }
}

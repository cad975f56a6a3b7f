// How scalars join to characters is found by trial, for no property says it.
import GraphSQL

extension CharacterClasses {
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
}

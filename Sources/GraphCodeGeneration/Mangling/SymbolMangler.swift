// Writes the linker name of a declaration according to Swift's published ABI (Mangling document). One value mangles one
// symbol: words and substitutions refer to the symbol's existing text. Called through ManagedSymbol only.

/// The text of a mangled symbol under construction.
struct SymbolMangler {
    /// An entity that later mentions can refer back to.
    enum Substitution: Hashable {
        case identifier(String)
        case nominal(NominalType)
        case type(MangledType)
    }

    /// A word of an identifier, by its position in `buffer`.
    struct Word {
        var start: Int
        var length: Int
    }

    /// The last substitution written, until other text follows it: the next substitution may merge with it.
    struct LastSubstitution {
        var start: Int
        var end: Int
        var letter: UInt8
        var repetitions: Int
        var isStandard: Bool
    }

    var buffer: [UInt8] = Array("$s".utf8)
    var words: [Word] = []
    var substitutions: [Substitution: Int] = [:]
    var lastSubstitution: LastSubstitution?

    var text: String { String(decoding: buffer, as: UTF8.self) }

    mutating func append(_ text: String) {
        buffer.append(contentsOf: text.utf8)
    }

    mutating func remember(_ substitution: Substitution) {
        substitutions[substitution] = substitutions.count
    }

    /// Writes a reference back to `substitution`; returns false if it has not occurred yet.
    mutating func appendSubstitution(_ substitution: Substitution) -> Bool {
        guard let index = substitutions[substitution] else { return false }
        if index >= 26 {
            append("A")
            appendIndex(index - 26)
        } else {
            appendMerging(letter: UInt8(ascii: "A") + UInt8(index), isStandard: false)
        }
        return true
    }

    /// Writes `A` or `S` and a letter, or merges the letter with a substitution at the end of the text: `AB` and `C`
    /// become `AbC`, `Si` twice becomes `S2i`.
    mutating func appendMerging(letter: UInt8, isStandard: Bool) {
        if var last = lastSubstitution, last.end == buffer.count, last.isStandard == isStandard,
            last.repetitions < 2048
        {
            if last.letter == letter {
                last.repetitions += 1
                buffer.removeSubrange(last.start...)
                append(String(last.repetitions))
                buffer.append(letter)
                last.end = buffer.count
                lastSubstitution = last
                return
            }
            if !isStandard {
                buffer[buffer.count - 1] = last.letter - UInt8(ascii: "A") + UInt8(ascii: "a")
                beginSubstitution(letter, isStandard: false)
                return
            }
        }
        append(isStandard ? "S" : "A")
        beginSubstitution(letter, isStandard: isStandard)
    }

    private mutating func beginSubstitution(_ letter: UInt8, isStandard: Bool) {
        let start = buffer.count
        buffer.append(letter)
        lastSubstitution = LastSubstitution(
            start: start,
            end: buffer.count,
            letter: letter,
            repetitions: 1,
            isStandard: isStandard
        )
    }

    /// Writes an index: `_` is 0, `0_` is 1, `1_` is 2.
    private mutating func appendIndex(_ index: Int) {
        if index > 0 { append(String(index - 1)) }
        append("_")
    }
}

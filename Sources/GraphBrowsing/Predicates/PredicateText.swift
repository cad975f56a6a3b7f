// Splits a predicate that may be incomplete into words, for completion and for suggestions. The parser of formats
// rejects such texts; this one only finds boundaries.
import Foundation

/// The words of a predicate's text.
struct PredicateText {
    /// A name, a number, a text in quotation marks or a symbol, with its place.
    struct Word: Equatable {
        enum Kind: Equatable { case name, number, text, symbol }

        let kind: Kind
        let text: String
        /// The number of characters before it.
        let place: Int
        /// Whether a quotation mark that closes it is missing.
        var isOpen = false

        var end: Int { place + text.count }
        var upper: String { text.uppercased() }
    }

    let words: [Word]

    init(_ format: String) {
        let characters = Array(format)
        var words: [Word] = []
        var index = 0
        func isName(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || "_.@$#".contains(character)
        }
        while index < characters.count {
            let character = characters[index]
            let start = index
            if character.isWhitespace {
                index += 1
                continue
            }
            if character == "\"" || character == "'" {
                index += 1
                while index < characters.count, characters[index] != character {
                    index += characters[index] == "\\" ? 2 : 1
                }
                let isClosed = index < characters.count
                index = min(index + 1, characters.count)
                let literal = String(characters[start..<index])
                words.append(Word(kind: .text, text: literal, place: start, isOpen: !isClosed))
                continue
            }
            if character.isNumber {
                while index < characters.count, isName(characters[index]) { index += 1 }
                words.append(Word(kind: .number, text: String(characters[start..<index]), place: start))
                continue
            }
            if isName(character) {
                while index < characters.count, isName(characters[index]) { index += 1 }
                words.append(Word(kind: .name, text: String(characters[start..<index]), place: start))
                continue
            }
            let two = String(characters[start..<min(start + 2, characters.count)])
            index += ["==", "!=", "<=", ">=", "<>", "&&", "||", "**", "=<", "=>", ":="].contains(two) ? 2 : 1
            words.append(Word(kind: .symbol, text: String(characters[start..<index]), place: start))
        }
        self.words = words
    }

    /// A text in quotation marks.
    static func quoted(_ text: String) -> String {
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return "\"\(escaped.replacingOccurrences(of: "\n", with: "\\n"))\""
    }

    /// The first constant text, without quotation marks.
    var firstText: String? {
        words.first { $0.kind == .text && !$0.isOpen }.map { String($0.text.dropFirst().dropLast()) }
    }

    /// The predicate with exact comparisons of texts replaced by ones that ignore case and accents and find parts; nil
    /// if there are none.
    var softened: String? {
        var parts: [String] = []
        var isChanged = false
        for (index, word) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1] : nil
            if ["==", "=", "LIKE", "BEGINSWITH", "ENDSWITH", "CONTAINS"].contains(word.upper), next?.kind == .text {
                parts.append("CONTAINS[cd]")
                isChanged = true
            } else {
                parts.append(word.text)
            }
        }
        return isChanged ? parts.joined(separator: " ") : nil
    }
}

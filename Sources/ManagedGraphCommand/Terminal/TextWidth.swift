// The width of text on a terminal, and truncation and sanitizing of text for it. Used by TextTable.

import GraphArchives

enum TextWidth {
    /// The number of columns of a text without control characters.
    static func columns(_ text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
    }

    /// The number of columns of a character: 2 for East Asian wide characters and emoji, 0 for combining marks.
    static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if first.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD,
    ]

    /// The longest prefix of a text that fits the given number of columns, with … if it is truncated.
    static func cut(_ text: String, to width: Int) -> String {
        guard columns(text) > width else { return text }
        guard width > 0 else { return "" }
        var result = ""
        var usedColumns = 0
        for character in text {
            let size = columns(character)
            if usedColumns + size > width - 1 { break }
            result.append(character)
            usedColumns += size
        }
        return result + "…"
    }

    /// A text on one line, without characters that would move a terminal's cursor or change its state.
    static func harmless(_ text: String) -> String {
        let isHarmful = { (scalar: Unicode.Scalar) in
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028
                || scalar.value == 0x2029 || (0x202A...0x202E).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value)
        }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if let escape = scalar.letterEscape {
                result += escape
            } else if isHarmful(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

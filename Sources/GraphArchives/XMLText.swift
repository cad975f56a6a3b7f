// Escaping of text in Apple's XML stores, in which Xcode also keeps mapping models: a backslash begins an escape, which
// can represent characters that XML does not allow or reserves. Called by the XML store and by the reader of mapping models.
import Foundation

/// Escapes and unescapes text in XML stores.
package enum XMLText {
    /// Escapes a text for the content of an element.
    ///
    /// Characters that XML does not allow become `\u` and four digits of their UTF-16 unit, low byte first.
    package static func escaped(_ text: String) -> String {
        if isPlain(text) { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
                let unit = UInt16(truncatingIfNeeded: scalar.value).byteSwapped
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Escapes and quotes a text for an attribute of an element.
    package static func quoted(_ text: String) -> String {
        if isPlain(text) { return "\"\(text)\"" }
        // Marks after a backslash or a quote form one character with it.
        let scalars = escaped(text).unicodeScalars
            .replacing("\\\\".unicodeScalars, with: "\\".unicodeScalars)
            .replacing("\"".unicodeScalars, with: "&quot;".unicodeScalars)
        return "\"" + String(scalars) + "\""
    }

    /// Whether a text of ASCII needs no escape, in an element or in quotes.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
            default: byte >= 0x20 && byte < 0x80
            }
        }
    }

    /// A text without space at its ends.
    ///
    /// Foundation's function copies each character.
    package static func trimmed(_ text: String) -> String {
        func isPlain(_ byte: UInt8?) -> Bool { byte.map { $0 > 0x20 && $0 < 0x7F } ?? true }
        if isPlain(text.utf8.first), isPlain(text.utf8.last) { return text }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether Apple's frameworks escape a character, with the low byte first: XML does not allow or reserves it.
    private static func isSwapped(_ unit: UInt16) -> Bool {
        unit < 0x20 || unit >= 0xFFFE || Unicode.Scalar(unit).map { "&<>\"'".unicodeScalars.contains($0) } == true
    }

    /// Decodes the content of an element.
    ///
    /// Goes by scalars, because a mark that follows an escape joins its last digit to one character.
    package static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var result = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let slash = rest.firstIndex(of: "\\") {
            result.append(contentsOf: rest[..<slash])
            rest = rest[slash...].dropFirst()
            // The initializer alone would also read a sign.
            if rest.first == "u", case let digits = rest.dropFirst().prefix(4), digits.count == 4,
                digits.allSatisfy(\.properties.isASCIIHexDigit), let unit = UInt16(Substring(digits), radix: 16)
            {
                let swapped = unit.byteSwapped
                let value = isSwapped(swapped) ? swapped : unit
                result.append(Unicode.Scalar(UInt32(value)) ?? "\u{FFFD}")
                rest = rest.dropFirst(5)
            } else if let next = rest.popFirst() {
                result.append(next)
            }
        }
        result.append(contentsOf: rest)
        return String(result)
    }
}

// Text as Apple's XML stores have it: a backslash begins an escape, so that characters that XML cannot hold have a form.
import Foundation

/// Escapes of texts in XML stores.
enum XMLText {
    /// A text for the inside of an element.
    ///
    /// Characters that XML does not allow become `\u` and four digits of their UTF-16 unit, low byte first.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "\""
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

    /// A text for an attribute of an element.
    static func quoted(_ text: String) -> String {
        "\"" + escaped(text).replacing("\\\\", with: "\\").replacing("\"", with: "&quot;") + "\""
    }

    /// The text that an element's content stands for.
    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var result = ""
        var rest = Substring(text)
        while let slash = rest.firstIndex(of: "\\") {
            result += rest[..<slash]
            rest = rest[rest.index(after: slash)...]
            if rest.first == "u", case let digits = rest.dropFirst().prefix(4), digits.count == 4,
                let unit = UInt16(digits, radix: 16)
            {
                // A unit in Latin has its low byte first; others were never written that way.
                let value = unit & 0xFF == 0 || unit.byteSwapped >= 0xFFFE ? unit.byteSwapped : unit
                result.unicodeScalars.append(Unicode.Scalar(UInt32(value)) ?? "\u{FFFD}")
                rest = rest.dropFirst(5)
            } else if let next = rest.first {
                result.append(next)
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }
}

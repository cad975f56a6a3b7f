// A writer of JSON text that keeps the order of keys and escapes `<`, so that the text can be embedded in a page.

/// A JSON value whose text can be embedded in a page.
public enum JSONValue: Sendable {
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int)
    /// A list.
    case array([JSONValue])
    /// Keys and values in order.
    case object([(String, JSONValue)])

    /// The text of the value, without line breaks.
    public var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .string(let string): Self.write(string, to: &text)
        case .integer(let number): text += String(number)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let pairs):
            text += "{"
            for (index, pair) in pairs.enumerated() {
                if index > 0 { text += "," }
                Self.write(pair.0, to: &text)
                text += ":"
                pair.1.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        // Most texts need no escape, and appending them in one step is faster by far.
        let needsEscape = string.utf8.contains {
            $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x3C || $0 == 0xE2
        }
        guard needsEscape else {
            text += string
            text += "\""
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "<", "\u{2028}", "\u{2029}": text += escaped(scalar)
            case _ where scalar.value < 0x20: text += escaped(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

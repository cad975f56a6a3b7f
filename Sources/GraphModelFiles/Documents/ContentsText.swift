// Escapes of XML as Xcode writes them. Called by ContentsElement and ContentsParser.

enum ContentsText {
    /// How far an element stands to the right of the one that it is in.
    static let step = "    "

    private static let names: [String: Character] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

    /// What a spelling means; an escape that is none stays as it is.
    static func value(of spelling: String) -> String {
        guard spelling.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 < 0x20 }) else { return spelling }
        var result = ""
        // By scalars: a combining mark behind a semicolon belongs to no escape.
        var rest = spelling.unicodeScalars[...]
        while let first = rest.popFirst() {
            switch first {
            case "&":
                if let end = rest.firstIndex(of: ";"), let found = escape(String(rest[..<end])) {
                    result.unicodeScalars.append(contentsOf: found.unicodeScalars)
                    rest = rest[rest.index(after: end)...]
                } else {
                    result.unicodeScalars.append(first)
                }
            case "\r":
                // A line ends once, whether with one character or two.
                if rest.first == "\n" { rest.removeFirst() }
                result += " "
            case "\n", "\t": result += " "
            default: result.unicodeScalars.append(first)
            }
        }
        return result
    }

    private static func escape(_ name: String) -> String? {
        if let character = names[name] { return String(character) }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }

    /// A value as Xcode writes it between quotation marks: `>` stays as it is.
    static func escaped(_ value: String, quote: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case "\"" where quote == "\"": result += "&quot;"
            case "'" where quote == "'": result += "&apos;"
            case "\n": result += "&#10;"
            case "\r": result += "&#13;"
            case "\t": result += "&#9;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

// XML escapes as Xcode writes them. Called by ContentsElement and ContentsParser.
import Foundation

enum ContentsText {
    /// The indentation of an element relative to its parent.
    static let step = "    "

    private static let names: [String: Character] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

    /// Whether every ampersand outside comments and CDATA begins a known escape.
    static func isSound(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return true }
        var isSound = true
        _ = parts(of: text) { plain in
            // By scalars: a combining mark after a semicolon is not part of an escape.
            let escapes = plain.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false).dropFirst()
            isSound =
                isSound
                && escapes.allSatisfy { rest in
                    rest.firstIndex(of: ";").map { escape(String(rest[..<$0])) != nil } ?? false
                }
            return ""
        }
        return isSound
    }

    /// The meaning of text between tags: omits comments, replaces escapes, keeps CDATA.
    static func content(of text: String) -> String {
        parts(of: text) { value(of: $0, isAttribute: false) }
    }

    private static func parts(of text: String, plain: (String) -> String) -> String {
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "<") {
            result += plain(String(rest[..<mark]))
            rest = rest[mark...]
            let isCharacters = rest.hasPrefix("<![CDATA[")
            let end = isCharacters ? "]]>" : rest.hasPrefix("<!--") ? "-->" : "?>"
            guard let close = rest.range(of: end, options: .literal) else { return result }
            if isCharacters { result += rest[..<close.lowerBound].dropFirst("<![CDATA[".count) }
            rest = rest[close.upperBound...]
        }
        return result + plain(String(rest))
    }

    /// Replaces the escapes and line breaks in a spelling.
    ///
    /// - Parameters:
    ///   - spelling: Text without marks.
    ///   - isAttribute: Whether the spelling is an attribute's, in which a line break is a space.
    /// - Returns: The text.
    static func value(of spelling: String, isAttribute: Bool = true) -> String {
        guard spelling.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 < 0x20 }) else { return spelling }
        var result = ""
        // By scalars: a combining mark after a semicolon is not part of an escape.
        var rest = spelling.unicodeScalars[...]
        while let first = rest.popFirst() {
            switch first {
            case "&":
                if let end = rest.firstIndex(of: ";"), let character = escape(String(rest[..<end])) {
                    result.unicodeScalars.append(contentsOf: character.unicodeScalars)
                    rest = rest[rest.index(after: end)...]
                } else {
                    result.unicodeScalars.append(first)
                }
            case "\r":
                // A line break is one or two characters.
                if rest.first == "\n" { rest.removeFirst() }
                result += isAttribute ? " " : "\n"
            case "\n" where isAttribute, "\t" where isAttribute: result += " "
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

    /// The first character that XML has no spelling for: a control character other than tabs and line breaks.
    static func unrepresentable(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: false
            case 0..<0x20, 0xFFFE, 0xFFFF: true
            default: false
            }
        }
    }

    /// A value as Xcode writes it between quotation marks; `>` is not escaped.
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

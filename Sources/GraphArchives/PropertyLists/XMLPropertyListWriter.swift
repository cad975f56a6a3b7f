// Writes a property list inside another XML file with Apple's indentation, which Foundation's writer does not support.
// Used for the metadata of XML stores.
import Foundation

/// Writes property lists as XML elements.
package enum XMLPropertyListWriter {
    /// The number of elements that XML stores may have inside each other: their reader refuses more.
    private static let depthLimit = 64

    /// The elements of a value, with `indent` before each line; nil if a property list in XML cannot contain it.
    ///
    /// Each element around the value indents it by four spaces.
    package static func elements(_ value: Any, _ indent: String) -> String? {
        guard indent.utf8.count < 4 * depthLimit else { return nil }
        func line(_ name: String, _ content: String) -> String { "\(indent)<\(name)>\(content)</\(name)>\n" }
        switch value {
        case let text as String: return escaped(text).map { line("string", $0) }
        case let data as Data:
            // The lines of the data itself are not indented by the element's depth.
            return "\(indent)<data>\n\t\t\(data.base64EncodedString())\n\t\t</data>\n"
        case let date as Date:
            // The years of four digits can be read again.
            guard date >= .distantPast, date < Date(timeIntervalSince1970: 253_402_300_800) else { return nil }
            return line("date", date.formatted(.iso8601))
        case let flag as Bool where !(value is NSNumber) || isBoolean(value): return "\(indent)<\(flag)/>\n"
        case let number as NSNumber:
            return number.doubleValue == Double(number.int64Value)
                ? line("integer", "\(number.int64Value)") : line("real", "\(number.doubleValue)")
        case let values as [String: Any]:
            guard !values.isEmpty else { return "\(indent)<dict/>\n" }
            var result = "\(indent)<dict>\n"
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                guard let key = escaped(key), let inner = elements(value, indent + "    ") else { return nil }
                result += "\(indent)    <key>\(key)</key>\n" + inner
            }
            return result + "\(indent)</dict>\n"
        case let values as [Any]:
            guard !values.isEmpty else { return "\(indent)<array/>\n" }
            var result = "\(indent)<array>\n"
            for value in values {
                guard let inner = elements(value, indent + "    ") else { return nil }
                result += inner
            }
            return result + "\(indent)</array>\n"
        default: return nil
        }
    }

    private static func isBoolean(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return false }
        return UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "c") && (number == 0 || number == 1)
    }

    /// A text as the content of an element; nil if it has a character that XML cannot contain.
    ///
    /// Goes by scalars: a mark after `&`, or a line feed after a carriage return, forms one character with it.
    package static func escaped(_ text: String) -> String? {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
            case "\t", "\n": result.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": return nil
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

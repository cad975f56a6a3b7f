// Writes a property list inside another XML file with Apple's indentation, which Foundation's writer does not support.
// Used for the metadata of XML stores.
import Foundation

/// Writes property lists as XML elements.
package enum XMLPropertyListWriter {
    /// The elements of a value, with `indent` before each line; nil if a property list cannot contain it.
    package static func elements(_ value: Any, _ indent: String) -> String? {
        func line(_ name: String, _ content: String) -> String { "\(indent)<\(name)>\(content)</\(name)>\n" }
        switch value {
        case let text as String: return line("string", escaped(text))
        case let data as Data:
            // The lines of the data itself are not indented by the element's depth.
            return "\(indent)<data>\n\t\t\(data.base64EncodedString())\n\t\t</data>\n"
        case let date as Date: return line("date", date.formatted(.iso8601))
        case let flag as Bool where !(value is NSNumber) || isBoolean(value): return "\(indent)<\(flag)/>\n"
        case let number as NSNumber:
            return number.doubleValue == Double(number.int64Value)
                ? line("integer", "\(number.int64Value)") : line("real", "\(number.doubleValue)")
        case let values as [String: Any]:
            guard !values.isEmpty else { return "\(indent)<dict/>\n" }
            var result = "\(indent)<dict>\n"
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                guard let inner = elements(value, indent + "    ") else { return nil }
                result += "\(indent)    <key>\(escaped(key))</key>\n" + inner
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

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\r", with: "&#13;")
    }
}

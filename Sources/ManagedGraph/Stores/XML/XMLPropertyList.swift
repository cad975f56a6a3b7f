// The property list inside of an XML store, which is part of the file's own XML: read from parser events and written with
// Apple's indentation. Used by XMLStoreFile and XMLStoreWriter.
import Foundation

/// Builds a property list from a parser's events.
final class XMLPropertyListReader {
    /// A collection that is not complete.
    private enum Open {
        case array([Any])
        case dictionary([String: Any], key: String?)
    }

    private(set) var isOpen = false
    private(set) var result: [String: Any] = [:]
    private var stack: [Open] = []

    func begin(_ name: String) {
        isOpen = true
        switch name {
        case "array": stack.append(.array([]))
        case "dict": stack.append(.dictionary([:], key: nil))
        default: break
        }
    }

    /// Takes the end of an element; false where it makes no value.
    func end(_ name: String, _ text: String) -> Bool {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch name {
        case "plist":
            isOpen = false
            return stack.isEmpty
        case "key":
            guard case .dictionary(let values, nil)? = stack.popLast() else { return false }
            stack.append(.dictionary(values, key: text))
            return true
        case "dict":
            guard case .dictionary(let values, nil)? = stack.popLast() else { return false }
            return put(values)
        case "array":
            guard case .array(let values)? = stack.popLast() else { return false }
            return put(values)
        case "string": return put(text)
        case "integer": return Int64(trimmed).map { put(NSNumber(value: $0)) } ?? false
        case "real": return Double(trimmed).map { put(NSNumber(value: $0)) } ?? false
        case "true": return put(true)
        case "false": return put(false)
        case "date": return (try? Date(trimmed, strategy: .iso8601)).map { put($0) } ?? false
        case "data": return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { put($0) } ?? false
        default: return false
        }
    }

    private func put(_ value: Any) -> Bool {
        switch stack.popLast() {
        case .array(let values)?: stack.append(.array(values + [value]))
        case .dictionary(var values, let key?)?:
            values[key] = value
            stack.append(.dictionary(values, key: nil))
        case nil:
            guard let values = value as? [String: Any] else { return false }
            result = values
        case .dictionary?: return false
        }
        return true
    }
}

/// Writes property lists as XML.
enum XMLPropertyList {
    /// The elements of a value, each line behind `indent`; nil where no property list can hold it.
    static func elements(_ value: Any, _ indent: String) -> String? {
        func line(_ name: String, _ text: String) -> String { "\(indent)<\(name)>\(text)</\(name)>\n" }
        switch value {
        case let text as String: return line("string", escaped(text))
        case let data as Data:
            // The lines of the data themselves are not indented by the element's depth.
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

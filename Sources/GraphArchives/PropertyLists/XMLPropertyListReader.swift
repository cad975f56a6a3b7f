// Reads a property list inside another XML file from parser events: Foundation's reader requires a separate file. Used
// for the metadata of XML stores.
import Foundation

/// Builds a property list from a parser's events.
package final class XMLPropertyListReader {
    /// An incomplete collection.
    private enum Open {
        case array([Any])
        case dictionary([String: Any], key: String?)
    }

    /// Whether the list has begun but not ended.
    package private(set) var isOpen = false
    /// The list, complete once it has ended.
    package private(set) var result: [String: Any] = [:]
    private var stack: [Open] = []

    package init() {}

    /// Handles the beginning of an element.
    package func begin(_ name: String) {
        isOpen = true
        switch name {
        case "array": stack.append(.array([]))
        case "dict": stack.append(.dictionary([:], key: nil))
        default: break
        }
    }

    /// Handles the end of an element; returns false if the element is invalid.
    package func end(_ name: String, _ text: String) -> Bool {
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

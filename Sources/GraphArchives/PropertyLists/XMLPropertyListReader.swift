// Reads a property list inside another XML file from parser events: Foundation's reader requires a separate file. Used
// for the metadata of XML stores.
import Foundation

/// Builds a property list from a parser's events.
package final class XMLPropertyListReader {
    /// An incomplete collection.
    private struct Open {
        let isArray: Bool
        var members: [Any] = []
        var entries: [String: Any] = [:]
        /// The key of the next value of a dictionary.
        var key: String?
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
        case "array": stack.append(Open(isArray: true))
        case "dict": stack.append(Open(isArray: false))
        default: break
        }
    }

    /// Handles the end of an element; returns false if the element is invalid.
    package func end(_ name: String, _ content: String) -> Bool {
        let trimmed = content.trimmingCharacters(in: .whitespacesAndNewlines)
        switch name {
        case "plist":
            isOpen = false
            return stack.isEmpty
        case "key":
            guard let open = stack.last, !open.isArray, open.key == nil else { return false }
            stack[stack.count - 1].key = content
            return true
        case "dict":
            guard let open = stack.popLast(), !open.isArray, open.key == nil else { return false }
            return put(open.entries)
        case "array":
            guard let open = stack.popLast(), open.isArray else { return false }
            return put(open.members)
        case "string": return put(content)
        case "integer": return Int64(trimmed).map { put(NSNumber(value: $0)) } ?? false
        case "real": return Double(trimmed).map { put(NSNumber(value: $0)) } ?? false
        case "true": return put(true)
        case "false": return put(false)
        case "date": return (try? Date(trimmed, strategy: .iso8601)).map { put($0) } ?? false
        case "data": return Data(base64Encoded: content, options: .ignoreUnknownCharacters).map { put($0) } ?? false
        default: return false
        }
    }

    private func put(_ value: Any) -> Bool {
        guard let isArray = stack.last?.isArray else {
            guard let values = value as? [String: Any] else { return false }
            result = values
            return true
        }
        if isArray {
            stack[stack.count - 1].members.append(value)
            return true
        }
        guard let key = stack.last?.key else { return false }
        stack[stack.count - 1].entries[key] = value
        stack[stack.count - 1].key = nil
        return true
    }
}

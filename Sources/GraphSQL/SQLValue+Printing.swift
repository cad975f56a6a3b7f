// Values as readable text, for logs and inspection; statements bind them.
import Foundation

extension SQLValue {
    /// The value as text, similar to a literal.
    ///
    /// - Parameter isWhole: Whether texts over 80 characters and data over 16 bytes are printed in full.
    /// - Returns: The text.
    package func printed(isWhole: Bool = false) -> String {
        switch self {
        case .null: return "NULL"
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .text(let text):
            return isWhole || text.count <= 80 ? "'\(text)'" : "'\(text.prefix(80))…' (\(text.count) characters)"
        case .typed(let value): return value.printed(isWhole: isWhole)
        case .blob(let data):
            let bytes = data.prefix(isWhole ? data.count : 16).map { String(format: "%02x", $0) }.joined()
            return "x'\(bytes)\(isWhole || data.count <= 16 ? "" : "…")' (\(data.count) bytes)"
        }
    }
}

extension TypedValue {
    fileprivate func printed(isWhole: Bool) -> String {
        switch self {
        case .boolean(let value): return value ? "TRUE" : "FALSE"
        case .decimal(let value): return value.description
        case .time(let value): return "'\(Date(timeIntervalSinceReferenceDate: value).ISO8601Format())'"
        case .uuid(let value): return "'\(value.uuidString)'"
        case .list(let values, _):
            let shown = isWhole ? values[...] : values.prefix(8)
            let more = values.count - shown.count
            let texts = shown.map { $0.printed(isWhole: isWhole) } + (more > 0 ? ["… \(more) more"] : [])
            return "ARRAY[\(texts.joined(separator: ", "))]"
        }
    }
}

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
        case .blob(let data):
            let bytes = data.prefix(isWhole ? data.count : 16).map { String(format: "%02x", $0) }.joined()
            return "x'\(bytes)\(isWhole || data.count <= 16 ? "" : "…")' (\(data.count) bytes)"
        }
    }
}

// Values as text within a statement. Used for declarations, if no value can be bound.
import Foundation

extension SQLValue {
    /// The value as SQLite reads it in a statement; nil for one that might be read as another.
    var literal: String? {
        switch self {
        case .null: return "NULL"
        case .integer(let number): return number == .min ? nil : String(number)
        case .real(let number):
            // SQLite reads 15 digits exactly.
            let literal = "\(number)"
            let digits = literal.prefix { $0 != "e" }.filter(\.isNumber).count
            return number.isFinite && digits <= 15 ? literal : nil
        case .text(let text):
            return text.utf8.contains(0) ? nil : "'" + text.doubling("'") + "'"
        case .typed(let value): return value.plain.literal
        case .blob(let data):
            let hex = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return data.count <= 4096 ? "x'\(hex)'" : nil
        }
    }
}

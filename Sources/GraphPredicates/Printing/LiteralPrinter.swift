// Prints constants: in Apple's format for texts, numbers, nil, lists and dates, and as casts for the other types, which
// have no literal, so that they parse back.

import Foundation
import GraphArchives

enum LiteralPrinter {
    /// The text of a constant; an operand of arithmetic that is a whole real prints as a real, as in `1.0 / 2`.
    static func print(_ value: Any?, isOperand: Bool = false) -> String {
        switch EvaluatedValue(value) {
        case .null: return "nil"
        case .boolean(let value): return value ? "1" : "0"
        case .integer(let value): return String(value)
        case .real(let value): return real(value, isOperand: isOperand)
        case .decimal(let value): return cast("\(value)".quoted(), .decimal)
        case .text(let text): return text.quoted()
        case .date(let date): return cast(seconds(date.timeIntervalSinceReferenceDate), .date)
        case .uuid(let value): return cast(value.uuidString.quoted(), .uuid)
        case .data(let value): return cast(value.base64EncodedString().quoted(), .data)
        case .url(let value): return cast(value.absoluteString.quoted(), .url)
        case .collection(let collection): return list(collection)
        case .dictionary(let value): return "<\(String(describing: value))>"
        case .readable(let value): return "<\(String(describing: value))>"
        case .other(let value as FormatPlaceholder): return value.text
        case .other(let value): return "<\(String(describing: value))>"
        }
    }

    private static func list(_ collection: any EvaluableCollection) -> String {
        var parts = collection.evaluatedElements().map { print($0) }
        // The order of a set changes from run to run; the text must not.
        if collection.isUnordered { parts.sort() }
        return "{" + parts.joined(separator: ", ") + "}"
    }

    private static func cast(_ value: String, _ type: CastType) -> String {
        "CAST(\(value), \"\(type.rawValue)\")"
    }

    private static func real(_ value: Double, isOperand: Bool) -> String {
        guard value.isFinite else { return cast("\(value)".quoted(), .number) }
        if !isOperand, value.magnitude < 0x1p53, let whole = Int(exactly: value) { return String(whole) }
        return "\(value)"
    }

    /// Seconds with six decimals as in Apple's format, or with more if six would change the value.
    private static func seconds(_ value: Double) -> String {
        guard value.isFinite else { return "\(value)".quoted() }
        let fixed = String(format: "%.6f", value)
        return Double(fixed) == value ? fixed : "\(value)"
    }
}

// JSON with its members in a fixed order. Called by the commands that write one object a line.
import Foundation

/// A JSON value to be written.
enum JSONText {
    case null
    case boolean(Bool)
    case number(Int)
    case real(Double)
    case string(String)
    case array([JSONText])
    case object([(String, JSONText)])

    static func string(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }
    static func number(_ number: Int?) -> JSONText { number.map { .number($0) } ?? .null }

    /// The value on one line.
    var text: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let value): "\(value)"
        // JSON has no other numbers.
        case .real(let value): value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
        }
    }

    /// A text between quotation marks.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\u" + String(format: "%04x", scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

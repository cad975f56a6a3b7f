// JSON as a value: keeps the digits of numbers and the order of members. Created by JSONReader, and by commands that
// write one object per line; Foundation's writer can only sort members by name.

/// A JSON value with its numbers as digits and its members in order.
package enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    /// The digits, unchanged.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Null for nil.
    package static func string(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    /// Null for nil.
    package static func number(_ number: Int?) -> JSONValue { number.map { .number(String($0)) } ?? .null }
    /// Null for infinity and NaN.
    package static func real(_ number: Double) -> JSONValue { number.isFinite ? .number("\(number)") : .null }
    package static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { JSONMember(name: $0.0, value: $0.1) })
    }

    /// The kind of value, for messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

// JSON as a value: numbers as their digits, members in their order. Made by JSONReader, and by commands that write one
// object a line; Foundation's writer has no order of members but the alphabet's.

/// A JSON value.
package enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    /// The digits as they were or will be written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Null for nil.
    package static func string(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    /// Null for nil.
    package static func number(_ number: Int?) -> JSONValue { number.map { .number(String($0)) } ?? .null }
    /// Null for what JSON has no digits for.
    package static func real(_ number: Double) -> JSONValue { number.isFinite ? .number("\(number)") : .null }
    package static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { JSONMember(name: $0.0, value: $0.1) })
    }

    /// The kind of value, as messages name it.
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

// Recognizes the commonest constants of predicates by their type: comparing types costs a few instructions, a cast from
// `Any` that fails some hundred, as it looks for bridges and conformances. Used wherever arguments are examined.
import Foundation

/// Distinguishes plain values from objects, collections and optionals.
enum PlainValue {
    /// Whether a value is surely a text, a number, a date or a UUID of Swift's; false means unknown.
    @inline(__always)
    static func isPlain(_ value: Any) -> Bool {
        let type = Swift.type(of: value)
        return type == String.self || type == Int.self || type == Int64.self || type == Double.self
            || type == Bool.self || type == Date.self || type == Int32.self || type == UUID.self
    }
}

// The values bound to SQL statements, and statements as text with bindings. Beside `SQLValue`.
import Foundation

/// A statement's text with the values of its marks, in order.
package struct SQLStatement: Hashable, Sendable {
    package var text: String
    package var bindings: [SQLValue]

    package init(_ text: String, _ bindings: [SQLValue] = []) {
        self.text = text
        self.bindings = bindings
    }
}

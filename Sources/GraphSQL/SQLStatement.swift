// An SQL statement: its text and the values bound to it.
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

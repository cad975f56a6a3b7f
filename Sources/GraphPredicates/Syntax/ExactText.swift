// A text compared by its bytes. Swift treats canonically equivalent texts as equal, but patterns and formats of
// predicates depend on the exact characters, and so do unique indexes.

import Foundation

/// A text that equals only texts with the same bytes.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (lhs: ExactText, rhs: ExactText) -> Bool {
        var (left, right) = (lhs.text, rhs.text)
        return left.withUTF8 { leftBytes in
            right.withUTF8 { rightBytes in
                guard leftBytes.count == rightBytes.count else { return false }
                guard let first = leftBytes.baseAddress, let second = rightBytes.baseAddress else { return true }
                return first == second || memcmp(first, second, leftBytes.count) == 0
            }
        }
    }

    package func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

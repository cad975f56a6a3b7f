// A text as the key of a cache. Swift treats canonically equivalent texts as equal, but patterns and formats of
// predicates depend on the exact characters.

import Foundation

/// A text that equals only texts with the same bytes.
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (lhs: ExactText, rhs: ExactText) -> Bool {
        var (left, right) = (lhs.text, rhs.text)
        return left.withUTF8 { leftBytes in
            right.withUTF8 { rightBytes in
                guard leftBytes.count == rightBytes.count else { return false }
                guard let first = leftBytes.baseAddress, let second = rightBytes.baseAddress else { return true }
                return first == second || memcmp(first, second, leftBytes.count) == 0
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

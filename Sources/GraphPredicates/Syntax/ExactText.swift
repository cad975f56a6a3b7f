// A text as the key of a cache. Swift treats canonically equivalent texts as equal, but patterns and formats of
// predicates depend on the exact characters.

import Foundation

/// A text that equals only texts with the same bytes.
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: ExactText, other: ExactText) -> Bool {
        var (one, other) = (one.text, other.text)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                guard one.count == other.count else { return false }
                guard let first = one.baseAddress, let second = other.baseAddress else { return true }
                return first == second || memcmp(first, second, one.count) == 0
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

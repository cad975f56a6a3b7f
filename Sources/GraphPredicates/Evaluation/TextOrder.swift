// The plain order of texts: by Unicode scalar values, the same as by UTF-8 bytes. Used by comparisons and sort
// descriptors. Ignores canonical equivalence, as SQLite's BINARY collation does.

import Foundation

package enum TextOrder {
    package static func areEqual(_ a: String, _ b: String) -> Bool {
        withBytes(a, b) { $0.count == $1.count && $0.elementsEqual($1) }
    }

    package static func compare(_ a: String, _ b: String) -> ComparisonResult {
        withBytes(a, b) { compare($0, $1) }
    }

    static func compare(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> ComparisonResult {
        if let first = a.baseAddress, let second = b.baseAddress {
            let order = memcmp(first, second, min(a.count, b.count))
            if order != 0 { return order < 0 ? .orderedAscending : .orderedDescending }
        }
        if a.count == b.count { return .orderedSame }
        return a.count < b.count ? .orderedAscending : .orderedDescending
    }

    /// Whether `text` begins with the bytes of `part`.
    ///
    /// No text begins with, ends with or contains the empty text, as in Apple's predicates.
    package static func hasPrefix(_ text: String, _ part: String) -> Bool {
        withBytes(text, part) { whole, piece in
            !piece.isEmpty && whole.count >= piece.count && whole.prefix(piece.count).elementsEqual(piece)
        }
    }

    /// Whether `text` ends with the bytes of `part`.
    package static func hasSuffix(_ text: String, _ part: String) -> Bool {
        withBytes(text, part) { whole, piece in
            !piece.isEmpty && whole.count >= piece.count && whole.suffix(piece.count).elementsEqual(piece)
        }
    }

    /// Whether `text` contains the bytes of `part`.
    package static func contains(_ text: String, _ part: String) -> Bool {
        withBytes(text, part) { whole, piece in
            guard let first = piece.first, whole.count >= piece.count else { return false }
            for start in 0...(whole.count - piece.count) where whole[start] == first {
                var length = 1
                while length < piece.count, whole[start + length] == piece[length] { length += 1 }
                if length == piece.count { return true }
            }
            return false
        }
    }

    /// Calls a closure with the UTF-8 bytes of two texts.
    @inline(__always)
    private static func withBytes<R>(
        _ a: String,
        _ b: String,
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> R
    ) -> R {
        var a = a
        var b = b
        return a.withUTF8 { first in b.withUTF8 { second in body(first, second) } }
    }
}

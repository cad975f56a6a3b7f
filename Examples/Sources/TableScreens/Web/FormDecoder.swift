// Decodes queries and urlencoded forms. Called by Address and FormBody+Reading. It copies whole pieces between the encoded
// characters instead of single bytes: a field may have megabytes.
import Foundation

struct FormDecoder {
    /// The number of pieces copied so far; a test checks that plain text of any length is one piece.
    private(set) var pieces = 0

    /// Returns the pairs of a query or of an urlencoded form.
    ///
    /// - Complexity: O(bytes).
    mutating func fields(_ bytes: UnsafeRawBufferPointer) -> [(String, String)] {
        var fields: [(String, String)] = []
        var start = 0
        while start < bytes.count {
            let end = Self.find("&", in: bytes, from: start)
            if end > start {
                let pair = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                let equals = Self.find("=", in: pair, from: 0)
                let name = UnsafeRawBufferPointer(rebasing: pair[..<equals])
                let value = UnsafeRawBufferPointer(rebasing: pair[min(pair.count, equals + 1)...])
                fields.append((text(name, plusIsSpace: true), text(value, plusIsSpace: true)))
            }
            start = end + 1
        }
        return fields
    }

    /// Returns the decoded text; ill-formed UTF-8 becomes U+FFFD, which matches nothing.
    ///
    /// - Complexity: O(bytes).
    mutating func text(_ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool) -> String {
        var decoded: [UInt8] = []
        var place = 0
        var percent = Self.find("%", in: bytes, from: 0)
        var plus = plusIsSpace ? Self.find("+", in: bytes, from: 0) : bytes.count
        if percent == bytes.count, plus == bytes.count {
            pieces += 1
            return String(decoding: bytes, as: UTF8.self)
        }
        decoded.reserveCapacity(bytes.count)
        while place < bytes.count {
            let end = min(percent, plus)
            if end > place {
                pieces += 1
                decoded.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[place..<end]))
            }
            guard end < bytes.count else { break }
            place = end + 1
            if end == plus {
                decoded.append(UInt8(ascii: " "))
                plus = Self.find("+", in: bytes, from: place)
                continue
            }
            if place + 1 < bytes.count, let high = Self.digit(bytes[place]), let low = Self.digit(bytes[place + 1]) {
                decoded.append(high << 4 | low)
                place += 2
            } else {
                decoded.append(UInt8(ascii: "%"))
            }
            percent = Self.find("%", in: bytes, from: place)
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Returns the position of the next such character, or the end.
    private static func find(_ character: Unicode.Scalar, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = bytes.baseAddress, start < bytes.count,
            let match = memchr(base + start, Int32(character.value), bytes.count - start)
        else { return bytes.count }
        return base.distance(to: UnsafeRawPointer(match))
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}

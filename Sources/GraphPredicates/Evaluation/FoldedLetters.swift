// The folded forms of ASCII and of the Latin, Greek and Cyrillic letters, for lookups without an allocation. Created by
// TextFolding, which defines the forms; used by it and by code that compares texts as bytes.

import Foundation

/// A table of letters and their folded forms.
struct FoldedLetters: Sendable {
    /// Scalars below this have at most two bytes of UTF-8.
    static let end: UInt32 = 0x530

    /// Up to three bytes per scalar, with their count in the high byte; 0 for combining marks and for longer forms.
    // Unsafe is correct: the memory is never changed after `init`, and never deallocated.
    private nonisolated(unsafe) let forms: UnsafePointer<UInt32>

    /// Stores the result of `fold` for each letter; `fold` returns nil for a combining mark.
    init(_ fold: (Unicode.Scalar) -> [UInt8]?) {
        let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: Int(Self.end))
        for value in 0..<Self.end {
            memory[Int(value)] = 0
            guard let scalar = Unicode.Scalar(value), let bytes = fold(scalar), 1...3 ~= bytes.count else { continue }
            let form = bytes.reduce(UInt32(bytes.count)) { $0 << 8 | UInt32($1) }
            memory[Int(value)] = form << (8 * UInt32(3 - bytes.count))
        }
        forms = UnsafePointer(memory)
    }

    /// The folded form of the letter at an offset, and the letter's length in bytes.
    ///
    /// The form has the number of its bytes in the high byte, followed by the bytes; it is 0 if the table has none.
    @inline(__always)
    func form(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> (form: UInt32, length: Int) {
        let byte = text[place]
        if byte < 0x80 { return (forms[Int(byte)], 1) }
        guard byte >= 0xC2, byte <= 0xD4, place + 1 < text.count, text[place + 1] & 0xC0 == 0x80 else { return (0, 1) }
        let scalar = UInt32(byte & 0x1F) << 6 | UInt32(text[place + 1] & 0x3F)
        return (scalar < Self.end ? forms[Int(scalar)] : 0, 2)
    }

    /// Whether the offset is the end or has a letter, not a mark that would change the previous letter.
    @inline(__always)
    func isLetter(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        place >= text.count || text[place] < 0x80 || form(text, place).form != 0
    }

    /// Folds a text into memory of twice its size and returns the number of bytes; nil if the text has other letters.
    func fold(_ text: UnsafeBufferPointer<UInt8>, into memory: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        var (place, count) = (0, 0)
        while place < text.count {
            let byte = text[place]
            if byte < 0x80 {
                memory[count] = UInt8(truncatingIfNeeded: forms[Int(byte)] >> 16)
                (place, count) = (place + 1, count + 1)
                continue
            }
            let (form, length) = form(text, place)
            guard form != 0 else { return nil }
            memory[count] = UInt8(truncatingIfNeeded: form >> 16)
            let bytes = Int(form >> 24)
            if bytes > 1 { memory[count + 1] = UInt8(truncatingIfNeeded: form >> 8) }
            if bytes > 2 { memory[count + 2] = UInt8(truncatingIfNeeded: form) }
            count += bytes
            place += length
        }
        return count
    }

    /// The order of two texts by the bytes of their folded forms; nil if this table does not decide it.
    ///
    /// O(length).
    func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> ComparisonResult? {
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            let (x, y) = (left[i], right[j])
            if x == y, x < 0x80 {
                (i, j) = (i + 1, j + 1)
                continue
            }
            let (form, length) = form(left, i)
            let (otherForm, otherLength) = self.form(right, j)
            guard Self.isScalar(form), Self.isScalar(otherForm) else { return nil }
            (i, j) = (i + length, j + otherLength)
            guard form != otherForm else { continue }
            guard isLetter(left, i), isLetter(right, j) else { return nil }
            return form & 0xFF_FFFF < otherForm & 0xFF_FFFF ? .orderedAscending : .orderedDescending
        }
        guard isLetter(left, i), isLetter(right, j) else { return nil }
        return i < left.count ? .orderedDescending : j < right.count ? .orderedAscending : .orderedSame
    }

    /// Whether a form is one scalar of at most two bytes, and not several letters such as the `ss` of `ß`.
    @inline(__always)
    private static func isScalar(_ form: UInt32) -> Bool {
        form >> 24 == 1 || form >> 24 == 2 && form >> 16 & 0xFF >= 0x80
    }
}

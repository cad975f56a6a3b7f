// The collation of a language for texts of ASCII and of Latin letters with one accent. Foundation's comparison, which
// defines the order, takes a microsecond. Called by TextSort for each pair; it falls back to Foundation if the result
// is uncertain.

import Foundation

/// The order of texts in a language whose collation keeps the order of Unicode's root collation for ASCII and accents.
///
/// The first letter that differs decides, ignoring accents; then the first difference of accent; then the first
/// difference of case, with lowercase before uppercase.
package struct LocalizedOrder: Sendable {
    /// The order of the current language; nil if Foundation must compare the texts.
    package static let current: LocalizedOrder? = {
        #if canImport(ObjectiveC)
            // Foundation has a different implementation there.
            return nil
        #else
            return LocalizedOrder(locale: Locale.current.identifier)
        #endif
    }()

    /// Foundation compares longer texts in chunks, with unpredictable results for differences after the first chunk.
    ///
    /// They are compared here only if a letter or a number decides up to `maximumPlace`, before any other difference.
    private static let maximumCount = 60
    private static let maximumPlace = 40
    /// Foundation reads numbers of up to this many digits.
    private static let maximumDigits = 18

    /// The rank of each ASCII byte, equal for both cases of a letter; 0 for bytes that this type does not compare.
    private static let places: LetterTable = {
        var table = [UInt16](repeating: 0, count: 256)
        let marks = "\t\n\u{0B}\u{0C}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"
        for (index, byte) in marks.utf8.enumerated() { table[Int(byte)] = UInt16(index + 1) }
        for byte in UInt8(ascii: "a")...UInt8(ascii: "z") {
            table[Int(byte)] = 100 + UInt16(byte)
            table[Int(byte & ~32)] = 100 + UInt16(byte)
        }
        return LetterTable(table)
    }()

    /// For scalars below U+0250 the letter under the accent, with the accent's number in the high byte; otherwise 0.
    private static let letters: LetterTable = {
        var accents: [Unicode.Scalar] = []
        return LetterTable(
            (0..<UInt32(0x250)).map { value in
                guard value >= 0x80, let scalar = Unicode.Scalar(value) else { return 0 }
                let parts = Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
                guard parts.count == 2, parts[0].isASCII, parts[0].properties.isAlphabetic else { return 0 }
                let accent = accents.firstIndex(of: parts[1]) ?? accents.count
                if accent == accents.count { accents.append(parts[1]) }
                return UInt16(accent + 1) << 8 | UInt16(parts[0].value)
            }
        )
    }()

    /// Whether `ñ` is a separate letter.
    private let hasOwnNTilde: Bool

    /// The order of a language; nil if its collation tailors letters or contractions, or is specified explicitly.
    package init?(locale: String) {
        let language = locale.prefix { $0 != "_" && $0 != "-" }
        guard ["en", "de", "es", "fr", "it", "pt"].contains(language), !locale.contains("@"),
            !locale.contains("-u-"), !locale.contains("POSIX"),
            // Canadian French compares accents from the end.
            !locale.hasPrefix("fr_CA"), !locale.hasPrefix("fr-CA")
        else { return nil }
        hasOwnNTilde = language == "es"
    }

    /// The order of two texts; nil if it is uncertain.
    ///
    /// O(length).
    package func compare(
        _ lhs: UnsafeBufferPointer<UInt8>,
        _ rhs: UnsafeBufferPointer<UInt8>,
        _ order: TextSort
    ) -> ComparisonResult? {
        let byNumbers = order == .localizedStandard
        let places = Self.places
        let isLong = max(lhs.count, rhs.count) > Self.maximumCount
        var (i, j) = (0, 0)
        // The first differences that decide if no letter differs.
        var byAccent = 0
        var byCase = 0
        var isUncertain = false
        while i < lhs.count, j < rhs.count {
            let (x, y) = (lhs[i], rhs[j])
            let (left, right): (UInt16, UInt16)
            if x | y < 0x80 {
                (left, right) = (UInt16(x), UInt16(y))
                if byNumbers, Self.isDigit(x), Self.isDigit(y) {
                    guard let comparison = Self.compareNumbers(lhs, &i, rhs, &j) else {
                        return nil
                    }
                    if comparison.value != .orderedSame {
                        let isFirst = byAccent == 0 && byCase == 0 && !isUncertain
                        return !isLong || isFirst && max(i, j) <= Self.maximumPlace ? comparison.value : nil
                    }
                    if byCase == 0 { byCase = comparison.length }
                    continue
                }
                (i, j) = (i + 1, j + 1)
            } else {
                guard let first = letter(lhs, &i), let second = letter(rhs, &j) else { return nil }
                (left, right) = (first, second)
            }
            let (place, otherPlace) = (places[left & 0xFF], places[right & 0xFF])
            guard place != 0, otherPlace != 0 else { return nil }
            if place != otherPlace {
                // A combining mark could follow.
                guard Self.isPlain(lhs, i), Self.isPlain(rhs, j) else { return nil }
                if isLong, byAccent != 0 || byCase != 0 || isUncertain || max(i, j) > Self.maximumPlace { return nil }
                return place < otherPlace ? .orderedAscending : .orderedDescending
            }
            guard left != right else { continue }
            let (accent, otherAccent) = (left >> 8, right >> 8)
            if accent != otherAccent, byAccent == 0, !isUncertain {
                // The order of two accents is not implemented here.
                if accent != 0, otherAccent != 0 { isUncertain = true } else { byAccent = accent == 0 ? -1 : 1 }
            }
            if byCase == 0, left & 0xFF != right & 0xFF { byCase = left & 0xFF > right & 0xFF ? -1 : 1 }
        }
        if isLong || isUncertain { return nil }
        if i < lhs.count { return isCompared(lhs, i) ? .orderedDescending : nil }
        if j < rhs.count { return isCompared(rhs, j) ? .orderedAscending : nil }
        if byAccent != 0 { return byAccent < 0 ? .orderedAscending : .orderedDescending }
        if order == .localizedCaseInsensitive || byCase == 0 { return .orderedSame }
        return byCase < 0 ? .orderedAscending : .orderedDescending
    }

    /// Reads a letter: its ASCII form and the number of its accent; nil if this type does not compare it.
    @inline(__always)
    private func letter(_ text: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt16? {
        let byte = text[place]
        if byte < 0x80 {
            place += 1
            return UInt16(byte)
        }
        guard byte >= 0xC3, byte <= 0xC8, place + 1 < text.count, text[place + 1] & 0xC0 == 0x80 else { return nil }
        let scalar = UInt16(byte & 0x1F) << 6 | UInt16(text[place + 1] & 0x3F)
        let letter = Self.letters[scalar]
        guard letter != 0, !(hasOwnNTilde && scalar & ~0x20 == 0xD1) else { return nil }
        place += 2
        return letter
    }

    /// Whether no combining accent, which would belong to the previous letter, can begin at the offset.
    @inline(__always)
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        place >= text.count || text[place] < 0xC9
    }

    /// Whether the letter at an offset takes part in the order.
    private func isCompared(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        var place = place
        return letter(text, &place).map { Self.places[$0 & 0xFF] != 0 } ?? false
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// Compares two numbers by value, and equal ones by length with leading zeros; advances past equal numbers.
    @inline(__always)
    private static func compareNumbers(
        _ left: UnsafeBufferPointer<UInt8>,
        _ i: inout Int,
        _ right: UnsafeBufferPointer<UInt8>,
        _ j: inout Int
    ) -> (value: ComparisonResult, length: Int)? {
        let (start, otherStart) = (i, j)
        var (end, otherEnd) = (i, j)
        while end < left.count, isDigit(left[end]) { end += 1 }
        while otherEnd < right.count, isDigit(right[otherEnd]) { otherEnd += 1 }
        let (length, otherLength) = (end - start, otherEnd - otherStart)
        guard length <= maximumDigits, otherLength <= maximumDigits else { return nil }
        while i < end, left[i] == UInt8(ascii: "0") { i += 1 }
        while j < otherEnd, right[j] == UInt8(ascii: "0") { j += 1 }
        if end - i != otherEnd - j { return (end - i < otherEnd - j ? .orderedAscending : .orderedDescending, 0) }
        while i < end {
            if left[i] != right[j] { return (left[i] < right[j] ? .orderedAscending : .orderedDescending, 0) }
            (i, j) = (i + 1, j + 1)
        }
        return (.orderedSame, length == otherLength ? 0 : length < otherLength ? -1 : 1)
    }
}

// Converts dates to ISO 8601 and back without loss: reading a text yields the seconds that were written. Foundation's
// formatters round to milliseconds and take a hundred times as long. Used by exports and imports of rows.
import Foundation
import ManagedGraph

/// Converts between dates and texts.
package enum DateText {
    /// Seconds from 1970 to 2001.
    private static let epoch: Double = 978_307_200
    private static let digitCounts = [3, 6, 7, 9, 12, 17]

    /// A date as ISO 8601 in UTC, with as many fractional digits as needed to read the same number again.
    ///
    /// - Parameter seconds: The seconds since 2001-01-01 UTC.
    /// - Returns: The text; nil for dates outside the years 1 to 9999, and for those that no text reproduces.
    package static func text(_ seconds: Double) -> String? {
        guard seconds > -63_114_076_800, seconds < 252_423_993_600 else { return nil }
        let wholeSeconds = seconds.rounded(.down)
        let fraction = seconds - wholeSeconds
        var digits = ""
        if fraction != 0 {
            guard let fractionDigits = self.digits(fraction, of: seconds, wholeSeconds) else { return nil }
            digits = "." + fractionDigits
        }
        let total = Int64(wholeSeconds) + Int64(epoch)
        let day = total.quotient(86_400)
        let time = total - day * 86_400
        let (year, month, date) = civil(day)
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(date, 2) + "T" + padded(time / 3_600, 2) + ":"
            + padded(time / 60 % 60, 2) + ":" + padded(time % 60, 2) + digits + "Z"
    }

    private static func digits(_ fraction: Double, of seconds: Double, _ wholeSeconds: Double) -> String? {
        for count in digitCounts {
            let formatted = String(format: "%.\(count)f", fraction)
            guard formatted.hasPrefix("0."), let read = Double(formatted), wholeSeconds + read == seconds else {
                continue
            }
            var digits = formatted.dropFirst(2)
            while digits.count > 3, digits.last == "0" { digits.removeLast() }
            return String(digits)
        }
        return nil
    }

    private static func padded(_ number: Int64, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    /// Reads a date in ISO 8601: a day, or a day and a time, with `Z`, an offset, or neither, which means UTC.
    ///
    /// - Parameter text: For example `2026-11-21T18:00:00.5+01:00`.
    /// - Returns: Seconds since 2001-01-01 UTC; nil for any other text.
    package static func seconds(_ text: String) -> Double? {
        var scanner = Scanner(bytes: Array(text.utf8))
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let date = scanner.digits(2), (1...12).contains(month), (1...days(month, year)).contains(date)
        else { return nil }
        let day = days(year, month, date)
        guard !scanner.isAtEnd else { return Double(day * 86_400) - epoch }
        guard scanner.skip("T") || scanner.skip(" "), let hour = scanner.digits(2), scanner.skip(":"),
            let minute = scanner.digits(2)
        else { return nil }
        var second: Int64 = 0
        var fraction = 0.0
        if scanner.skip(":") {
            guard let seconds = scanner.digits(2) else { return nil }
            second = seconds
            if scanner.skip(".") || scanner.skip(",") {
                guard let fractionDigits = scanner.fraction() else { return nil }
                fraction = fractionDigits
            }
        }
        guard hour < 24, minute < 60, second < 61 else { return nil }
        var offset: Int64 = 0
        if !scanner.skip("Z"), !scanner.isAtEnd {
            let isWest = scanner.skip("-")
            guard isWest || scanner.skip("+"), let hours = scanner.digits(2) else { return nil }
            _ = scanner.skip(":")
            let minutes = scanner.isAtEnd ? 0 : scanner.digits(2)
            guard let minutes, hours < 24, minutes < 60 else { return nil }
            offset = (hours * 60 + minutes) * (isWest ? -60 : 60)
        }
        guard scanner.isAtEnd else { return nil }
        // Add the whole seconds first, so that the sum is rounded only once.
        let wholeSeconds = day * 86_400 + hour * 3_600 + minute * 60 + second - offset - Int64(epoch)
        return Double(wholeSeconds) + fraction
    }

    /// The date of a day counted from 1970, computed with years that start in March and so end with the leap day.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, date: Int64) {
        let shifted = day + 719_468
        let era = shifted.quotient(146_097)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let date = ofYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date)
    }

    /// The days from 1970 to a date.
    private static func days(_ year: Int64, _ month: Int64, _ date: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.quotient(400)
        let yearOfEra = shifted - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
    }

    /// The number of days in a month.
    private static func days(_ month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private struct Scanner {
        let bytes: [UInt8]
        var place = 0
        var isAtEnd: Bool { place == bytes.count }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
            place += 1
            return true
        }

        mutating func digits(_ count: Int) -> Int64? {
            guard place + count <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[place..<place + count] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            place += count
            return value
        }

        mutating func fraction() -> Double? {
            let digits = bytes[place...].prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            place += digits.count
            return Double("0." + String(decoding: digits, as: UTF8.self))
        }
    }
}

extension Int64 {
    /// The quotient, rounded towards negative infinity.
    fileprivate func quotient(_ divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }
}

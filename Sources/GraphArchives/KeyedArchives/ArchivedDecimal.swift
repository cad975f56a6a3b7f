// Decimal numbers in keyed archives. Used by NSDecimalNumberPlaceholder for constants in predicates, and by
// ArchivedPlainValue and KeyedArchiveWriter for values in models and binary stores.
//
//     KEY              TYPE           MEANING
//     NS.exponent      integer        power of ten
//     NS.length        integer        number of 16-bit digits in use
//     NS.negative      boolean        sign
//     NS.compact       boolean        whether the mantissa has no factor ten
//     NS.mantissa.bo   integer        byte order of the digits: 1 little-endian, 2 big-endian
//     NS.mantissa      data, 16 B     eight 16-bit digits, least significant first

import Foundation

/// The entries of an archived decimal number.
package struct ArchivedDecimal {
    package var exponent: Int
    package var length: Int
    package var isNegative: Bool
    package var isBigEndian: Bool
    package var mantissa: Data

    package init(exponent: Int, length: Int, isNegative: Bool, isBigEndian: Bool, mantissa: Data) {
        self.exponent = exponent
        self.length = length
        self.isNegative = isNegative
        self.isBigEndian = isBigEndian
        self.mantissa = mantissa
    }

    /// The entries of a number.
    package init(_ decimal: Decimal) {
        let isNumber = !decimal.isNaN
        let digits = isNumber ? Self.digits(of: decimal.significand) : [UInt16](repeating: 0, count: 8)
        exponent = isNumber ? decimal.exponent : 0
        length = 8 - digits.reversed().prefix { $0 == 0 }.count
        isNegative = isNumber ? decimal.isSignMinus : true
        isBigEndian = false
        mantissa = Data(digits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    }

    /// The number; nil if the entries are damaged.
    package var value: Decimal? {
        guard mantissa.count == 16, Int8(exactly: exponent) != nil else { return nil }
        guard length > 0 else { return isNegative ? .nan : 0 }
        let bytes = [UInt8](mantissa)
        var significand = Decimal(0)
        for index in (0..<8).reversed() {
            let digit =
                Int(bytes[2 * index + (isBigEndian ? 1 : 0)]) + Int(bytes[2 * index + (isBigEndian ? 0 : 1)]) * 256
            significand = significand * 65_536 + Decimal(digit)
        }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    /// The eight digits of an integer in base 65536, least significant first.
    private static func digits(of significand: Decimal) -> [UInt16] {
        var digits = [UInt16](repeating: 0, count: 8)
        for character in "\(significand.magnitude)".utf8 {
            var carry = UInt32(character) - 48
            for index in digits.indices {
                carry += UInt32(digits[index]) * 10
                digits[index] = UInt16(truncatingIfNeeded: carry)
                carry >>= 16
            }
        }
        return digits
    }
}

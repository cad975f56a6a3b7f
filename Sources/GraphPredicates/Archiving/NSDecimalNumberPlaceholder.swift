// Decimal numbers in archives. Foundation cannot archive its own off Apple's systems (it calls itself without end), so this
// subclass, which bears the name that Apple's archives have, writes and reads Apple's keys. Used for constants.
//
//     KEY              TYPE           MEANING
//     NS.exponent      integer        power of ten
//     NS.length        integer        number of digits of 16 bits in use
//     NS.negative      boolean        sign
//     NS.compact       boolean        whether the mantissa has no factor ten
//     NS.mantissa.bo   integer        byte order of the digits: 1 little-endian, 2 big-endian
//     NS.mantissa      data, 16 B     eight digits of 16 bits, the least one first

import Foundation

final class NSDecimalNumberPlaceholder: NSDecimalNumber, @unchecked Sendable {
    override class var supportsSecureCoding: Bool { true }

    override init(decimal: Decimal) { super.init(decimal: decimal) }

    required init(floatLiteral value: Double) { super.init(decimal: Decimal(value)) }

    required init(integerLiteral value: Int) { super.init(decimal: Decimal(value)) }

    required init(booleanLiteral value: Bool) { super.init(decimal: value ? 1 : 0) }

    required init(bytes buffer: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
        super.init(decimal: NSNumber(bytes: buffer, objCType: type).decimalValue)
    }

    required init?(coder: NSCoder) {
        guard let bytes = coder.decodeObject(of: [NSData.self], forKey: "NS.mantissa") as? NSData, bytes.length == 16,
            let exponent = Int8(exactly: coder.decodeInteger(forKey: "NS.exponent"))
        else { return nil }
        let isNegative = coder.decodeBool(forKey: "NS.negative")
        guard coder.decodeInteger(forKey: "NS.length") > 0 else {
            super.init(decimal: isNegative ? .nan : 0)
            return
        }
        let isBig = coder.decodeInteger(forKey: "NS.mantissa.bo") == 2
        let raw = [UInt8](bytes as Data)
        var significand = Decimal(0)
        for index in (0..<8).reversed() {
            let digit = Int(raw[2 * index + (isBig ? 1 : 0)]) + Int(raw[2 * index + (isBig ? 0 : 1)]) * 256
            significand = significand * 65_536 + Decimal(digit)
        }
        super.init(
            decimal: Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: significand)
        )
    }

    override func encode(with coder: NSCoder) {
        let decimal = decimalValue
        let isNumber = !decimal.isNaN
        let digits = isNumber ? Self.digits(of: decimal.significand) : [UInt16](repeating: 0, count: 8)
        let length = 8 - digits.reversed().prefix { $0 == 0 }.count
        let bytes = digits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        coder.encode(isNumber ? decimal.exponent : 0, forKey: "NS.exponent")
        coder.encode(length, forKey: "NS.length")
        coder.encode(isNumber ? decimal.isSignMinus : true, forKey: "NS.negative")
        coder.encode(false, forKey: "NS.compact")
        coder.encode(1, forKey: "NS.mantissa.bo")
        coder.encode(NSData(data: Data(bytes)), forKey: "NS.mantissa")
    }

    /// The eight digits to the base 65536 of a whole number, the least one first.
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

    // Foundation's calls itself without end.
    override var hash: Int { decimalValue.hashValue }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? NSDecimalNumber).map { $0.decimalValue == decimalValue } ?? false
    }

    override var classForCoder: AnyClass { NSDecimalNumberPlaceholder.self }
}

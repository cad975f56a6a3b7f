// The binary form of `numeric`: exact decimals of any size. Used by the encoders and decoders of the driver.
//
//   OFFSET  SIZE  DESCRIPTION
//   0       2     the number of digits, each from 0 to 9999
//   2       2     the weight of the first digit: its factor is 10000 to this power
//   4       2     0: positive; 0x4000: negative; 0xC000: NaN; 0xD000 and 0xF000: plus and minus infinity
//   6       2     the number of decimal places that are printed
//   8       2n    the digits
//
// All numbers are big-endian.
import Foundation

/// A number of the database in its binary form, borrowed from a result.
struct PostgreSQLNumeric {
    private let bytes: UnsafeRawBufferPointer
    private let count: Int
    private let weight: Int
    private let sign: UInt16
    /// The most bytes that `write` writes.
    let maximumLength: Int

    /// Nil if the bytes are not a number.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return nil }
        self.bytes = bytes
        count = Int(bytes.bigEndian(at: 0) as Int16)
        weight = Int(bytes.bigEndian(at: 2) as Int16)
        sign = bytes.bigEndian(at: 4)
        guard count >= 0, bytes.count == 8 + 2 * count else { return nil }
        maximumLength = 12 + 4 * (max(0, weight + 1) + max(0, count - weight - 1))
    }

    @inline(__always)
    private func digit(_ index: Int) -> UInt16 {
        index >= 0 && index < count ? bytes.bigEndian(at: 8 + 2 * index) : 0
    }

    /// Writes the shortest text that is exactly this number, "NaN" for infinity.
    ///
    /// - Parameter target: Has room for `maximumLength` bytes.
    /// - Returns: The number of bytes.
    func write(_ target: UnsafeMutablePointer<UInt8>) -> Int {
        if let special {
            for (place, byte) in special.utf8.enumerated() { target[place] = byte }
            return special.utf8.count
        }
        var length = 0
        if sign == 0x4000 {
            target[0] = UInt8(ascii: "-")
            length = 1
        }
        if weight < 0 || count == 0 {
            target[length] = UInt8(ascii: "0")
            length += 1
        } else {
            for index in 0...weight {
                var value = digit(index)
                // The first digit is printed without leading zeros.
                var places = index == 0 ? (value >= 1000 ? 4 : value >= 100 ? 3 : value >= 10 ? 2 : 1) : 4
                length += places
                var end = length
                while places > 0 {
                    end -= 1
                    target[end] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
                    value /= 10
                    places -= 1
                }
            }
        }
        guard count > weight + 1, count > 0 else { return length }
        let point = length
        target[length] = UInt8(ascii: ".")
        length += 1
        for index in (weight + 1)..<count {
            var value = digit(index)
            for place in stride(from: 3, through: 0, by: -1) {
                target[length + place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
                value /= 10
            }
            length += 4
        }
        while target[length - 1] == UInt8(ascii: "0") { length -= 1 }
        return length - 1 == point ? point : length
    }

    /// The shortest text that is exactly this number, "NaN" for infinity.
    var text: String {
        String(unsafeUninitializedCapacity: maximumLength) { $0.baseAddress.map(write) ?? 0 }
    }

    /// The nearest number of this type.
    var double: Double {
        switch sign {
        case 0xC000: return .nan
        case 0xD000: return .infinity
        case 0xF000: return -.infinity
        default: break
        }
        // A quotient of two numbers that are exact is correctly rounded.
        if count <= 3 {
            let places = 4 * (count - 1 - weight)
            var mantissa = 0 as UInt64
            for index in 0..<count { mantissa = mantissa * 10_000 + UInt64(digit(index)) }
            let negates = sign == 0x4000
            if places >= 0, places <= 20 {
                let value = Double(mantissa) / Self.powers[places / 4]
                return negates ? -value : value
            }
            if places < 0, places >= -20 {
                let value = Double(mantissa) * Self.powers[-places / 4]
                return negates ? -value : value
            }
        }
        return Double(text) ?? .nan
    }

    /// The number if it is whole and has 64 bits; nil otherwise.
    var integer: Int64? {
        guard special == nil, count <= weight + 1 else { return nil }
        return Int64(text)
    }

    /// The number; NaN for infinity.
    ///
    /// Digits after the 38th are rounded.
    var decimal: Decimal { Decimal(string: text) ?? .nan }

    /// The text of NaN, and of infinity, which decimals do not have: `Decimal` reads "-Infinity" as 0.
    private var special: String? { [0xC000, 0xD000, 0xF000].contains(sign) ? "NaN" : nil }

    private static let powers = [1, 1e4, 1e8, 1e12, 1e16, 1e20]

    // MARK: Writing

    /// Appends the binary form of a number.
    static func append(_ value: Decimal, to bytes: inout [UInt8]) {
        guard !value.isNaN else { return append(count: 0, weight: 0, sign: 0xC000, scale: 0, to: &bytes) }
        let description = value.description
        let parts = description.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        let whole = parts[0].utf8.map { $0 &- 48 }
        let fraction = parts.count > 1 ? parts[1].utf8.map { $0 &- 48 } : []
        let padded =
            [UInt8](repeating: 0, count: (4 - whole.count % 4) % 4) + whole + fraction
            + [UInt8](repeating: 0, count: (4 - fraction.count % 4) % 4)
        var digits: [UInt16] = []
        for place in stride(from: 0, to: padded.count, by: 4) {
            digits.append(padded[place..<place + 4].reduce(0) { $0 * 10 + UInt16($1) })
        }
        var weight = (whole.count + 3) / 4 - 1
        let leading = digits.prefix { $0 == 0 }.count
        digits.removeFirst(leading)
        weight -= leading
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { weight = 0 }
        let isNegative = value.isSignMinus && !digits.isEmpty
        append(count: digits.count, weight: weight, sign: isNegative ? 0x4000 : 0, scale: fraction.count, to: &bytes)
        for digit in digits { bytes.append(bigEndian: digit) }
    }

    private static func append(count: Int, weight: Int, sign: UInt16, scale: Int, to bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int16(count))
        bytes.append(bigEndian: Int16(weight))
        bytes.append(bigEndian: sign)
        bytes.append(bigEndian: UInt16(scale))
    }
}

extension UnsafeRawBufferPointer {
    /// The integer at an offset.
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
        Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}

extension [UInt8] {
    /// Appends the bytes of an integer.
    @inline(__always)
    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

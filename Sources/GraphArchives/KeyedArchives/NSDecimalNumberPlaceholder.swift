// The decimal numbers that the framework returns. Outside Apple's platforms, Foundation's own recurse infinitely when a
// set or a dictionary hashes them and when they are archived. This subclass, named as in Apple's archives, has a hash,
// and writes and reads Apple's keys (ArchivedDecimal).
import Foundation

/// A decimal number that can be a member of a set, a key and part of an archive.
package final class NSDecimalNumberPlaceholder: NSDecimalNumber, @unchecked Sendable {
    override package class var supportsSecureCoding: Bool { true }

    /// Makes a number.
    ///
    /// - Parameter decimal: Its value.
    override package init(decimal: Decimal) { super.init(decimal: decimal) }

    required package init(floatLiteral value: Double) { super.init(decimal: Decimal(value)) }

    required package init(integerLiteral value: Int) { super.init(decimal: Decimal(value)) }

    required package init(booleanLiteral value: Bool) { super.init(decimal: value ? 1 : 0) }

    required package init(bytes buffer: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
        super.init(decimal: NSNumber(bytes: buffer, objCType: type).finiteDecimal)
    }

    required package init?(coder: NSCoder) {
        guard let bytes = coder.decodeObject(of: [NSData.self], forKey: "NS.mantissa") as? NSData else { return nil }
        let archived = ArchivedDecimal(
            exponent: coder.decodeInteger(forKey: "NS.exponent"),
            length: coder.decodeInteger(forKey: "NS.length"),
            isNegative: coder.decodeBool(forKey: "NS.negative"),
            isBigEndian: coder.decodeInteger(forKey: "NS.mantissa.bo") == 2,
            mantissa: Data(copying: bytes)
        )
        guard let decimal = archived.value else { return nil }
        super.init(decimal: decimal)
    }

    override package func encode(with coder: NSCoder) {
        let archived = ArchivedDecimal(decimalValue)
        coder.encode(archived.exponent, forKey: "NS.exponent")
        coder.encode(archived.length, forKey: "NS.length")
        coder.encode(archived.isNegative, forKey: "NS.negative")
        coder.encode(false, forKey: "NS.compact")
        coder.encode(1, forKey: "NS.mantissa.bo")
        coder.encode(NSData(data: archived.mantissa), forKey: "NS.mantissa")
    }

    /// That of any equal number.
    override package var hash: Int { NSNumber(value: doubleValue).hash }

    override package func isEqual(_ object: Any?) -> Bool {
        (object as? NSDecimalNumber).map { $0.decimalValue == decimalValue } ?? super.isEqual(object)
    }

    override package var classForCoder: AnyClass { NSDecimalNumberPlaceholder.self }
}

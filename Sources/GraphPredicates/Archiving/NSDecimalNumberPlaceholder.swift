// Archives decimal numbers that are constants. Foundation's NSDecimalNumber recurses infinitely when archived off
// Apple's systems, so this subclass, named as in Apple's archives, writes and reads Apple's keys (ArchivedDecimal).

import Foundation
import GraphArchives

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
        guard let bytes = coder.decodeObject(of: [NSData.self], forKey: "NS.mantissa") as? NSData else { return nil }
        let archived = ArchivedDecimal(
            exponent: coder.decodeInteger(forKey: "NS.exponent"),
            length: coder.decodeInteger(forKey: "NS.length"),
            isNegative: coder.decodeBool(forKey: "NS.negative"),
            isBigEndian: coder.decodeInteger(forKey: "NS.mantissa.bo") == 2,
            mantissa: bytes as Data
        )
        guard let decimal = archived.value else { return nil }
        super.init(decimal: decimal)
    }

    override func encode(with coder: NSCoder) {
        let archived = ArchivedDecimal(decimalValue)
        coder.encode(archived.exponent, forKey: "NS.exponent")
        coder.encode(archived.length, forKey: "NS.length")
        coder.encode(archived.isNegative, forKey: "NS.negative")
        coder.encode(false, forKey: "NS.compact")
        coder.encode(1, forKey: "NS.mantissa.bo")
        coder.encode(NSData(data: archived.mantissa), forKey: "NS.mantissa")
    }

    // Foundation's implementation recurses infinitely.
    override var hash: Int { decimalValue.hashValue }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? NSDecimalNumber).map { $0.decimalValue == decimalValue } ?? false
    }

    override var classForCoder: AnyClass { NSDecimalNumberPlaceholder.self }
}

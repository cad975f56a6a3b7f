// Foundation's values as objects of a keyed archive, as Apple's archiver writes them. Used by BinaryStore; the reverse of
// ArchivedPlainValue.
import Foundation
import GraphModelFiles

extension KeyedArchiveWriter {
    /// Adds `NSNull`.
    mutating func nothing() -> ListValue { object(["NSNull", "NSObject"], [:]) }

    mutating func date(_ date: Date) -> ListValue {
        object(["NSDate", "NSObject"], ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
    }

    mutating func uuid(_ uuid: UUID) -> ListValue {
        object(["NSUUID", "NSObject"], ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
    }

    mutating func url(_ url: URL) -> ListValue {
        let relative = text(url.absoluteString)
        return object(["NSURL", "NSObject"], ["NS.base": Self.null, "NS.relative": relative])
    }

    /// Adds a decimal number: eight digits to the base 65,536, the least one first, and a power of ten.
    mutating func decimal(_ decimal: Decimal) -> ListValue {
        var significand = decimal.significand
        if significand < 0 { significand.negate() }
        var digits: [UInt16] = []
        let base = Decimal(65_536)
        while !decimal.isNaN, significand > 0, digits.count < 8 {
            var quotient = significand / base
            var whole = Decimal()
            NSDecimalRound(&whole, &quotient, 0, .down)
            digits.append(UInt16(truncatingIfNeeded: NSDecimalNumber(decimal: significand - whole * base).intValue))
            significand = whole
        }
        let length = digits.count
        digits += [UInt16](repeating: 0, count: 8 - length)
        let mantissa = Data(digits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
        return object(
            ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
            [
                "NS.exponent": .integer(decimal.isNaN ? 0 : Int64(decimal.exponent)),
                "NS.length": .integer(Int64(length)),
                "NS.negative": .boolean(decimal.isNaN || decimal < 0),
                "NS.compact": .boolean(true),
                "NS.mantissa.bo": .integer(1),
                "NS.mantissa": .data(mantissa),
            ]
        )
    }

    /// Adds a value that a property list can hold; throws for others.
    mutating func propertyList(_ value: Any) throws -> ListValue {
        switch value {
        case let text as String: return self.text(text)
        case let data as Data: return plain(.data(data))
        case let date as Date: return self.date(date)
        case let number as NSNumber:
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "d"), UInt8(ascii: "f"): return plain(.real(number.doubleValue))
            case UInt8(ascii: "c"), UInt8(ascii: "B"): return plain(.boolean(number.boolValue))
            default: return plain(.integer(number.int64Value))
            }
        case let flag as Bool: return plain(.boolean(flag))
        case let number as Int: return plain(.integer(Int64(number)))
        case let number as Double: return plain(.real(number))
        case let values as [String: Any]:
            var pairs: [(key: ListValue, value: ListValue)] = []
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                pairs.append((text(key), try propertyList(value)))
            }
            return dictionary(pairs)
        case let values as [Any]:
            var members: [ListValue] = []
            for value in values { members.append(try propertyList(value)) }
            return collection(members)
        default:
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The store's metadata hold a \(type(of: value)), which no property list can hold.",
                remedy: "Use strings, numbers, dates, data, arrays and dictionaries."
            )
        }
    }
}

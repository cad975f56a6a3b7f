// Encodes Foundation's values as objects of a keyed archive, as Apple's archiver does. Used for binary stores and
// compiled models; the inverse of ArchivedPlainValue.
import Foundation

extension KeyedArchiveWriter {
    /// Adds `NSNull`.
    package mutating func nothing() -> ListValue { object(["NSNull", "NSObject"], [:]) }

    /// Adds a date.
    package mutating func date(_ date: Date) -> ListValue {
        object(["NSDate", "NSObject"], ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
    }

    /// Adds a UUID.
    package mutating func uuid(_ uuid: UUID) -> ListValue {
        object(["NSUUID", "NSObject"], ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
    }

    /// Adds a URL without a base.
    package mutating func url(_ url: URL) -> ListValue {
        let relative = text(url.absoluteString)
        return object(["NSURL", "NSObject"], ["NS.base": Self.null, "NS.relative": relative])
    }

    /// Adds a decimal number.
    ///
    /// - Parameters:
    ///   - decimal: The number.
    ///   - isPlaceholder: Whether to use the class that Apple's archiver writes for new numbers, as in models.
    /// - Returns: The reference to it.
    package mutating func decimal(_ decimal: Decimal, isPlaceholder: Bool = false) -> ListValue {
        let parts = ArchivedDecimal(decimal)
        let classes = ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]
        return object(
            isPlaceholder ? ["NSDecimalNumberPlaceholder"] + classes : classes,
            [
                "NS.exponent": .integer(Int64(parts.exponent)), "NS.length": .integer(Int64(parts.length)),
                "NS.negative": .boolean(parts.isNegative), "NS.compact": .boolean(!isPlaceholder),
                "NS.mantissa.bo": .integer(1), "NS.mantissa": .data(parts.mantissa),
            ]
        )
    }

    /// Adds a property list value; throws `UnlistableValue` for others.
    package mutating func propertyList(_ value: Any) throws(UnlistableValue) -> ListValue {
        switch value {
        case let text as String: return self.text(text)
        case let data as Data: return plain(.data(data))
        case let date as Date: return self.date(date)
        case let number as NSNumber: return plain(ListValue(number))
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
            throw UnlistableValue(typeName: "\(type(of: value))")
        }
    }
}

/// A value that a property list cannot contain.
package struct UnlistableValue: Error {
    package let typeName: String
}

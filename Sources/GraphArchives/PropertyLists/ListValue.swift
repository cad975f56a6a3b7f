// A value in a property list, including the references of keyed archives, which Foundation's reader hides. Created by
// BinaryPropertyList and PropertyList.
import Foundation

/// A value in a property list.
package enum ListValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    case date(Date)
    case data(Data)
    case text(String)
    /// A reference of a keyed archive.
    case reference(Int)
    case array([ListValue])
    case dictionary([String: ListValue])
}

extension ListValue {
    /// Converts a value that Foundation has read; nil if a property list cannot contain it.
    init?(foundation value: Any) {
        switch value {
        case let flag as Bool where !(value is NSNumber): self = .boolean(flag)
        case let text as String: self = .text(text)
        case let number as NSNumber: self.init(number)
        case let data as Data: self = .data(data)
        case let date as Date: self = .date(date)
        case let values as [String: Any]:
            var entries: [String: ListValue] = [:]
            for (key, value) in values {
                guard let value = ListValue(foundation: value) else { return nil }
                entries[key] = value
            }
            self = .dictionary(entries)
        case let values as [Any]:
            var members: [ListValue] = []
            for value in values {
                guard let value = ListValue(foundation: value) else { return nil }
                members.append(value)
            }
            self = .array(members)
        default:
            // Foundation has no public API for the number of a reference.
            let number = Mirror(reflecting: value).children.first { $0.label == "value" }?.value
            guard let number = (number as? UInt32).map({ Int($0) }) ?? number as? Int else { return nil }
            self = .reference(number)
        }
    }

    /// A flag, a real number or an integer, by the type that the number was made of.
    init(_ number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(number.doubleValue)
        // Truth values and 8-bit integers have the same type outside Apple's platforms.
        case UInt8(ascii: "c") where number.int64Value != 0 && number.int64Value != 1:
            self = .integer(number.int64Value)
        case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .boolean(number.boolValue)
        default: self = .integer(number.int64Value)
        }
    }

    /// The value as Foundation's reader returns it; a reference becomes the dictionary that represents one in XML.
    var foundation: Any {
        switch self {
        case .null: NSNull()
        case .boolean(let flag): flag
        case .integer(let number): NSNumber(value: number)
        case .unsigned(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .date(let date): date
        case .data(let data): data
        case .text(let text): text
        case .reference(let number): ["CF$UID": NSNumber(value: number)]
        case .array(let members): members.map(\.foundation)
        case .dictionary(let entries): entries.mapValues(\.foundation)
        }
    }
}

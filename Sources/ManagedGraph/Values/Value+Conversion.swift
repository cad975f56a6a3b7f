// Conversion between a property's value and the types that key-value coding uses. Used by accessors, key-value coding
// and the model's default values.
import Foundation
import GraphArchives
import GraphModel
import GraphPredicates

extension Value {
    /// Takes a value in the type of an attribute; nil if it does not fit.
    init?(_ publicValue: Any, as type: AttributeType) {
        if let value = Self.plain(publicValue, type) {
            self = value
            return
        }
        // By its type: the first casts of a process that fail search all conformances for bridges.
        if Swift.type(of: publicValue) == NSNull.self {
            self = .null
            return
        }
        switch type {
        case .integer16, .integer32, .integer64:
            guard let number = Self.number(publicValue), let integer = Self.exactInteger(number) else { return nil }
            switch type {
            case .integer16: guard Int16(exactly: integer) != nil else { return nil }
            case .integer32: guard Int32(exactly: integer) != nil else { return nil }
            default: break
            }
            self = .integer(integer)
        case .boolean:
            guard let number = Self.number(publicValue) else { return nil }
            self = .integer(number.doubleValue == 0 ? 0 : 1)
        case .double:
            guard let number = Self.number(publicValue) else { return nil }
            let type: NSNumber.Type = Swift.type(of: number)
            let isDecimal = type == NSDecimalNumberPlaceholder.self || type == NSDecimalNumber.self
            self = .real(isDecimal ? number.decimalValue.nearestReal : number.doubleValue)
        case .float:
            guard let number = Self.number(publicValue) else { return nil }
            self = .real(Double(number.floatValue))
        case .date:
            guard let date = publicValue as? Date else { return nil }
            self = .real(date.timeIntervalSinceReferenceDate)
        case .decimal:
            if let decimal = publicValue as? Decimal {
                self = .decimal(decimal)
            } else if let number = Self.number(publicValue) {
                self = .decimal(number.finiteDecimal)
            } else {
                return nil
            }
        case .string:
            // On Apple's platforms a Substring is bridged to an NSString.
            guard let string = publicValue as? String ?? (publicValue as? Substring).map(String.init) else {
                return nil
            }
            self = .string(string)
        case .binary:
            guard let data = Data(of: publicValue) else { return nil }
            self = .data(data)
        case .uuid:
            guard let uuid = publicValue as? UUID else { return nil }
            self = .uuid(uuid)
        case .uri:
            guard let url = publicValue as? URL else { return nil }
            self = .url(url)
        case .transformable, .undefined, .objectID, .composite:
            self = .any(AnyBox(publicValue))
        }
    }

    /// A value of the usual Swift type of an attribute, found by comparing types: a cast would look for bridges.
    static func plain(_ publicValue: Any, _ type: AttributeType) -> Value? { plainValue(publicValue, type) }

    private static func plainValue<Given>(_ given: Given, _ type: AttributeType) -> Value? {
        @inline(__always)
        func value<Target>(_ target: Target.Type) -> Target? {
            Given.self == target ? unsafeBitCast(given, to: target) : nil
        }
        @inline(__always)
        func integer() -> Int64? {
            value(Int.self).map { Int64($0) } ?? value(Int64.self) ?? value(Int32.self).map { Int64($0) }
                ?? value(Int16.self).map { Int64($0) }
        }
        switch type {
        case .string: return value(String.self).map { .string($0) }
        case .date: return value(Date.self).map { .real($0.timeIntervalSinceReferenceDate) }
        case .boolean: return value(Bool.self).map { .integer($0 ? 1 : 0) }
        case .double: return value(Double.self).map { .real($0) }
        case .float: return value(Float.self).map { .real(Double($0)) }
        case .integer16: return integer().flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) }
        case .integer32: return integer().flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
        case .integer64: return integer().map { .integer($0) }
        case .decimal: return value(Decimal.self).map { .decimal($0) }
        case .binary: return value(Data.self).map { .data($0) }
        case .uuid: return value(UUID.self).map { .uuid($0) }
        case .uri: return value(URL.self).map { .url($0) }
        default: return nil
        }
    }

    private static func exactInteger(_ number: NSNumber) -> Int64? {
        // A fraction is cut off, as NSNumber does; a number outside of Int64 does not fit.
        if number is NSDecimalNumber {
            var (decimal, whole) = (number.decimalValue, Decimal())
            NSDecimalRound(&whole, &decimal, 0, decimal < 0 ? .up : .down)
            return Int64(whole.description)
        }
        // Convert integers without a Double, which cannot represent all of 64 bits.
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return Int64(exactly: number.doubleValue.rounded(.towardZero))
        case UInt8(ascii: "Q"): return Int64(exactly: number.uint64Value)
        default: return number.int64Value
        }
    }

    /// A number of any Swift or Foundation type.
    static func number(_ publicValue: Any) -> NSNumber? {
        switch publicValue {
        case let number as NSNumber: number
        case let value as Int: NSNumber(value: value)
        case let value as Int64: NSNumber(value: value)
        case let value as Int32: NSNumber(value: value)
        case let value as Int16: NSNumber(value: value)
        case let value as Int8: NSNumber(value: value)
        case let value as UInt: NSNumber(value: value)
        case let value as UInt64: NSNumber(value: value)
        case let value as UInt32: NSNumber(value: value)
        case let value as UInt16: NSNumber(value: value)
        case let value as UInt8: NSNumber(value: value)
        case let value as Bool: NSNumber(value: value)
        case let value as Double: NSNumber(value: value)
        case let value as Float: NSNumber(value: value)
        case let value as Decimal: NSDecimalNumberPlaceholder(decimal: value)
        default: nil
        }
    }

    /// The value as key-value coding shows it: numbers as `NSNumber`, nothing as nil.
    package func publicAttribute(_ type: AttributeType) -> Any? {
        switch self {
        case .integer(let value):
            type == .boolean ? NSNumber(value: value != 0) : NSNumber(value: Int(value))
        case .real(let value):
            switch type {
            case .date: Date(timeIntervalSinceReferenceDate: value)
            case .float: NSNumber(value: Float(value))
            default: NSNumber(value: value)
            }
        case .string(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        case .decimal(let value): NSDecimalNumberPlaceholder(decimal: value)
        case .any(let box): box.value is UnreadableValue ? nil : box.value
        case .absent, .null, .object, .reference, .toMany: nil
        }
    }

    /// Whether two attribute values are the same.
    func isSame(as other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null), (.absent, .absent): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.data(let a), .data(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.url(let a), .url(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b
        case (.any(let a), .any(let b)): a === b || a.isEqual(to: b)
        case (.object(let a), .object(let b)): a === b
        case (.reference(let a), .reference(let b)): a.primaryKey == b.primaryKey && a.store == b.store
        case (.object(let a), .reference(let b)), (.reference(let b), .object(let a)):
            a.key.primaryKey == b.primaryKey && a.key.store == b.store
        default: false
        }
    }
}

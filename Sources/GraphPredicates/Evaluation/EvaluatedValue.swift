// A value in the form that the evaluator uses: Swift's and Foundation's types with the same meaning share a case.
// Created from the values of objects; used by the evaluator, the functions, the printer and the sort descriptors.

import Foundation
import GraphArchives

/// A value under evaluation.
package enum EvaluatedValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case text(String)
    case date(Date)
    case uuid(UUID)
    case data(Data)
    case url(URL)
    case collection(any EvaluableCollection)
    case dictionary(any EvaluableDictionary)
    case readable(any KeyValueReadable)
    case other(Any)

    /// Converts a value to its case.
    ///
    /// The checks are ordered by the frequency of the types; comparing types is much cheaper than a cast that fails.
    /// An element of a collection of `Any` may be an `Any` within an `Any`, which only casts look into.
    package init(_ value: Any?) {
        guard let value else {
            self = .null
            return
        }
        let type = Swift.type(of: value)
        if type == String.self, let value: String = Self.payload(value) {
            self = .text(value)
        } else if type == Int.self, let value: Int = Self.payload(value) {
            self = .integer(Int64(value))
        } else if type == Bool.self, let value: Bool = Self.payload(value) {
            self = .boolean(value)
        } else if type == Double.self, let value: Double = Self.payload(value) {
            self = .real(value)
        } else if type == Date.self, let value: Date = Self.payload(value) {
            self = .date(value)
        } else if type == Int64.self, let value: Int64 = Self.payload(value) {
            self = .integer(value)
        } else if type is AnyClass {
            self = EvaluatedValue.classify(object: value)
        } else {
            self = EvaluatedValue.classify(struct: value)
        }
    }

    /// The value as a type that it was found to have; most values need no cast, which would search for conversions.
    private static func payload<Value>(_ value: Any) -> Value? {
        func reinterpreted<Known>(_ value: Known) -> Value? {
            Known.self == Value.self ? unsafeBitCast(value, to: Value.self) : value as? Value
        }
        return _openExistential(value, do: reinterpreted)
    }

    /// Classifies Foundation's values; a cast from one class to another is fast, one from `Any` is not.
    private static func classify(object value: Any) -> EvaluatedValue {
        guard let object = value as? NSObject else {
            if let readable = value as? any KeyValueReadable { return .readable(readable) }
            return classifyContainer(value)
        }
        // A cast to a protocol that fails costs ten casts to a class.
        if let number = object as? NSNumber { return .init(number: number) }
        if let text = object as? NSString { return .text(String(describing: text)) }
        if let readable = object as? any KeyValueReadable { return .readable(readable) }
        if let date = object as? NSDate { return .date(date as Date) }
        if object is NSNull { return .null }
        if let data = object as? NSData { return .data(Data(copying: data)) }
        if let uuid = object as? NSUUID { return .uuid(uuid as UUID) }
        if let url = object as? NSURL { return .url(url as URL) }
        return classifyContainer(value)
    }

    private static func classifyContainer(_ value: Any) -> EvaluatedValue {
        if let collection = value as? any EvaluableCollection { return .collection(collection) }
        if let dictionary = value as? any EvaluableDictionary { return .dictionary(dictionary) }
        return .other(value)
    }

    private static func classify(struct value: Any) -> EvaluatedValue {
        if Swift.type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
            return EvaluatedValue(hashable.base)
        }
        switch value {
        case let value as any EvaluatedValueConvertible: return value.evaluatedValue
        case let value as any EvaluableCollection: return .collection(value)
        case let value as any EvaluableDictionary: return .dictionary(value)
        case let value as any KeyValueReadable: return .readable(value)
        case let value as any OptionalValue: return EvaluatedValue(value.wrappedValue)
        default: return .other(value)
        }
    }

    private init(number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = .decimal(decimal as Decimal)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .real(number.doubleValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"): self = number.uint64Value.evaluatedValue
        default: self = .integer(number.int64Value)
        }
    }

    package init(elements: [EvaluatedValue], isUnordered: Bool = false) {
        self = .collection(ComputedCollection(elements: elements, isUnordered: isUnordered))
    }

    // MARK: - Reading

    /// The value in Swift's types; missing elements of collections are NSNull.
    package var anyValue: Any? {
        switch self {
        case .null: return nil
        case .boolean(let value): return value
        case .integer(let value): return Int(exactly: value) ?? value
        case .real(let value): return value
        case .decimal(let value): return value
        case .text(let value): return value
        case .date(let value): return value
        case .uuid(let value): return value
        case .data(let value): return value
        case .url(let value): return value
        case .collection(let value): return value.shownValue
        case .dictionary(let value): return value
        case .readable(let value): return value
        case .other(let value): return value
        }
    }

    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    package var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// A truth value, or the truth value of a number.
    package var truth: Bool? {
        switch self {
        case .boolean(let value): return value
        case .integer(let value): return value != 0
        case .real(let value): return value != 0
        case .decimal(let value): return value != 0
        default: return nil
        }
    }

    package var isNumber: Bool {
        switch self {
        case .boolean, .integer, .real, .decimal: true
        default: false
        }
    }

    /// The result of a computation; null if it is not a number, as in SQL.
    static func computed(_ value: Double) -> EvaluatedValue { value.isNaN ? .null : .real(value) }

    package var doubleValue: Double? {
        switch self {
        case .boolean(let value): return value ? 1 : 0
        case .integer(let value): return Double(value)
        case .real(let value): return value
        case .decimal(let value): return value.nearestReal
        default: return nil
        }
    }

    /// A whole number, or the integral part of another number.
    package var integerValue: Int64? {
        switch self {
        case .boolean(let value): return value ? 1 : 0
        case .integer(let value): return value
        default: return doubleValue.flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        }
    }

    /// The integral part of a number, or the nearest integer of 64 bits; 0 for NaN.
    var nearestInteger: Int64? {
        if let integerValue { return integerValue }
        return doubleValue.map { $0.isNaN ? 0 : $0 < 0 ? .min : .max }
    }

    /// The elements of a collection, the values of a dictionary, or nil for a single value.
    package var elements: [EvaluatedValue]? {
        switch self {
        case .collection(let value as ComputedCollection): return value.elements
        case .collection(let value): return value.evaluatedElements()
        case .dictionary(let value): return value.evaluatedValues()
        default: return nil
        }
    }

    /// The elements of an immutable collection; nil for other collections and for a single value.
    var fixedElements: [EvaluatedValue]? {
        switch self {
        case .collection(let value) where EvaluatedValue.isFixed(type(of: value)): return elements
        case .dictionary(let value) where EvaluatedValue.isFixed(type(of: value)): return elements
        default: return nil
        }
    }

    private static func isFixed(_ type: Any.Type) -> Bool {
        // Subclasses of these may be mutable.
        !(type is AnyClass) || type == NSArray.self || type == NSSet.self || type == NSOrderedSet.self
            || type == NSDictionary.self
    }
}

extension EvaluatedValue: EvaluatedValueConvertible {
    var evaluatedValue: EvaluatedValue { self }
}

extension Int8: EvaluatedValueConvertible {}
extension Int16: EvaluatedValueConvertible {}
extension Int32: EvaluatedValueConvertible {}
extension UInt: EvaluatedValueConvertible {}
extension UInt8: EvaluatedValueConvertible {}
extension UInt16: EvaluatedValueConvertible {}
extension UInt32: EvaluatedValueConvertible {}
extension UInt64: EvaluatedValueConvertible {}

extension Float: EvaluatedValueConvertible {
    var evaluatedValue: EvaluatedValue { .real(Double(self)) }
}

extension CGFloat: EvaluatedValueConvertible {
    var evaluatedValue: EvaluatedValue { .real(Double(self)) }
}

extension Decimal: EvaluatedValueConvertible {
    var evaluatedValue: EvaluatedValue { .decimal(self) }
}

extension UUID: EvaluatedValueConvertible {
    var evaluatedValue: EvaluatedValue { .uuid(self) }
}

extension Data: EvaluatedValueConvertible {
    var evaluatedValue: EvaluatedValue { .data(self) }
}

extension URL: EvaluatedValueConvertible {
    var evaluatedValue: EvaluatedValue { .url(self) }
}

extension Substring: EvaluatedValueConvertible {
    var evaluatedValue: EvaluatedValue { .text(String(self)) }
}

extension Character: EvaluatedValueConvertible {
    var evaluatedValue: EvaluatedValue { .text(String(self)) }
}

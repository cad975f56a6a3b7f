// The Swift types that accessors read and write without a detour through Any. Called by generated accessors; each
// conformance leads to one concrete reader of NSManagedObject+TypedAccess.
import Foundation

/// A type that a generated accessor reads and writes directly.
public protocol ManagedValue {
    /// The property's value.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    static func read(_ property: ManagedProperty, of object: NSManagedObject) -> Self
    /// Sets the property.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    static func write(_ value: Self, to property: ManagedProperty, of object: NSManagedObject)
}

/// A type whose optional is a property's type too, with a value that stands for nil where the property is not optional.
public protocol ManagedAttributeValue: ManagedValue {
    /// What a property of the bare type reads as where the object has no value.
    static var valueForNil: Self { get }
    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Self?
    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    static func writeOptional(_ value: Self?, to property: ManagedProperty, of object: NSManagedObject)
}

extension ManagedAttributeValue {
    /// The property's value, `valueForNil` where it has none.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    @inlinable
    public static func read(_ property: ManagedProperty, of object: NSManagedObject) -> Self {
        readOptional(property, of: object) ?? valueForNil
    }

    /// Sets the property.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    @inlinable
    public static func write(_ value: Self, to property: ManagedProperty, of object: NSManagedObject) {
        writeOptional(value, to: property, of: object)
    }
}

extension Optional: ManagedValue where Wrapped: ManagedAttributeValue {
    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    @inlinable
    public static func read(_ property: ManagedProperty, of object: NSManagedObject) -> Wrapped? {
        Wrapped.readOptional(property, of: object)
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    @inlinable
    public static func write(_ value: Wrapped?, to property: ManagedProperty, of object: NSManagedObject) {
        Wrapped.writeOptional(value, to: property, of: object)
    }
}

extension String: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: String { "" }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> String? {
        object.readString(property)
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: String?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeString(value, to: property)
    }
}

extension Int64: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: Int64 { 0 }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Int64? {
        object.readInteger(property)
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: Int64?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeInteger(value, to: property)
    }
}

extension Bool: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: Bool { false }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Bool? {
        object.readInteger(property).map { $0 != 0 }
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: Bool?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeInteger(value.map { $0 ? 1 : 0 }, to: property)
    }
}

extension Int16: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: Int16 { 0 }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Int16? {
        object.readInteger(property).map { Int16(truncatingIfNeeded: $0) }
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: Int16?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeInteger(value.map { Int64($0) }, to: property)
    }
}

extension Int32: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: Int32 { 0 }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Int32? {
        object.readInteger(property).map { Int32(truncatingIfNeeded: $0) }
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: Int32?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeInteger(value.map { Int64($0) }, to: property)
    }
}

extension Int: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: Int { 0 }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Int? {
        object.readInteger(property).map { Int($0) }
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: Int?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeInteger(value.map { Int64($0) }, to: property)
    }
}

extension Double: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: Double { 0 }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Double? {
        object.readReal(property)
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: Double?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeReal(value, to: property)
    }
}

extension Float: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: Float { 0 }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Float? {
        object.readReal(property).map { Float($0) }
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: Float?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeReal(value.map { Double($0) }, to: property)
    }
}

extension Date: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: Date { Date(timeIntervalSinceReferenceDate: 0) }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Date? {
        object.readReal(property).map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: Date?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeReal(value.map { $0.timeIntervalSinceReferenceDate }, to: property)
    }
}

extension Data: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: Data { Data() }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Data? {
        object.readData(property)
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: Data?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeData(value, to: property)
    }
}

extension UUID: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> UUID? {
        object.readUUID(property)
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: UUID?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeUUID(value, to: property)
    }
}

extension URL: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: URL { URL(filePath: "/") }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> URL? {
        object.readURL(property)
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: URL?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeURL(value, to: property)
    }
}

extension Decimal: ManagedAttributeValue {
    /// What a property without a value reads as.
    public static var valueForNil: Decimal { 0 }

    /// The property's value, or nil.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - object: The object.
    /// - Returns: The value.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Decimal? {
        object.readDecimal(property)
    }

    /// Sets the property, or clears it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - object: The object.
    public static func writeOptional(_ value: Decimal?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeDecimal(value, to: property)
    }
}

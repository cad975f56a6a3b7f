// The types of attributes that accessors read and write without boxing in Any. Called by generated accessors; each
// conformance leads to one concrete reader of NSManagedObject+TypedAccess.
import Foundation

/// A type whose optional is a property's type too, with a value that stands for nil if the property is not optional.
public protocol ManagedAttributeValue: ManagedValue {
    /// The value of a property of the bare type if the object has none.
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
    /// The property's value, `valueForNil` if it has none.
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

// MARK: Numbers

extension ManagedAttributeValue where Self: FixedWidthInteger {
    /// Zero.
    @inlinable public static var valueForNil: Self { 0 }

    /// The property's value, or nil; bits beyond the type's width are cut off.
    @inlinable
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Self? {
        object.readInteger(property).map { Self(truncatingIfNeeded: $0) }
    }

    /// Sets the property, or clears it.
    @inlinable
    public static func writeOptional(_ value: Self?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeInteger(value.map { Int64(truncatingIfNeeded: $0) }, to: property)
    }
}

extension Int16: ManagedAttributeValue {}
extension Int32: ManagedAttributeValue {}
extension Int64: ManagedAttributeValue {}
extension Int: ManagedAttributeValue {}

extension ManagedAttributeValue where Self: BinaryFloatingPoint {
    /// Zero.
    @inlinable public static var valueForNil: Self { 0 }

    /// The property's value, or nil.
    @inlinable
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Self? {
        object.readReal(property).map { Self($0) }
    }

    /// Sets the property, or clears it.
    @inlinable
    public static func writeOptional(_ value: Self?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeReal(value.map { Double($0) }, to: property)
    }
}

extension Float: ManagedAttributeValue {}
extension Double: ManagedAttributeValue {}

// MARK: Others

extension Bool: ManagedAttributeValue {
    /// False.
    public static var valueForNil: Bool { false }

    /// The property's value, or nil.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Bool? {
        object.readInteger(property).map { $0 != 0 }
    }

    /// Sets the property, or clears it.
    public static func writeOptional(_ value: Bool?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeInteger(value.map { $0 ? 1 : 0 }, to: property)
    }
}

extension String: ManagedAttributeValue {
    /// The empty text.
    public static var valueForNil: String { "" }

    /// The property's value, or nil.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> String? {
        object.readString(property)
    }

    /// Sets the property, or clears it.
    public static func writeOptional(_ value: String?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeString(value, to: property)
    }
}

extension Date: ManagedAttributeValue {
    /// The reference date, 2001-01-01 00:00 UTC.
    public static var valueForNil: Date { Date(timeIntervalSinceReferenceDate: 0) }

    /// The property's value, or nil.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Date? {
        object.readReal(property).map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// Sets the property, or clears it.
    public static func writeOptional(_ value: Date?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeReal(value.map { $0.timeIntervalSinceReferenceDate }, to: property)
    }
}

extension Data: ManagedAttributeValue {
    /// No bytes.
    public static var valueForNil: Data { Data() }

    /// The property's value, or nil.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Data? {
        object.readData(property)
    }

    /// Sets the property, or clears it.
    public static func writeOptional(_ value: Data?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeData(value, to: property)
    }
}

extension UUID: ManagedAttributeValue {
    /// The UUID of zeros.
    public static var valueForNil: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

    /// The property's value, or nil.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> UUID? {
        object.readUUID(property)
    }

    /// Sets the property, or clears it.
    public static func writeOptional(_ value: UUID?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeUUID(value, to: property)
    }
}

extension URL: ManagedAttributeValue {
    /// The root folder.
    public static var valueForNil: URL { URL(filePath: "/") }

    /// The property's value, or nil.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> URL? {
        object.readURL(property)
    }

    /// Sets the property, or clears it.
    public static func writeOptional(_ value: URL?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeURL(value, to: property)
    }
}

extension Decimal: ManagedAttributeValue {
    /// Zero.
    public static var valueForNil: Decimal { 0 }

    /// The property's value, or nil.
    public static func readOptional(_ property: ManagedProperty, of object: NSManagedObject) -> Decimal? {
        object.readDecimal(property)
    }

    /// Sets the property, or clears it.
    public static func writeOptional(_ value: Decimal?, to property: ManagedProperty, of object: NSManagedObject) {
        object.writeDecimal(value, to: property)
    }
}

// The Swift types that accessors read and write without boxing in Any. Called by generated accessors; each conformance
// leads to one concrete reader of NSManagedObject+TypedAccess.
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

// What generated accessors call. The types here decide at compile time which reader serves a property.
import Foundation

extension NSManagedObject {
    /// The value of a property, for generated accessors.
    ///
    /// - Parameter property: The property.
    /// - Returns: The value. O(1).
    @inlinable
    public final func managedValue<T: ManagedValue>(for property: ManagedProperty) -> T {
        T.read(property, of: self)
    }

    /// The destination of a to-one relationship, for generated accessors.
    ///
    /// - Parameter property: The property.
    /// - Returns: The destination, a fault perhaps. O(1).
    public final func managedValue<T: NSManagedObject>(for property: ManagedProperty) -> T? {
        guard let object = toOneObject(property.slot(in: self)) else { return nil }
        guard let typed = object as? T else {
            preconditionFailure(
                "\(layout.name).\(property.name) holds a \(type(of: object)), not a \(T.self). Check the destination "
                    + "entity's class name in the model."
            )
        }
        return typed
    }

    /// The value of a property of any other type, for generated accessors.
    ///
    /// - Parameter property: The property.
    /// - Returns: The value. Stops with a sentence where the type does not allow nil and there is no value.
    @_disfavoredOverload
    public final func managedValue<T>(for property: ManagedProperty) -> T {
        Self.typed(publicValue(property.slot(in: self)), property, of: self)
    }

    /// Sets a property, for generated accessors.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    @inlinable
    public final func setManagedValue<T: ManagedValue>(_ value: T, for property: ManagedProperty) {
        T.write(value, to: property, of: self)
    }

    /// Sets a to-one relationship, for generated accessors.
    ///
    /// - Parameters:
    ///   - value: The destination or nil.
    ///   - property: The property.
    public final func setManagedValue<T: NSManagedObject>(_ value: T?, for property: ManagedProperty) {
        let slot = property.slot(in: self)
        guard layout.slots[slot].kind == .toOne else { return setPublicValue(value, slot: slot) }
        if let value { checkDestination(value, layout.slots[slot]) }
        setToOne(slot, to: value)
    }

    /// Sets a property of any other type, for generated accessors.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    @_disfavoredOverload
    public final func setManagedValue<T>(_ value: T, for property: ManagedProperty) {
        setPublicValue(flatten(value), slot: property.slot(in: self))
    }

    /// The value of a property as it is stored, for generated primitive accessors.
    ///
    /// - Parameter property: The property.
    /// - Returns: The value.
    public final func managedPrimitiveValue<T>(for property: ManagedProperty) -> T {
        Self.typed(publicValue(property.slot(in: self)), property, of: self)
    }

    /// Sets a property without change tracking, for generated primitive accessors.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    public final func setManagedPrimitiveValue<T>(_ value: T, for property: ManagedProperty) {
        setPrimitive(flatten(value), slot: property.slot(in: self))
    }

    private static func typed<T>(_ value: Any?, _ property: ManagedProperty, of object: NSManagedObject) -> T {
        if let value {
            if let typed = value as? T { return typed }
            if let attribute = T.self as? any ManagedAttributeValue.Type,
                let typed = attribute.readOptional(property, of: object) as? T
            {
                return typed
            }
            if let raw = T.self as? any RawRepresentable.Type, let typed = raw.make(from: value) as? T { return typed }
        } else {
            if let optional = T.self as? any ExpressibleByNilLiteral.Type,
                let none = optional.init(nilLiteral: ()) as? T
            {
                return none
            }
            if let attribute = T.self as? any ManagedAttributeValue.Type, let none = attribute.valueForNil as? T {
                return none
            }
        }
        preconditionFailure(
            "\(object.layout.name).\(property.name) is \(value.map { "a \(type(of: $0))" } ?? "nil"), which a property "
                + "declared as \(T.self) cannot hold. Declare it optional, or with the type of the model's attribute."
        )
    }
}

extension RawRepresentable {
    fileprivate static func make(from value: Any) -> Any? {
        if let raw = value as? RawValue { return Self(rawValue: raw) }
        guard let number = value as? NSNumber else { return nil }
        let candidates: [Any] = [
            number.intValue, number.int16Value, number.int32Value, number.int64Value, number.int8Value,
        ]
        for case let raw as RawValue in candidates { return Self(rawValue: raw) }
        return nil
    }
}

/// Strips the optionals of a value that was boxed as Any, and reduces enumerations to their raw values.
func flatten(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if let optional = value as? any OptionalValue { return flatten(optional.wrappedAny) }
    if !(value is AnyObject.Type), let raw = value as? any RawRepresentable, !(value is NSNumber) {
        return raw.rawValue
    }
    return value
}

private protocol OptionalValue {
    var wrappedAny: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrappedAny: Any? { map { $0 as Any } }
}

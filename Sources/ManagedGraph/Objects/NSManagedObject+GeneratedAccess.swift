// The functions behind generated accessors. The types here decide at compile time which reader serves a property.
import Foundation
import GraphArchives

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
        if let typed = object as? T { return typed }
        // The row of a damaged store may name another entity.
        Diagnosis.log.error(
            """
            \(layout.name).\(property.name) leads to \(object.describeForMessages), a \(type(of: object)), not a \(T.self): \
            it reads as nil. Check the destination entity's class name in the model, and the store with \
            managedgraph store check.
            """
        )
        return nil
    }

    /// The destination of a to-one relationship that is declared as not optional, for generated accessors.
    ///
    /// - Parameter property: The property.
    /// - Returns: The destination; if there is none, an object without values and context. Apple's platforms return a
    ///   null reference, of which every property reads as nil or 0, too.
    public final func managedValue<T: NSManagedObject>(for property: ManagedProperty) -> T {
        let destination: T? = managedValue(for: property)
        if let destination { return destination }
        let slot = layout.slots[property.slot(in: self)]
        guard let entity = (slot.property as? NSRelationshipDescription)?.destinationEntity else {
            return Self.typed(nil, property, of: self)
        }
        Diagnosis.warnOnce(
            slot,
            "\(layout.name).\(property.name) is nil, which a property declared as \(T.self) cannot hold: it reads as an "
                + "object without values. Declare it optional."
        )
        let absent = T(entity: entity, insertInto: nil)
        absent.becomeShell()
        return absent
    }

    /// The members of a to-many relationship, for generated accessors of a Swift set.
    ///
    /// - Parameter property: The property.
    /// - Returns: The members, faults perhaps. O(members).
    public final func managedValue<T: NSManagedObject>(for property: ManagedProperty) -> Set<T> {
        members(property.slot(in: self)) ?? Self.typed(publicValue(property.slot(in: self)), property, of: self)
    }

    /// The members of a to-many relationship, for generated accessors of an optional Swift set.
    ///
    /// - Parameter property: The property.
    /// - Returns: The members, faults perhaps. O(members).
    public final func managedValue<T: NSManagedObject>(for property: ManagedProperty) -> Set<T>? {
        members(property.slot(in: self)) ?? Self.typed(publicValue(property.slot(in: self)), property, of: self)
    }

    /// The members of a to-many relationship without Foundation's set between; nil if they are not all of the type.
    private func members<T: NSManagedObject>(_ slot: Int) -> Set<T>? {
        guard layout.slots[slot].kind == .toMany else { return nil }
        let members = toManyMembers(slot)
        var result = Set<T>(minimumCapacity: members.count)
        for member in members {
            guard let typed = member as? T else { return nil }
            result.insert(typed)
        }
        return result
    }

    /// The value of a property of any other type, for generated accessors.
    ///
    /// - Parameter property: The property.
    /// - Returns: The value. A value that the type cannot hold, and nil if it does not allow nil, read as an empty
    /// value:
    ///   0, an empty text or collection, or the first case; a type that has none stops the program with a sentence.
    @_disfavoredOverload
    public final func managedValue<T>(for property: ManagedProperty) -> T { managedAnyValue(for: property) }

    /// The value of a property whose type holds values of others, such as `Any`, for generated accessors: the functions
    /// of the same name would be ambiguous.
    ///
    /// - Parameter property: The property.
    /// - Returns: The value. Nil stops the program with a sentence, if the type does not allow it.
    public final func managedAnyValue<T>(for property: ManagedProperty) -> T {
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
        if let value, !acceptsDestination(value, at: slot) { return }
        withdrawRefusal(of: slot)
        setPublicToOne(slot, to: value)
    }

    /// Sets a property of any other type, for generated accessors.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    @_disfavoredOverload
    public final func setManagedValue<T>(_ value: T, for property: ManagedProperty) {
        setPublicValue(value, slot: property.slot(in: self))
    }

    /// The value of a property as it is in memory, for generated primitive accessors.
    ///
    /// - Parameter property: The property.
    /// - Returns: The value; nil, or a type's value for nil, for a fault, which this does not fire.
    public final func managedPrimitiveValue<T>(for property: ManagedProperty) -> T {
        let slot = property.slot(in: self)
        return Self.typed(hasPrimitiveValue(slot) ? publicValue(slot) : nil, property, of: self)
    }

    /// Sets a property without change tracking, for generated primitive accessors.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    public final func setManagedPrimitiveValue<T>(_ value: T, for property: ManagedProperty) {
        setPrimitive(value, slot: property.slot(in: self))
    }

    private static func typed<T>(_ value: Any?, _ property: ManagedProperty, of object: NSManagedObject) -> T {
        if let value {
            if let typed = value as? T { return typed }
            if let attribute = T.self as? any ManagedAttributeValue.Type,
                let typed = attribute.readOptional(property, of: object) as? T
            {
                return typed
            }
            // On Apple's platforms the property returns the number of another class.
            if T.self == NSDecimalNumber.self || T.self == NSDecimalNumber?.self, let number = Value.number(value),
                let typed = NSDecimalNumberPlaceholder(decimal: number.finiteDecimal) as? T
            {
                return typed
            }
            if let raw = T.self as? any RawRepresentable.Type, let typed = raw.make(from: value) as? T { return typed }
        }
        if let emptyValue = valueForNone(of: T.self) {
            // Stored values may come from outside, or from another version of the program.
            if let value {
                Diagnosis.warnOnce(
                    object.layout.slots[property.slot(in: object)],
                    "\(object.layout.name).\(property.name) is \(value), a \(type(of: value)), which a property "
                        + "declared as \(T.self) cannot hold: it reads as \(emptyValue)."
                )
            }
            return emptyValue
        }
        preconditionFailure(
            "\(object.layout.name).\(property.name) is \(value.map { "a \(type(of: $0))" } ?? "nil"), which a property "
                + "declared as \(T.self) cannot hold. Declare it optional, or with the type of the model's attribute."
        )
    }

    /// The value of a property of a type if the object has none that fits: nil, 0, an empty text or collection, or
    /// the first case of an enumeration; nil for types without any such value.
    private static func valueForNone<T>(of type: T.Type) -> T? {
        switch type {
        case let optional as any ExpressibleByNilLiteral.Type: optional.init(nilLiteral: ()) as? T
        case let attribute as any ManagedAttributeValue.Type: attribute.valueForNil as? T
        case let collection as any RangeReplaceableCollection.Type: collection.init() as? T
        case let set as any SetAlgebra.Type: set.init() as? T
        case let dictionary as any ExpressibleByDictionaryLiteral.Type: dictionary.empty as? T
        case let cases as any CaseIterable.Type: cases.first as? T
        case let raw as any RawRepresentable.Type: raw.zero as? T
        case let list as any ExpressibleByArrayLiteral.Type: list.empty as? T
        // The answers of a null reference on Apple's platforms.
        case is NSDate.Type: NSDate(timeIntervalSince1970: 0) as? T
        case is NSDecimalNumber.Type: NSDecimalNumber.zero as? T
        case is NSNumber.Type: NSNumber(value: 0) as? T
        case is NSString.Type: NSString() as? T
        case is NSData.Type: NSData() as? T
        default: nil
        }
    }
}

extension ExpressibleByArrayLiteral {
    fileprivate static var empty: Any { [] as Self }
}

extension ExpressibleByDictionaryLiteral {
    fileprivate static var empty: Any { [:] as Self }
}

extension CaseIterable {
    fileprivate static var first: Any? { allCases.first }
}

extension RawRepresentable {
    /// The value whose raw value is 0 or an empty text.
    fileprivate static var zero: Any? {
        guard let raw = (RawValue.self as? any ManagedAttributeValue.Type)?.valueForNil as? RawValue else { return nil }
        return Self(rawValue: raw)
    }

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

/// The type of an attribute's values; the raw values are Apple's.
public enum NSAttributeType: UInt, Sendable {
    /// No type; only for transient attributes.
    case undefinedAttributeType = 0
    /// A 16-bit integer.
    case integer16AttributeType = 100
    /// A 32-bit integer.
    case integer32AttributeType = 200
    /// A 64-bit integer.
    case integer64AttributeType = 300
    /// A decimal number.
    case decimalAttributeType = 400
    /// A double precision number.
    case doubleAttributeType = 500
    /// A single precision number.
    case floatAttributeType = 600
    /// Text.
    case stringAttributeType = 700
    /// A Boolean value.
    case booleanAttributeType = 800
    /// A moment in time.
    case dateAttributeType = 900
    /// Bytes.
    case binaryDataAttributeType = 1000
    /// A UUID.
    case UUIDAttributeType = 1100
    /// A URL.
    case URIAttributeType = 1200
    /// An object that a value transformer turns into bytes.
    case transformableAttributeType = 1800
    /// An object ID; not for attributes of a store.
    case objectIDAttributeType = 2000
    /// A group of attributes.
    case compositeAttributeType = 2100
}

import Foundation
import GraphModel

/// The description of an attribute: a single value of an object.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
    /// Generated as a scalar Swift type.
    package final var usesScalarValue = false
    private var storedValueClassName: String?

    /// The type of the attribute's values.
    open var attributeType: NSAttributeType = .undefinedAttributeType {
        willSet { requireEditable(isEditable, "the type of attribute \(name)") }
    }
    /// The value that a new object starts with.
    open var defaultValue: Any? {
        willSet { requireEditable(isEditable, "the default value of attribute \(name)") }
    }
    /// The name of the value transformer of a transformable attribute.
    open var valueTransformerName: String? {
        willSet { requireEditable(isEditable, "valueTransformerName of attribute \(name)") }
    }
    /// Whether large binary values may be stored in files beside the store.
    open var allowsExternalBinaryDataStorage: Bool = false {
        willSet { requireEditable(isEditable, "allowsExternalBinaryDataStorage of attribute \(name)") }
    }
    /// Whether the value is kept in the history when its object is deleted.
    open var preservesValueInHistoryOnDeletion: Bool = false {
        willSet { requireEditable(isEditable, "preservesValueInHistoryOnDeletion of attribute \(name)") }
    }
    /// Whether a cloud store encrypts the value.
    open var allowsCloudEncryption: Bool = false {
        willSet { requireEditable(isEditable, "allowsCloudEncryption of attribute \(name)") }
    }

    /// The type of the attribute's values, as a structure.
    open var type: AttributeType {
        get { AttributeType(rawValue: attributeType.rawValue) }
        set {
            guard let attributeType = NSAttributeType(rawValue: newValue.rawValue) else {
                preconditionFailure("Attribute \(name): there is no attribute type \(newValue.rawValue).")
            }
            self.attributeType = attributeType
        }
    }

    /// The name of the class of the attribute's values, such as `NSString`.
    open var attributeValueClassName: String? {
        get { storedValueClassName ?? attributeType.valueClassName }
        set {
            requireEditable(isEditable, "attributeValueClassName of attribute \(name)")
            storedValueClassName = newValue
        }
    }

    package final var customClassName: String? { storedValueClassName }

    /// The hash that distinguishes versions of the attribute: 32 bytes.
    open override var versionHash: Data { super.versionHash }

    override func makeEmptyCopy() -> NSPropertyDescription {
        NSAttributeDescription()
    }

    override func copyContents(to copy: NSPropertyDescription) {
        super.copyContents(to: copy)
        guard let copy = copy as? NSAttributeDescription else { return }
        copy.usesScalarValue = usesScalarValue
        copy.storedValueClassName = storedValueClassName
        copy.attributeType = attributeType
        copy.defaultValue = defaultValue
        copy.valueTransformerName = valueTransformerName
        copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        copy.allowsCloudEncryption = allowsCloudEncryption
    }
}

extension NSAttributeType {
    /// The class that Apple's frameworks name for values of this type.
    var valueClassName: String? {
        switch self {
        case .undefinedAttributeType, .transformableAttributeType: nil
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "NSString"
        case .dateAttributeType: "NSDate"
        case .binaryDataAttributeType: "NSData"
        case .UUIDAttributeType: "NSUUID"
        case .URIAttributeType: "NSURL"
        case .objectIDAttributeType: "NSManagedObjectID"
        case .compositeAttributeType: "NSDictionary"
        }
    }
}
